import type { ReactNode } from 'react'
import { Icon } from './icon'
import type { IconName } from './icon-sprite'

interface BannerProps {
  readonly level: 'info' | 'warn' | 'danger' | 'pending'
  readonly icon: IconName
  readonly children: ReactNode
  readonly actions?: ReactNode
}

/** A notice across a panel: what is the case, and buttons that name what can be done about it. */
export function Banner({ level, icon, children, actions }: BannerProps) {
  return (
    <div className={`banner ${level}`} role="status">
      <Icon name={icon} className={`t-${level}`} />
      <span className="grow">{children}</span>
      {actions}
    </div>
  )
}

interface ErrorBlockProps {
  readonly level: 'info' | 'warn' | 'danger'
  readonly icon: IconName
  readonly title: ReactNode
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

/** What happened, what is safe, what to do: in this order. */
export function ErrorBlock({ level, icon, title, children, actions }: ErrorBlockProps) {
  return (
    <div className="err" role="alert">
      <Icon name={icon} className={`t-${level}`} />
      <h3>{title}</h3>
      {children && <div className="mid sm">{children}</div>}
      {actions && <div className="acts">{actions}</div>}
    </div>
  )
}

/** What an empty panel says in place of content. */
export function EmptyState({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="empty">
      <h3>{title}</h3>
      {children && <p className="sm">{children}</p>}
      {actions && <div className="row wrap">{actions}</div>}
    </div>
  )
}
