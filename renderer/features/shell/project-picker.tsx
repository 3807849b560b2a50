import { useCallback, useRef, useState } from 'react'
import type { Project } from '../../../preload/contract/project'
import { Icon } from '../../components/icon'
import { Menu, type MenuEntry } from '../../components/menu'
import { openProject, pickProject } from '../../store/project-actions'
import { useSessions } from '../../store/sessions-store'
import { reportActFailure } from '../../store/ui-store'

const attempt = (act: Promise<unknown>) => void act.catch(reportActFailure)

/** Recent folders in the menu: a menu is read, not scrolled. */
const MENU_FOLDERS = 8

/** The open project, and a menu of the folders that were open before. */
export function ProjectPicker({ project }: { readonly project: Project }) {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const close = useCallback(() => setOpen(false), [])
  const recent = useSessions((state) => state.recent)
  const folders = recent.filter((folder) => folder.exists && folder.path !== project.path).slice(0, MENU_FOLDERS)
  const entries: MenuEntry[] = [
    { key: 'pick', label: 'Open folder…', icon: 'folder', run: () => attempt(pickProject()) },
    ...folders.map((folder) => ({
      key: folder.path,
      label: folder.name,
      detail: folder.path,
      icon: 'folder' as const,
      run: () => attempt(openProject(folder.path)),
    })),
  ]
  return (
    <>
      <button
        ref={button}
        type="button"
        className="pick"
        title={project.path}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <span className="cut">{project.name}</span>
        <Icon name="down" small />
      </button>
      {open && <Menu anchor={button} label="Project" entries={entries} onClose={close} />}
    </>
  )
}
