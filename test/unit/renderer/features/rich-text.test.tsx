import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createFakeBridge } from '../../../support/fake-bridge'

type RichText = typeof import('../../../../renderer/features/transcript/rich-text')
let richText: RichText

beforeAll(async () => {
  vi.stubGlobal('window', { plumbline: createFakeBridge('busy') })
  vi.stubGlobal('navigator', { userAgent: 'X11; Linux' })
  richText = await import('../../../../renderer/features/transcript/rich-text')
})

const drawn = (text: string): string => {
  const element: ReactElement = richText.renderMarkdown(text, ({ code }) => <pre>{code}</pre>)
  return renderToStaticMarkup(element)
}

describe('renderMarkdown', () => {
  it('draws what people write', () => {
    expect(drawn('a **b** `c`')).toBe('<p>a <strong>b</strong> <code>c</code></p>')
    expect(drawn(`${'> '.repeat(8)}deep`)).toContain('<blockquote>')
    expect(drawn('- a\n  - b\n    - c')).toContain('<li>')
    expect(drawn(`${'*'.repeat(80)}\n\n${'-'.repeat(600)}`)).toContain('<hr/>')
  })

  it.each([
    ['quotes', `${'>'.repeat(3000)} deep`],
    ['spaced quotes', `x\n\n${'> '.repeat(3000)}deep`],
    ['lists in one line', `${'- '.repeat(3000)}deep`],
    ['numbers in one line', `${'1. '.repeat(3000)}deep`],
    ['lists by indentation', Array.from({ length: 120 }, (_, level) => `${'  '.repeat(level)}- level`).join('\n')],
    ['emphasis', `${'*'.repeat(5000)}a${'*'.repeat(5000)}`],
    ['emphasis in turns', `${'*a **b '.repeat(400)}x${'b** a*'.repeat(400)}`],
  ])('shows %s without end as they were written', (_name, text) => {
    const markup = drawn(text)
    expect(markup).toMatch(/^<p class="plain">/)
    expect(markup.match(/</g)).toHaveLength(2)
  })

  it('never makes elements of HTML, nor links of anything but web addresses', () => {
    const markup = drawn(
      '<script>1</script> <img src=x onerror=1>\n\n[a](javascript:1) [b](file:///etc/passwd) [c](data:text/html,1)',
    )
    expect(markup).not.toMatch(/<(script|img|a) /)
    expect(markup).not.toContain('javascript:')
  })
})
