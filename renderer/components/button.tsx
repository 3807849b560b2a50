import type { ButtonHTMLAttributes, Ref } from 'react'
import { classNames } from '../lib/class-names'
import { Icon } from './icon'
import type { IconName } from './icon-sprite'
import { KeyHint } from './key-hint'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'primary' | 'danger' | 'quiet' | 'danger-quiet' | undefined
  readonly small?: boolean | undefined
  readonly icon?: IconName | undefined
  /** The key that does the same, shown in the button. */
  readonly shortcut?: string | undefined
  readonly testId?: string | undefined
  readonly ref?: Ref<HTMLButtonElement> | undefined
}

/** A button with a word. One `primary` a group; `danger` only where something is lost. */
export function Button({ kind, small, icon, shortcut, testId, className, children, ...rest }: ButtonProps) {
  const kindClass = kind === 'danger-quiet' ? 'quiet danger-quiet' : kind
  return (
    <button
      type="button"
      className={classNames('btn', kindClass, small && 'small', className)}
      data-testid={testId}
      {...rest}
    >
      {icon && <Icon name={icon} small={small} />}
      {children}
      {shortcut && <KeyHint name={shortcut} />}
    </button>
  )
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: IconName
  /** The spoken name and the tooltip. */
  readonly label: string
  readonly small?: boolean | undefined
  readonly testId?: string | undefined
  readonly ref?: Ref<HTMLButtonElement> | undefined
}

/** A button without a word: its name is spoken and shown as a tooltip. */
export function IconButton({ icon, label, small, testId, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      className={classNames('icon-btn', className)}
      aria-label={label}
      title={label}
      data-testid={testId}
      {...rest}
    >
      <Icon name={icon} small={small} />
    </button>
  )
}
