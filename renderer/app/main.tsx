import { createRoot } from 'react-dom/client'
import { appCommands } from '../commands/app-commands'
import { registerCommands } from '../commands/registry'
import { listenForShortcuts } from '../commands/shortcuts'
import { loadRichText } from '../features/transcript/rich-text-loader'
import { isMac } from '../lib/platform'
import { useLayout } from '../store/layout-store'
import { startStores } from '../store/start'
import { reportActFailure } from '../store/ui-store'
import '../theme/index.css'
import { followSystemTheme, setTheme } from '../theme/theme'
import { App } from './app'
import { reportFailures } from './report-failures'

reportFailures()
followSystemTheme()
useLayout.subscribe(({ layout }, before) => {
  if (layout.theme !== before.layout.theme) setTheme(layout.theme)
})
registerCommands(appCommands)
listenForShortcuts(isMac)

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no root element.')
createRoot(root).render(<App />)

startStores()
  .catch(reportActFailure)
  .finally(() => void loadRichText())
