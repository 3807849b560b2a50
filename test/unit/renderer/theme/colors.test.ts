import { describe, expect, it } from 'vitest'
import { hexColor } from '../../../../renderer/theme/colors'

describe('hexColor', () => {
  it('turns computed colours into hex digits', () => {
    expect(hexColor('rgb(30, 97, 163)')).toBe('#1e61a3')
    expect(hexColor('rgba(0, 0, 0, 0.5)')).toBe('#00000080')
    expect(hexColor('rgb(255 255 255 / 1)')).toBe('#ffffff')
  })
})
