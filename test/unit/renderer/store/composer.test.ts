import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFakeBridge } from '../../../support/fake-bridge'

type Composer = typeof import('../../../../renderer/store/composer-store')
type Actions = typeof import('../../../../renderer/store/session-actions')
let composer: Composer
let actions: Actions
const setDraft = vi.fn(() => Promise.resolve({ ok: true as const, value: undefined }))
const getDraft = vi.fn(() => Promise.resolve({ ok: true as const, value: 'kept text' }))

beforeAll(async () => {
  const fake = createFakeBridge('new')
  vi.stubGlobal('window', { plumbline: { ...fake, app: { ...fake.app, setDraft, getDraft } } })
  composer = await import('../../../../renderer/store/composer-store')
  actions = await import('../../../../renderer/store/session-actions')
})

beforeEach(() => {
  vi.useFakeTimers()
  setDraft.mockClear()
})
afterEach(() => vi.useRealTimers())

const textOf = (key: string) => composer.draftOf(composer.useComposer.getState().drafts, key).text

describe('drafts', () => {
  it('reach the disk once typing rests, with the last text only', () => {
    composer.setDraftText('s_00000001', 'h')
    vi.advanceTimersByTime(100)
    composer.setDraftText('s_00000001', 'hello')
    expect(setDraft).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1000)
    expect(setDraft.mock.calls).toEqual([[{ session: 's_00000001', text: 'hello' }]])
  })

  it('are all written at once when the window is left', () => {
    composer.setDraftText('s_00000002', 'one')
    composer.setDraftText('new', 'two')
    composer.flushDrafts()
    expect(setDraft).toHaveBeenCalledTimes(2)
    vi.advanceTimersByTime(1000)
    expect(setDraft).toHaveBeenCalledTimes(2)
  })

  it('are read from disk, but never over what was typed meanwhile', async () => {
    await composer.loadDraft('s_00000003')
    expect(textOf('s_00000003')).toBe('kept text')
    const loading = composer.loadDraft('s_00000004')
    composer.setDraftText('s_00000004', 'typed')
    await loading
    expect(textOf('s_00000004')).toBe('typed')
  })

  it('leave the disk when they were sent', () => {
    composer.setDraftText('s_00000005', 'sent')
    composer.clearDraft('s_00000005')
    expect(textOf('s_00000005')).toBe('')
    expect(setDraft).toHaveBeenLastCalledWith({ session: 's_00000005', text: '' })
  })

  it('take a queued message back before what is being written', () => {
    composer.setDraftText('s_00000006', 'now')
    composer.restoreDraft('s_00000006', 'earlier')
    expect(textOf('s_00000006')).toBe('earlier\nnow')
  })
})

describe('promptContent', () => {
  const image = { id: 1, name: 'a.png', mimeType: 'image/png', bytes: 3, url: null, refused: null }
  it('sends images before the text and leaves out what was refused', () => {
    const data = new Uint8Array([1, 2, 3])
    const content = actions.promptContent({
      text: 'See this',
      attachments: [
        { ...image, data },
        { ...image, id: 2, data: null, refused: 'too large' },
      ],
    })
    expect(content).toEqual([
      { type: 'image', name: 'a.png', mimeType: 'image/png', data },
      { type: 'text', text: 'See this' },
    ])
  })

  it('is empty for blank text', () => {
    expect(actions.promptContent({ text: ' \n', attachments: [] })).toEqual([])
  })
})
