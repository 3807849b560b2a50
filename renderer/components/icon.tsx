import { classNames } from '../lib/class-names'
import type { IconName } from './icon-sprite'

interface IconProps {
  readonly name: IconName
  /** The spoken name, for an icon that stands without a word. */
  readonly label?: string | undefined
  readonly small?: boolean | undefined
  readonly spin?: boolean | undefined
  readonly className?: string | undefined
}

/** One drawn symbol. Hidden from screen readers unless it has a label. */
export function Icon({ name, label, small, spin, className }: IconProps) {
  const names = classNames('i', small && 'sm', spin && 'spin', className)
  const symbol = <use href={`#i-${name}`} />
  if (label === undefined) {
    return (
      <svg className={names} viewBox="0 0 16 16" aria-hidden="true">
        {symbol}
      </svg>
    )
  }
  return (
    <svg className={names} viewBox="0 0 16 16" role="img" aria-label={label}>
      <title>{label}</title>
      {symbol}
    </svg>
  )
}
