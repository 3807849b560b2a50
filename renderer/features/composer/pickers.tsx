import { type ReactNode, useCallback, useRef } from 'react'
import type { ModelRef, PermissionMode } from '../../../preload/contract/ids'
import { Icon } from '../../components/icon'
import type { IconName } from '../../components/icon-sprite'
import { Menu, type MenuEntry } from '../../components/menu'
import { classNames } from '../../lib/class-names'
import { formatTokens } from '../../lib/format'
import { chooseDefaultModel, modelLabel, useModels } from '../../store/models-store'
import { setMode, setModel, setToolset } from '../../store/session-actions'
import { useSession } from '../../store/session-store'
import { useSessions } from '../../store/sessions-store'
import { type PickerName, reportActFailure, useUi } from '../../store/ui-store'
import { modes, toolsetDescriptions, toolsets } from './choices'

const attempt = (act: Promise<unknown>) => void act.catch(reportActFailure)

interface PickerProps {
  readonly name: PickerName
  readonly label: string
  readonly icon?: IconName
  readonly entries: readonly MenuEntry[]
  readonly empty?: ReactNode
  readonly className?: string
  readonly children: ReactNode
}

/** A button that says what is chosen and opens the menu of what can be. */
function Picker({ name, label, icon, entries, empty, className, children }: PickerProps) {
  const button = useRef<HTMLButtonElement>(null)
  const open = useUi((state) => state.picker === name)
  const close = useCallback(() => useUi.setState({ picker: null }), [])
  return (
    <>
      <button
        ref={button}
        type="button"
        className={classNames('pick', className)}
        data-testid={`${name}-picker`}
        aria-haspopup="menu"
        aria-expanded={open}
        title={label}
        onClick={() => useUi.setState({ picker: open ? null : name })}
      >
        {icon && <Icon name={icon} />}
        {children}
        <Icon name="down" small />
      </button>
      {open && <Menu anchor={button} label={label} entries={entries} onClose={close} empty={empty} />}
    </>
  )
}

/** The model of the session, or of the next new one; null while none is chosen. */
export function useChosenModel(): ModelRef | null {
  const session = useSession(({ id, state }) => (id === null ? undefined : state.model))
  const next = useSessions(({ choices }) => choices.model)
  return session === undefined ? next : session
}

/** The permission mode of the session, or of the next new one. */
export function useChosenMode(): PermissionMode {
  const session = useSession(({ id, state }) => (id === null ? undefined : state.mode))
  const next = useSessions(({ choices }) => choices.mode)
  return session ?? next
}

/** Chooses among the models of every provider that can be reached. */
export function ModelPicker() {
  const providers = useModels((models) => models.providers)
  const defaultModel = useModels((models) => models.defaultModel)
  const chosen = useChosenModel()
  const entries: MenuEntry[] = providers.flatMap((provider) =>
    provider.models.map((model, index) => ({
      key: model.ref,
      label: model.label,
      detail: [
        model.contextWindow !== undefined && `${formatTokens(model.contextWindow)} tokens`,
        model.images ? 'images' : 'no images',
        model.ref === defaultModel && 'default',
      ]
        .filter(Boolean)
        .join(', '),
      group: index === 0 ? provider.label : undefined,
      chosen: model.ref === chosen,
      disabled: provider.key === 'missing' ? 'No key for this provider' : undefined,
      run: () => {
        attempt(setModel(model.ref))
        if (defaultModel === null) attempt(chooseDefaultModel(model.ref))
      },
    })),
  )
  entries.push({
    key: 'connect',
    label: 'Connect a model…',
    icon: 'key',
    run: () => useUi.setState({ overlay: 'connect' }),
  })
  return (
    <Picker name="model" label="Model" entries={entries} className={chosen === null ? 't-pending' : ''}>
      <span className="cut">{modelLabel(providers, chosen)}</span>
    </Picker>
  )
}

/** Chooses how much is asked. `bypass` first asks for a typed yes. */
export function ModePicker() {
  const chosen = useChosenMode()
  const entries = modes.map(
    ({ mode, description, unavailable }): MenuEntry => ({
      key: mode,
      label: mode === 'bypass' ? 'bypass…' : mode,
      detail: description,
      disabled: unavailable,
      chosen: mode === chosen,
      danger: mode === 'bypass',
      run: () =>
        mode === 'bypass' && chosen !== 'bypass' ? useUi.setState({ confirmingBypass: true }) : attempt(setMode(mode)),
    }),
  )
  return (
    <Picker
      name="mode"
      label="Permission mode"
      icon="shield"
      entries={entries}
      className={chosen === 'bypass' ? 't-danger' : ''}
    >
      <span className="cut">{chosen}</span>
    </Picker>
  )
}

/** Chooses which tools the model sees. */
export function ToolsetPicker() {
  const session = useSession(({ id, state }) => (id === null ? undefined : state.toolset))
  const next = useSessions(({ choices }) => choices.toolset)
  const chosen = session ?? next
  const entries = toolsets.map(
    (toolset): MenuEntry => ({
      key: toolset,
      label: toolset,
      detail: toolsetDescriptions[toolset],
      chosen: toolset === chosen,
      run: () => attempt(setToolset(toolset)),
    }),
  )
  return (
    <Picker name="toolset" label={`Toolset ${chosen}`} icon="tool" entries={entries}>
      <span className="cut hide-md">{chosen}</span>
    </Picker>
  )
}
