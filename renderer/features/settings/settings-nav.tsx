import { Icon } from '../../components/icon'
import type { IconName } from '../../components/icon-sprite'
import { useSettings } from '../../store/settings-store'
import { type Overlay, useUi } from '../../store/ui-store'
import './settings.css'

interface Section {
  readonly id: string
  readonly label: string
  readonly icon: IconName
  readonly page: Extract<Overlay, 'settings' | 'permissions'>
}

const sections: readonly Section[] = [
  { id: 'general', label: 'General', icon: 'sliders', page: 'settings' },
  { id: 'appearance', label: 'Appearance', icon: 'eye', page: 'settings' },
  { id: 'providers', label: 'Providers', icon: 'key', page: 'settings' },
  { id: 'files', label: 'Settings files', icon: 'file', page: 'settings' },
  { id: 'permissions', label: 'Permissions', icon: 'shield', page: 'permissions' },
]

/** Space above a heading that was gone to, in CSS pixels. */
const MARGIN = 16

/** The page may only just be appearing. */
function goTo(id: string, tries = 20): void {
  requestAnimationFrame(() => {
    const heading = document.getElementById(`settings-${id}`)
    if (heading === null) {
      if (tries > 0) goTo(id, tries - 1)
      return
    }
    const scroller = heading.closest('.scroll')
    // Not `scrollIntoView`: it would also move the frame of the window.
    if (scroller !== null)
      scroller.scrollTop += heading.getBoundingClientRect().top - scroller.getBoundingClientRect().top - MARGIN
    heading.focus({ preventScroll: true })
  })
}

/** The sections of the settings, on both of its pages. */
export function SettingsNav({ page }: { readonly page: Section['page'] }) {
  const issues = useSettings((state) => state.issues.length)
  return (
    <nav className="nav scroll" aria-label="Settings">
      {sections.map((section) => (
        <button
          key={section.id}
          type="button"
          className="inset"
          aria-current={section.page === page && section.page === 'permissions' ? 'page' : undefined}
          onClick={() => {
            useUi.setState({ overlay: section.page })
            goTo(section.id)
          }}
        >
          <Icon name={section.icon} />
          <span className="grow cut">{section.label}</span>
          {section.id === 'files' && issues > 0 && <span className="count pending">{issues}</span>}
        </button>
      ))}
    </nav>
  )
}
