import type { KeyboardEvent, ReactNode } from 'react'

interface Tab<Id extends string> {
  readonly id: Id
  readonly label: string
  readonly count?: number
}

interface TabsProps<Id extends string> {
  readonly label: string
  readonly tabs: readonly Tab<Id>[]
  readonly chosen: Id
  readonly onChoose: (id: Id) => void
  readonly end?: ReactNode
}

/** A row of tabs: one tab stop, arrow keys inside. */
export function Tabs<Id extends string>({ label, tabs, chosen, onChoose, end }: TabsProps<Id>) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const at = tabs.findIndex((tab) => tab.id === chosen)
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (next === undefined) return
    onChoose(next.id)
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus()
  }
  return (
    <div className="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          className="inset"
          data-tab={tab.id}
          aria-selected={tab.id === chosen}
          tabIndex={tab.id === chosen ? 0 : -1}
          onClick={() => onChoose(tab.id)}
        >
          {tab.label}
          {tab.count !== undefined && tab.count > 0 && <span className="count">{tab.count}</span>}
        </button>
      ))}
      {end && <span className="end">{end}</span>}
    </div>
  )
}
