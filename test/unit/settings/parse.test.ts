import { describe, expect, it } from 'vitest'
import { parseSettings } from '../../../main/settings/parse'

const parse = (text: string) => parseSettings('/h/settings.json', text)

describe('parseSettings', () => {
  it('reads JSON with comments, trailing commas and a byte order mark', () => {
    const { values, issues } = parse(`\uFEFF{
      // how it looks
      "theme": "dark", /* and */
      "permissions": { "allow": ["bash(npm test)",], },
    }`)
    expect(issues).toEqual([])
    expect(values).toEqual({ theme: 'dark', permissions: { allow: ['bash(npm test)'] } })
  })

  it('names file, line and key of a fault and keeps the rest', () => {
    const { values, issues } = parse('{\n  "mode": "yolo",\n  "fontSize": 15\n}')
    expect(values).toEqual({ fontSize: 15 })
    expect(issues).toEqual([
      {
        file: '/h/settings.json',
        line: 2,
        key: 'mode',
        message: expect.stringContaining('the rest of the file counts'),
      },
    ])
  })

  it('suggests the key that was meant', () => {
    const { issues } = parse('{\n"sandbox": {\n"teir": "off" } }')
    expect(issues).toMatchObject([
      { line: 3, key: 'sandbox.teir', message: expect.stringContaining('Did you mean "tier"?') },
    ])
  })

  it('takes single entries out of lists, each with its own line', () => {
    const { values, issues } = parse('{ "permissions": { "deny": [\n"a",\n5,\n"b",\nnull\n] } }')
    expect(values.permissions?.deny).toEqual(['a', 'b'])
    expect(issues.map(({ line, key }) => ({ line, key }))).toEqual([
      { line: 5, key: 'permissions.deny[3]' },
      { line: 3, key: 'permissions.deny[1]' },
    ])
  })

  it('takes an object out whose required key is missing', () => {
    const { values, issues } = parse(
      '{ "hooks": {\n"pre_tool": [\n{ "matcher": "bash" },\n{ "command": ["./guard.sh"] } ] } }',
    )
    expect(values.hooks?.pre_tool).toEqual([{ command: ['./guard.sh'], timeout_ms: 60_000 }])
    expect(issues).toMatchObject([{ line: 3, key: 'hooks.pre_tool[0].command' }])
  })

  it('takes only the faulty provider out', () => {
    const { values, issues } = parse(
      '{ "providers": {\n"work": { "type": "openai-chat", "baseUrl": "http://127.0.0.1:8080/v1" },\n"bad": { "type": "soap",\n"baseUrl": "ftp://x" } } }',
    )
    expect(values.providers).toEqual({ work: { type: 'openai-chat', baseUrl: 'http://127.0.0.1:8080/v1' }, bad: {} })
    expect(issues.map(({ line, key }) => `${line} ${key}`)).toEqual(['3 providers.bad.type', '4 providers.bad.baseUrl'])
  })

  it('reads what it can of a file that is not valid JSON', () => {
    const { values, issues } = parse('{\n"theme": "dark",\n"mode" "ask",\n"fontSize": 12 }')
    expect(values.theme).toBe('dark')
    expect(issues[0]).toMatchObject({ line: 3, message: expect.stringContaining('Colon expected') })
  })

  it.each(['', '  \n', '// nothing\n'])('takes %j for no settings', (text) => {
    expect(parse(text)).toMatchObject({ values: {}, issues: [] })
  })

  it.each(['[]', '"x"', '5'])('ignores %s as a whole and says so', (text) => {
    expect(parse(text)).toMatchObject({ values: {}, issues: [{ line: 1 }] })
  })

  it('is not fooled by keys that every object has', () => {
    const { values, issues } = parse('{ "__proto__": { "mode": "bypass" }, "constructor": 1, "theme": "light" }')
    expect(values).toEqual({ theme: 'light' })
    expect(values.mode).toBeUndefined()
    expect(issues).toHaveLength(2)
  })
})
