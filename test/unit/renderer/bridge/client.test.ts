import { describe, expect, it, vi } from 'vitest'
import { BridgeError, createBridgeClient, droppedFolderOpener } from '../../../../renderer/bridge/client'
import { createFakeBridge } from '../../../support/fake-bridge'

describe('the bridge client', () => {
  it('resolves a request to its value', async () => {
    const client = createBridgeClient(createFakeBridge('new'))
    await expect(client.project.open({ path: '/p' })).resolves.toMatchObject({ name: 'harbor' })
  })

  it('rejects a refusal with its code and message', async () => {
    const exposed = createFakeBridge('new')
    const client = createBridgeClient({
      ...exposed,
      project: {
        ...exposed.project,
        open: () => Promise.resolve({ ok: false, failure: { code: 'not_found', message: 'No such folder.' } }),
      },
    })
    const refused = client.project.open({ path: '/gone' })
    await expect(refused).rejects.toBeInstanceOf(BridgeError)
    await expect(refused).rejects.toMatchObject({ code: 'not_found', message: 'No such folder.' })
  })

  it('passes a subscription through with its listener and its end, and answers with the cancel function', () => {
    const exposed = createFakeBridge('new')
    const cancel = vi.fn()
    const updates = vi.fn(() => cancel)
    const client = createBridgeClient({ ...exposed, session: { ...exposed.session, updates } })
    const listener = () => undefined
    const ended = () => undefined
    const answer = client.session.updates({ session: 's_00000001' }, listener, ended)
    expect(updates).toHaveBeenCalledWith({ session: 's_00000001' }, listener, ended)
    answer()
    expect(cancel).toHaveBeenCalledOnce()
  })

  it('hands the file of a drop over as it is', async () => {
    const exposed = createFakeBridge('new')
    const openDropped = vi.fn(exposed.project.openDropped)
    const file = new File([], 'harbor')
    await droppedFolderOpener({ ...exposed, project: { ...exposed.project, openDropped } })(file)
    expect(openDropped).toHaveBeenCalledWith(file)
  })
})
