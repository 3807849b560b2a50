import { type BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron'

/** The menu of the right mouse button: what can be done with the text there, and nothing where there is none. */
export function offerContextMenu(window: BrowserWindow): void {
  window.webContents.on('context-menu', (_event, { isEditable, selectionText, editFlags }) => {
    const items = contextMenuItems({ isEditable, hasSelection: selectionText.trim() !== '', ...editFlags })
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window })
  })
}

interface ContextOfMenu {
  isEditable: boolean
  hasSelection: boolean
  canCut: boolean
  canCopy: boolean
  canPaste: boolean
  canSelectAll: boolean
}

function contextMenuItems(context: ContextOfMenu): MenuItemConstructorOptions[] {
  if (!context.isEditable) return context.hasSelection ? [{ role: 'copy' }] : []
  return [
    { role: 'cut', enabled: context.canCut },
    { role: 'copy', enabled: context.canCopy },
    { role: 'paste', enabled: context.canPaste },
    { type: 'separator' },
    { role: 'selectAll', enabled: context.canSelectAll },
  ]
}
