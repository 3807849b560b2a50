import { useCallback, useRef } from 'react'
import { Floating } from '../../components/menu'
import { classNames } from '../../lib/class-names'
import { formatCost, formatTokens } from '../../lib/format'
import { modelInfo, useModels } from '../../store/models-store'
import { useSession } from '../../store/session-store'
import { useUi } from '../../store/ui-store'
import { useChosenModel } from './pickers'

/** The ring's length in its own units: 2π × 5.5. */
const CIRCUMFERENCE = 34.56

/** From these parts of the window on the ring warns, then says that it compacts next. */
const WARN_AT = 0.7
const DANGER_AT = 0.9

/** How full the context is and what the session cost. Without a known window it shows the tokens alone. */
export function UsageRing() {
  const button = useRef<HTMLButtonElement>(null)
  const open = useUi((state) => state.picker === 'usage')
  const close = useCallback(() => useUi.setState({ picker: null }), [])
  const tokens = useSession(({ state }) => state.contextTokens)
  const cost = useSession(({ state }) => state.cost)
  const providers = useModels((models) => models.providers)
  const window = modelInfo(providers, useChosenModel())?.contextWindow
  const part = window === undefined ? 0 : Math.min(1, tokens / window)
  const percent = Math.round(part * 100)
  const full = window === undefined ? `${formatTokens(tokens)} tokens` : `${percent} %`
  const words = window === undefined ? full : `Context ${percent} % of ${formatTokens(window)}`
  return (
    <>
      <button
        ref={button}
        type="button"
        className="pick"
        data-testid="usage"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={cost > 0 ? `${words}, this session ${formatCost(cost)}` : words}
        title={words}
        onClick={() => useUi.setState({ picker: open ? null : 'usage' })}
      >
        <svg
          className={classNames('ring', part >= DANGER_AT ? 'full' : part >= WARN_AT && 'warn')}
          viewBox="0 0 16 16"
          aria-hidden="true"
        >
          <circle className="tr" cx="8" cy="8" r="5.5" />
          <circle
            className="va"
            cx="8"
            cy="8"
            r="5.5"
            strokeDasharray={`${part * CIRCUMFERENCE} ${CIRCUMFERENCE}`}
            transform="rotate(-90 8 8)"
          />
        </svg>
        {(tokens > 0 || window !== undefined) && <span>{full}</span>}
        {part >= DANGER_AT && <span className="t-danger hide-md">compacts next</span>}
        {cost > 0 && <span className="hide-md">{formatCost(cost)}</span>}
      </button>
      {open && (
        <Floating anchor={button} label="Usage" onClose={close} className="menu-frame">
          <UsageTable tokens={tokens} window={window} />
        </Floating>
      )}
    </>
  )
}

function UsageTable({ tokens, window }: { readonly tokens: number; readonly window: number | undefined }) {
  const usage = useSession(({ state }) => state.usage)
  const cost = useSession(({ state }) => state.cost)
  const cached = usage.cachedInput ?? 0
  return (
    <div className="menu kv">
      <span className="med">Context</span>
      <span>{window === undefined ? formatTokens(tokens) : `${formatTokens(tokens)} of ${formatTokens(window)}`}</span>
      <span>{window === undefined ? '' : `${Math.round((tokens / window) * 100)} %`}</span>
      <span className="tot">This session</span>
      <span className="tot">
        {formatTokens(usage.input)} in, {formatTokens(usage.output)} out
      </span>
      <span className="tot">{cost > 0 ? formatCost(cost) : 'price unknown'}</span>
      {cached > 0 && (
        <>
          <span>of it cached</span>
          <span>{formatTokens(cached)}</span>
          <span />
        </>
      )}
    </div>
  )
}
