import type { ModelRef } from '../../../preload/contract/ids'
import type { ProviderStatus } from '../../../preload/contract/provider'
import { Icon } from '../../components/icon'
import { chooseDefaultModel } from '../../store/models-store'
import { reportActFailure } from '../../store/ui-store'

/** Chooses among the models of one provider. */
export function ModelSelect({
  provider,
  chosen,
}: {
  readonly provider: ProviderStatus
  readonly chosen: ModelRef | null
}) {
  return (
    <span className="sel">
      <select
        className="field"
        aria-label={`${provider.label} model`}
        value={chosen ?? ''}
        onChange={(event) => void chooseDefaultModel(event.target.value).catch(reportActFailure)}
      >
        {provider.models.map((model) => (
          <option key={model.ref} value={model.ref}>
            {model.label}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </span>
  )
}
