import { showKey } from '../commands/keys'
import { classNames } from '../lib/class-names'
import { isMac } from '../lib/platform'

/** A key as a cap: `<KeyHint name="Mod+K" />`. */
export function KeyHint({ name, className }: { readonly name: string; readonly className?: string }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a key cap is no control; names of buttons should not end in a key
    <kbd className={classNames(className)} aria-hidden="true">
      {showKey(name, isMac)}
    </kbd>
  )
}

/** A label with its key, for tooltips: `Settings (Ctrl ,)`. */
export function withKey(label: string, name: string): string {
  return `${label} (${showKey(name, isMac)})`
}
