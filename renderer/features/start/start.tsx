import { useState } from 'react'
import { runCommand } from '../../commands/registry'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { formatWhen } from '../../lib/format'
import { openProject, startDemo } from '../../store/project-actions'
import { useSessions } from '../../store/sessions-store'
import { reportActFailure } from '../../store/ui-store'
import { ConnectModel } from './connect'

/** Folders offered again: those that fit beside the rest of the start screen. */
const RECENT_SHOWN = 5

function GuidedDemo() {
  const [starting, setStarting] = useState(false)
  const start = () => {
    setStarting(true)
    startDemo()
      .catch(reportActFailure)
      .finally(() => setStarting(false))
  }
  return (
    <section>
      <h2>Try it without a model</h2>
      <div className="card">
        <div className="opt">
          <Icon name="play" />
          <div>
            <div className="row">
              <span className="med">Guided demo</span>
              <span className="tag outline">script, no model</span>
            </div>
            <div className="d">
              Fixes a failing test in a small sample project, in a temporary folder. The tools, the files and the test
              run are real. About 40 seconds.
            </div>
          </div>
          <Button testId="guided-demo" disabled={starting} onClick={start}>
            {starting ? 'Starting' : 'Start'}
          </Button>
        </div>
      </div>
    </section>
  )
}

function RecentProjects() {
  const recent = useSessions((state) => state.recent)
  if (recent.length === 0) return null
  return (
    <section>
      <h2>Open again</h2>
      <div className="card">
        {recent.slice(0, RECENT_SHOWN).map((project) => (
          <button
            key={project.path}
            type="button"
            className="opt inset"
            disabled={!project.exists}
            onClick={() => void openProject(project.path).catch(reportActFailure)}
          >
            <Icon name="folder" />
            <div>
              <div className="med cut">{project.name}</div>
              <div className="d cut mono" title={project.path}>
                {project.exists ? project.path : `${project.path} is gone`}
              </div>
            </div>
            <span className="dim xs">{formatWhen(project.openedAt, Date.now())}</span>
          </button>
        ))}
      </div>
    </section>
  )
}

/** The first screen: open a folder, connect a model, or watch the guided demo. */
export function Start() {
  return (
    <main className="scroll canvas">
      <div className="start">
        <div className="start-column">
          <div>
            <h1>Open a project to start.</h1>
            <p className="mid lede">
              Plumbline works in one folder at a time. It shows every change and every command before it happens, and
              keeps a way back.
            </p>
            <div className="row wrap acts">
              <Button
                kind="primary"
                icon="folder"
                shortcut="Mod+O"
                testId="open-folder"
                onClick={() => runCommand('project.open')}
              >
                Open folder…
              </Button>
            </div>
            <p className="sm dim lede">Or drop a folder anywhere in this window.</p>
          </div>
          <RecentProjects />
          <GuidedDemo />
        </div>
        <ConnectModel />
      </div>
    </main>
  )
}

/** The part of the start screen that connects a model, on its own page. */
export function ConnectPage() {
  return (
    <main className="scroll canvas">
      <div className="doc">
        <h1>Connect a model</h1>
        <p className="lede">
          The chosen model is the one that new sessions use. Nothing leaves this machine until you pick a provider.
        </p>
        <ConnectModel />
      </div>
    </main>
  )
}
