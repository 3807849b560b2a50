import { bridge } from '../../bridge'
import { Banner } from '../../components/banner'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { useSettings } from '../../store/settings-store'
import { reportActFailure } from '../../store/ui-store'
import { Appearance, General } from './general'
import { Providers } from './providers'
import { SettingsNav } from './settings-nav'

function CopyPath({ path }: { readonly path: string }) {
  return (
    <Button small icon="copy" onClick={() => void bridge.app.copyText(path).catch(reportActFailure)}>
      Copy path
    </Button>
  )
}

/** Faults of settings files: where, what, and that the rest counts. */
function Issues() {
  const issues = useSettings((state) => state.issues)
  return issues.map((issue) => (
    <Banner
      key={`${issue.file}:${issue.line}:${issue.key}`}
      level="warn"
      icon="alert"
      actions={<CopyPath path={issue.file} />}
    >
      <b className="strong break">
        {issue.file}, line {issue.line}:
      </b>{' '}
      <span className="mono">{issue.key}</span> {issue.message} The rest of the file counts.
    </Banner>
  ))
}

function SettingsFiles() {
  const file = useSettings((state) => state.file)
  return (
    <section>
      <h2 id="settings-files" tabIndex={-1}>
        Settings files
      </h2>
      <p className="sm mid">
        JSON with comments. What is changed on this page is written there, and a change of the file counts at once. A
        project adds its own in <code>.plumbline/settings.json</code>, once its folder is trusted.
      </p>
      <div className="card file-card">
        <div className="p row">
          <Icon name="file" />
          <span className="mono cut grow" title={file}>
            {file}
          </span>
          <CopyPath path={file} />
        </div>
      </div>
    </section>
  )
}

/** The person's settings. Everything applies at once. */
export default function Settings() {
  const values = useSettings((state) => state.values)
  return (
    <div className="page settings-page" data-testid="settings">
      <SettingsNav page="settings" />
      <main className="scroll">
        <div className="doc">
          <Issues />
          <h1>Settings</h1>
          <p className="lede">Changes apply at once and are kept in your settings file.</p>
          {values === null ? (
            <p className="sm dim">Reading the settings</p>
          ) : (
            <>
              <General values={values} />
              <Appearance values={values} />
            </>
          )}
          <Providers />
          <SettingsFiles />
        </div>
      </main>
    </div>
  )
}
