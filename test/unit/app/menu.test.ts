import { describe, expect, it } from 'vitest'
import { type MenuOptions, menuTemplate } from '../../../main/app/menu'
import { sourceFiles } from '../../architecture/source-files'

type Items = ReturnType<typeof menuTemplate>

function flatten(items: Items): Items {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flatten(item.submenu) : [])])
}

const template = (platform: NodeJS.Platform, run: MenuOptions['run'] = () => undefined) =>
  flatten(menuTemplate({ platform, appName: 'Plumbline', run }))
const registry = sourceFiles(['renderer/commands'], /\.ts$/)
  .map(({ text }) => text)
  .join('\n')

describe('the menu', () => {
  it('names only commands of the registry', () => {
    const ids = template('linux').flatMap((item) => item.id ?? [])
    expect(ids.length).toBeGreaterThan(15)
    for (const id of ids.filter((name) => !name.startsWith('theme.'))) expect(registry).toContain(`id: '${id}'`)
  })

  it('shows the keys of the registry', () => {
    for (const { id, accelerator } of template('linux')) {
      if (id === undefined || accelerator === undefined) continue
      expect(registry).toContain(`keys: ['${String(accelerator).replace('CmdOrCtrl', 'Mod')}']`)
    }
  })

  it('registers keys on macOS only, so that elsewhere the window alone handles them', () => {
    const keys = (platform: NodeJS.Platform) =>
      new Set(
        template(platform)
          .filter((item) => item.accelerator)
          .map((item) => item.registerAccelerator),
      )
    expect(keys('darwin')).toEqual(new Set([true]))
    expect(keys('linux')).toEqual(new Set([false]))
    expect(keys('win32')).toEqual(new Set([false]))
  })

  it('sends the command', () => {
    const sent: string[] = []
    const item = template('linux', (command) => sent.push(command)).find(({ id }) => id === 'session.new')
    item?.click?.({} as never, undefined, {} as never)
    expect(sent).toEqual(['session.new'])
  })
})
