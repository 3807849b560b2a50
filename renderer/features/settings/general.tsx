import { useEffect, useState } from 'react'
import type { ModelRef } from '../../../preload/contract/ids'
import type { VisibleSettings } from '../../../preload/contract/settings'
import { chooseDefaultModel, useModels } from '../../store/models-store'
import { chooseTheme } from '../../store/settings-store'
import { reportActFailure } from '../../store/ui-store'
import { modes, toolsetDescriptions, toolsets } from '../composer/choices'
import { Choice, change, Setting } from './setting'

/** Sizes of reading text that the settings take, in CSS pixels. */
const FONT_SIZES = { minimum: 10, maximum: 24 }

const tiers: readonly {
  readonly value: VisibleSettings['sandbox']
  readonly label: string
  readonly meaning: string
}[] = [
  { value: 'read-only', label: 'read-only', meaning: 'Commands may read and write nothing.' },
  {
    value: 'workspace-write',
    label: 'workspace-write',
    meaning: 'Commands may write in the project, without network.',
  },
  { value: 'guarded', label: 'guarded', meaning: 'Commands may write in the project only; the network is open.' },
  { value: 'off', label: 'off, unsandboxed', meaning: 'Commands run unsandboxed, with all that you may do.' },
]

const themes: readonly { readonly value: VisibleSettings['theme']; readonly label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'contrast', label: 'High contrast' },
]

function DefaultModel() {
  const providers = useModels((models) => models.providers)
  const chosen = useModels((models) => models.defaultModel)
  const known = providers.flatMap((provider) =>
    provider.models.map((model) => ({ value: model.ref, label: `${provider.label}: ${model.label}` })),
  )
  if (known.length === 0) return <span className="sm dim">No model is connected yet</span>
  const unknown = chosen === null ? '' : chosen
  const choices = known.some((model) => model.value === chosen)
    ? known
    : [{ value: unknown, label: unknown === '' ? 'None chosen' : unknown }, ...known]
  return (
    <Choice<ModelRef>
      label="Default model"
      value={unknown}
      choices={choices}
      onChoose={(model) => {
        if (model !== '') chooseDefaultModel(model).catch(reportActFailure)
      }}
    />
  )
}

/** What new sessions start with. */
export function General({ values }: { readonly values: VisibleSettings }) {
  const mode = modes.find((choice) => choice.mode === values.mode)
  const tier = tiers.find((choice) => choice.value === values.sandbox)
  return (
    <section>
      <h2 id="settings-general" tabIndex={-1}>
        New sessions
      </h2>
      <Setting label="Model" name="model" description="A session can choose its own.">
        <DefaultModel />
      </Setting>
      <Setting label="Permission mode" name="mode" description={`${mode?.description ?? values.mode}.`}>
        <Choice
          label="Permission mode"
          value={values.mode}
          // Bypass is confirmed for one session at a time and is never a default that this page sets.
          choices={modes
            .filter(({ mode: name, unavailable }) => name === values.mode || (name !== 'bypass' && !unavailable))
            .map(({ mode: value }) => ({ value, label: value }))}
          onChoose={(value) => change({ mode: value })}
        />
      </Setting>
      <Setting label="Toolset" name="toolset" description={`${toolsetDescriptions[values.toolset]}.`}>
        <Choice
          label="Toolset"
          value={values.toolset}
          choices={toolsets.map((value) => ({ value, label: value }))}
          onChoose={(toolset) => change({ toolset })}
        />
      </Setting>
      <Setting label="Sandbox" name="sandbox.tier" description={tier?.meaning ?? ''}>
        <Choice label="Sandbox" value={values.sandbox} choices={tiers} onChoose={(sandbox) => change({ sandbox })} />
      </Setting>
    </section>
  )
}

function FontSize({ size }: { readonly size: number }) {
  const [typed, setTyped] = useState(String(size))
  useEffect(() => setTyped(String(size)), [size])
  const value = Number(typed)
  const valid = typed.trim() !== '' && value >= FONT_SIZES.minimum && value <= FONT_SIZES.maximum
  const keep = () => {
    if (!valid) setTyped(String(size))
    else if (value !== size) change({ fontSize: value })
  }
  return (
    <>
      <label className={valid ? 'field' : 'field bad'}>
        <input
          type="number"
          aria-label="Text size in pixels"
          aria-invalid={!valid}
          min={FONT_SIZES.minimum}
          max={FONT_SIZES.maximum}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={keep}
          onKeyDown={(event) => event.key === 'Enter' && keep()}
        />
        <span className="dim">px</span>
      </label>
      {!valid && (
        <span className="xs t-danger" role="alert">
          {FONT_SIZES.minimum} to {FONT_SIZES.maximum}
        </span>
      )}
    </>
  )
}

/** How the window looks. */
export function Appearance({ values }: { readonly values: VisibleSettings }) {
  return (
    <section>
      <h2 id="settings-appearance" tabIndex={-1}>
        Appearance
      </h2>
      <Setting label="Theme" name="theme" description="System follows light, dark and more contrast, as they change.">
        <fieldset className="seg" aria-label="Theme">
          {themes.map((theme) => (
            <button
              key={theme.value}
              type="button"
              className="inset"
              aria-pressed={theme.value === values.theme}
              onClick={() => void chooseTheme(theme.value).catch(reportActFailure)}
            >
              {theme.label}
            </button>
          ))}
        </fieldset>
      </Setting>
      <Setting label="Text size" name="fontSize" description="Of messages in the transcript and of the composer.">
        <FontSize size={values.fontSize} />
      </Setting>
    </section>
  )
}
