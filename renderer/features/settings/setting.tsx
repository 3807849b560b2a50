import type { ReactNode } from 'react'
import { Icon } from '../../components/icon'
import { changeSettings } from '../../store/settings-store'
import { reportActFailure } from '../../store/ui-store'

interface SettingProps {
  readonly label: string
  readonly description: ReactNode
  /** Its name in a settings file. */
  readonly name: string
  readonly children: ReactNode
}

/** One setting: what it is, what it does, its name in the file, and how to change it. */
export function Setting({ label, description, name, children }: SettingProps) {
  return (
    <div className="set">
      <div>
        <div className="lab">{label}</div>
        <div className="desc">{description}</div>
        <div className="key">{name}</div>
      </div>
      <div className="ctl">{children}</div>
    </div>
  )
}

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly choices: readonly { readonly value: Value; readonly label: string }[]
  readonly onChoose: (value: Value) => void
}

/** A choice of a few values in the system's own list. */
export function Choice<Value extends string>({ label, value, choices, onChoose }: ChoiceProps<Value>) {
  return (
    <span className="sel">
      <select
        className="field"
        aria-label={label}
        value={value}
        onChange={(event) => {
          const chosen = choices.find((choice) => choice.value === event.target.value)
          if (chosen !== undefined) onChoose(chosen.value)
        }}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </span>
  )
}

/** Changes settings without waiting, and says so if that failed. */
export function change(settings: Parameters<typeof changeSettings>[0]): void {
  changeSettings(settings).catch(reportActFailure)
}
