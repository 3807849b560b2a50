import { describe, expect, it } from 'vitest'
import { parseAnsi } from '../../../../renderer/lib/ansi'

const esc = '\u001b'

describe('parseAnsi', () => {
  it('turns the sixteen foreground colours into classes and joins equal runs', () => {
    expect(parseAnsi(`a${esc}[31mred${esc}[0m b${esc}[92mgreen`)).toEqual([
      { text: 'a', color: '' },
      { text: 'red', color: 'r' },
      { text: ' b', color: '' },
      { text: 'green', color: 'g' },
    ])
  })

  it('leaves out cursor movement, titles, bold and extended colours', () => {
    const output = `${esc}]0;title\u0007${esc}[2K${esc}[1mbold${esc}[22m ${esc}[38;5;196mx${esc}[48;2;1;31;3my${esc}[?25l`
    expect(parseAnsi(output)).toEqual([{ text: 'bold xy', color: '' }])
  })

  it('shows what a line was rewritten to, and keeps Windows line ends as lines', () => {
    expect(parseAnsi('10 %\r50 %\r100 %\ndone\r\nend')).toEqual([{ text: '100 %\ndone\nend', color: '' }])
  })
})
