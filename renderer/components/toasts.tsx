import { dismissToast, type Toast, useUi } from '../store/ui-store'
import { Button, IconButton } from './button'
import { Icon } from './icon'
import type { IconName } from './icon-sprite'

const icons: Readonly<Record<Toast['level'], IconName>> = { info: 'archive', warn: 'alert', danger: 'fail' }

/** Short answers to acts of the person, at the lower edge. They never carry a truth that is nowhere else. */
export function Toasts() {
  const toasts = useUi((state) => state.toasts)
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map((toast) => (
        <div key={toast.id} className="toast">
          <Icon name={icons[toast.level]} className={toast.level === 'info' ? 'dim' : `t-${toast.level}`} />
          <span className="grow">{toast.text}</span>
          {toast.action && (
            <Button
              small
              onClick={() => {
                dismissToast(toast.id)
                toast.action?.run()
              }}
            >
              {toast.action.label}
            </Button>
          )}
          <IconButton icon="x" label="Dismiss" small onClick={() => dismissToast(toast.id)} />
        </div>
      ))}
    </div>
  )
}
