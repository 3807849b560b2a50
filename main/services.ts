import { cp, mkdtemp, realpath } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { SessionId, ToolsetName } from '../preload/contract/ids'
import type { PermissionEntry } from '../preload/contract/permissions'
import type { AgentSession } from './agent/session'
import { SessionManager } from './agent/session-manager'
import type { ToolRuntimeFactory } from './agent/tool-runtime'
import type { ServicesNeeds } from './app/start-desktop'
import { Credentials } from './credentials/credentials'
import { SystemCheckpointGit } from './editing/checkpoint-git'
import { Checkpoints } from './editing/checkpoints'
import { EditEngine } from './editing/edit-engine'
import { FileMutator } from './editing/file-mutator'
import { NotebookEngine } from './editing/notebook-engine'
import { ReviewEngine } from './editing/review-engine'
import { ReviewMarks } from './editing/review-marks'
import { SnapshotStores } from './editing/snapshots'
import { StringEditEngine } from './editing/string-edit-engine'
import { UndoJournal } from './editing/undo-journal'
import { WriteEngine } from './editing/write-engine'
import { BackgroundTasks } from './execution/background-tasks'
import { Sandbox, type SandboxAvailability } from './execution/sandbox'
import { ShellRunner } from './execution/shell-runner'
import { Supervisor } from './execution/supervisor'
import { Terminals } from './execution/terminals'
import type { DesktopServices } from './ipc/desktop-services'
import { deniedReads } from './permissions/denied-reads'
import { type CommandHook, HookRunner } from './permissions/hook-runner'
import { systemLossProbe } from './permissions/loss-probe'
import { findLosses } from './permissions/losses'
import { buildRules } from './permissions/rules'
import { systemClock } from './platform/clock'
import { DisposerStack } from './platform/disposer'
import { PlumblineError } from './platform/errors'
import { Logger } from './platform/logger'
import { TemporaryFiles } from './platform/temporary-files'
import { WorkerPool } from './platform/worker-pool'
import { ProviderRegistry } from './providers/registry'
import { FileReader } from './reading/file-reader'
import { TargetReader } from './reading/target-reader'
import { projectFiles } from './search/project-files'
import { SearchEngine } from './search/search-engine'
import { externalise } from './sessions/externalise'
import { FileSessionStore } from './sessions/file-session-store'
import type { HookEntry } from './settings/layers'
import type { SettingsFile } from './settings/schema'
import { Settings } from './settings/settings'
import { TrustStore } from './settings/trust-store'
import { BlockResolver } from './syntax/block-resolver'
import { SyntaxEngine } from './syntax/syntax-engine'
import { atomicToolset } from './toolsets/atomic'
import { CommandHooks } from './toolsets/command-hooks'
import type { Engines } from './toolsets/engines'
import { magiToolset } from './toolsets/magi'
import { o4Toolset } from './toolsets/o4'
import { plumblineToolset } from './toolsets/plumbline'
import { ToolRegistry } from './toolsets/registry'
import { SessionTools } from './toolsets/runtime'
import type { DeniedPaths } from './workspace/denied-paths'
import { GitReader } from './workspace/git-reader'
import { PathAuthority, type PathScope } from './workspace/path-authority'

export interface ServicesOptions {
  /** `PLUMBLINE_HOME`, absolute. */
  home: string
  /** The program's own folder: `resources` lies in it. */
  appRoot: string
  /** Somebody can be asked. */
  attended: boolean
  /** `--settings FILE`, absolute. */
  settingsFile?: string | undefined
  /** What the command line sets. */
  commandLine?: SettingsFile | undefined
  /** Lines of the log that also go to standard error; the window keeps them in its file. */
  logToStandardError: boolean
}

/** Everything that works behind a window or a terminal. */
export interface Services {
  readonly settings: Settings
  readonly trust: TrustStore
  readonly credentials: Credentials
  readonly providers: ProviderRegistry
  readonly sessions: SessionManager
  readonly registry: ToolRegistry
  readonly sandbox: Sandbox
  readonly supervisor: Supervisor
  readonly logger: Logger
  readonly review: ReviewEngine
  readonly undo: UndoJournal
  /** Copies the sample project to a temporary folder and opens a session in it whose model is the demo's script. */
  openDemo(): Promise<{ session: AgentSession; prompt: string }>
  dispose(): Promise<void>
}

/** What the person seems to have asked for in the guided demo. */
const DEMO_PROMPT = 'A test of the back-off fails. Find out why and mend it.'

/** Builds the services. The one place that makes engines; the desktop and the terminal program both start here. */
export async function createServices(options: ServicesOptions): Promise<Services> {
  const { home } = options
  const resources = path.join(options.appRoot, 'resources')
  const disposers = new DisposerStack()
  const trust = new TrustStore({ home, fallback: () => settings.values.trust.default })
  const settings: Settings = new Settings({
    home,
    trust,
    ...(options.settingsFile !== undefined && { settingsFile: options.settingsFile }),
    ...(options.commandLine !== undefined && { commandLine: options.commandLine }),
  })
  await settings.load()
  disposers.add(() => settings.dispose())

  const credentials = new Credentials()
  const logger = new Logger({
    folder: path.join(home, 'logs'),
    redact: (text) => credentials.redact(text),
    stderrLevel: options.logToStandardError ? 'warn' : null,
  })
  disposers.add(() => logger.dispose())
  const providers = new ProviderRegistry({ settings, credentials })
  disposers.add(() => providers.dispose())

  const { engines, supervisor, review } = createEngines(home, settings, disposers, async (scope) =>
    deniedReads(buildRules((await settings.forProject(scope.cwd)).rules), { roots: scope.roots, home: os.homedir() }),
  )
  const registry = new ToolRegistry({
    plumbline: plumblineToolset(engines),
    magi: magiToolset(engines),
    atomic: atomicToolset(engines),
    o4: o4Toolset(engines),
  } satisfies Record<ToolsetName, unknown>)

  const hooks = new CommandHooks({
    load: async (cwd) => (await settings.forProject(cwd)).hooks.flatMap(toCommandHook),
    runner: (found) => new HookRunner({ supervisor, sandbox: engines.shells.sandbox, hooks: () => found }),
    home: os.homedir(),
  })
  const createTools: ToolRuntimeFactory = ({ scope, grants, approver, emit }) =>
    new SessionTools({
      scope,
      grants,
      approver,
      emit,
      registry,
      judging: {
        rules: async () => buildRules((await settings.forProject(scope.cwd)).rules),
        home: os.homedir(),
        findLosses: (line, places) => findLosses(line, places, systemLossProbe),
      },
      hooks,
      addRule: (rule) => settings.addRule('allow', rule),
      snapshots: engines.snapshots,
      checkpoints: engines.checkpoints,
      clock: systemClock,
      release: async () => {
        await engines.tasks.closeSession(scope.id)
        engines.snapshots.release(scope.id)
        engines.undo.release(scope.id)
        engines.checkpoints.release(scope.id)
        review.release({ folder: path.dirname(scope.toolResultsFolder) })
      },
    })

  const sessions = new SessionManager({
    store: new FileSessionStore({ home, logger }),
    models: providers,
    createTools,
    externalise,
    clock: systemClock,
    platform: `${os.type()} ${os.release()} (${process.arch})`,
    attended: options.attended,
  })
  disposers.add(() => sessions.dispose())

  return {
    settings,
    trust,
    credentials,
    providers,
    sessions,
    registry,
    sandbox: engines.shells.sandbox,
    supervisor,
    logger,
    review,
    undo: engines.undo,
    openDemo: async () => {
      const folder = await copySample(resources)
      // It is a copy of what the program brings along.
      await trust.setTrusted(folder, true, 'session')
      const session = await sessions.create({
        cwd: folder,
        toolset: 'plumbline',
        mode: 'ask',
        sandbox: settings.values.sandbox.tier,
        model: `scripted:${path.join(resources, 'demo.jsonl')}`,
        attended: true,
      })
      return { session, prompt: DEMO_PROMPT }
    },
    dispose: () => disposers.dispose(),
  }
}

function createEngines(
  home: string,
  settings: Settings,
  disposers: DisposerStack,
  denied: (scope: PathScope) => Promise<readonly DeniedPaths[]>,
): { engines: Engines; supervisor: Supervisor; review: ReviewEngine } {
  const paths = new PathAuthority({ ownFolder: home })
  const searchPool = new WorkerPool({ worker: 'search' })
  const syntaxPool = new WorkerPool({ worker: 'ast', size: 1 })
  const supervisor = new Supervisor()
  const sandbox = new Sandbox({ credentialLocations: async () => paths.credentialLocations() })
  const search = new SearchEngine({ pool: searchPool, paths, denied })
  const git = new GitReader()
  const snapshots = new SnapshotStores()
  const files = new FileReader()
  const temporaries = new TemporaryFiles({ folder: path.join(home, 'temporary') })
  void temporaries.sweep()
  const mutator = new FileMutator({ temporaries })
  const undo = new UndoJournal({ mutator, stores: snapshots })
  const editing = { paths, stores: snapshots, mutator, journal: undo }
  const tasks = new BackgroundTasks({ clock: systemClock })
  disposers.add(() => temporaries.dispose())
  disposers.add(() => snapshots.dispose())
  disposers.add(() => searchPool.dispose())
  disposers.add(() => syntaxPool.dispose())
  disposers.add(() => supervisor.dispose())
  disposers.add(() => tasks.dispose())
  return {
    supervisor,
    review: new ReviewEngine({ mutator, undo, store: new ReviewMarks() }),
    engines: {
      clock: systemClock,
      paths,
      files,
      reader: new TargetReader({ paths, files }),
      search,
      syntax: new SyntaxEngine({ pool: syntaxPool }),
      snapshots,
      edits: new EditEngine({
        ...editing,
        blocks: new BlockResolver(),
        repairs: () => settings.values.capabilities?.tools?.edit?.repairs,
      }),
      stringEdits: new StringEditEngine(editing),
      writes: new WriteEngine(editing),
      notebooks: new NotebookEngine(editing),
      undo,
      checkpoints: new Checkpoints({
        list: (scope, root, max, signal) => projectFiles({ search, paths }, { scope, root, max }, signal),
        git: new SystemCheckpointGit({ reader: git }),
        mutator,
        journal: undo,
        clock: systemClock,
      }),
      git,
      tasks,
      shells: new ShellRunner({ supervisor, sandbox }),
      losses: systemLossProbe,
      home: os.homedir(),
    },
  }
}

/** The events that have a place to run in; the others wait for theirs. */
function toCommandHook(entry: HookEntry): CommandHook[] {
  const { event, matcher, on_failure: onFailure, timeout_ms: timeoutMs, trusted, source } = entry
  const [program, ...args] = entry.command
  if (program === undefined) return []
  if (event !== 'pre_tool' && event !== 'post_tool' && event !== 'post_tool_failure') return []
  const command: [string, ...string[]] = [program, ...args]
  return [
    { event, matcher, if: entry.if, command, timeoutMs, onFailure, trusted: trusted === true && source === 'user' },
  ]
}

async function copySample(resources: string): Promise<string> {
  const folder = path.join(await realpath(await mkdtemp(path.join(os.tmpdir(), 'plumbline-demo-'))), 'harbor')
  await cp(path.join(resources, 'sample'), folder, { recursive: true })
  return folder
}

/**
 * The services as the window's handlers need them. Sessions that the window opens are attended; `bypass` and project
 * configuration follow the trust of their folder.
 */
export async function createDesktopServices(needs: ServicesNeeds): Promise<DesktopServices> {
  const services = await createServices({ ...needs, attended: true, logToStandardError: false })
  const { settings, trust, credentials, providers, sessions, sandbox } = services
  const terminals = new Terminals({
    host: needs.processHost,
    guardian: services.supervisor.guardian,
    hostModule: path.join(needs.appRoot, 'out', 'main', 'hosts', 'pty.js'),
  })
  return {
    sessions,
    providers: {
      list: () => providers.list(),
      discover: () => providers.discover(),
      saveKey: (request) => providers.saveKey(request),
      removeKey: (name) => providers.removeKey(name),
      test: (name) => providers.test(name),
      getDefault: async () => providers.getDefault(),
      setDefault: (model) => providers.setDefault(model),
    },
    settings: {
      read: () => settings.read(),
      update: (patch) => settings.updateVisible(patch),
      onChange: (listener) => settings.onChange(() => listener(settings.visible())),
    },
    trust: {
      isTrusted: (folder) => trust.isTrusted(folder),
      setTrusted: (folder, trusted) => trust.setTrusted(folder, trusted),
    },
    terminals,
    review: services.review,
    undo: services.undo,
    permissions: {
      list: (id) => permissionEntries(services, id),
      remove: (id, entry) => removePermission(services, id, entry),
    },
    describe: async () => ({
      keychain: await credentials.status(),
      sandbox: describeSandbox(await sandbox.availability()),
    }),
    startDemo: () => startDemo(services),
    dispose: async () => {
      await terminals.dispose()
      await services.dispose()
    },
  }
}

async function permissionEntries(services: Services, id: SessionId): Promise<PermissionEntry[]> {
  const session = await services.sessions.open(id)
  const { rules } = await services.settings.forProject(session.state.cwd)
  return [
    ...rules.map(
      (rule): PermissionEntry => ({ kind: rule.kind, text: rule.text, source: rule.source, file: rule.file }),
    ),
    ...session.grants().map((grant): PermissionEntry => ({ kind: 'grant', text: grant.label, source: 'session' })),
  ]
}

async function removePermission(services: Services, id: SessionId, entry: PermissionEntry): Promise<void> {
  if (entry.kind === 'grant') {
    const session = await services.sessions.open(id)
    for (const grant of session.grants()) if (grant.label === entry.text) session.removeGrant(grant.key)
    return
  }
  if (entry.source !== 'user') {
    const where = entry.file ?? entry.source
    throw new PlumblineError(
      'not_supported',
      `This rule stands in ${where}. Take it out there; only your own rules can be removed here.`,
    )
  }
  await services.settings.removeRule(entry.kind, entry.text)
}

async function startDemo(services: Services): Promise<{ path: string; session: SessionId }> {
  const { session, prompt } = await services.openDemo()
  await session.prompt([{ type: 'text', text: prompt }])
  return { path: session.state.cwd, session: session.id }
}

function describeSandbox(found: SandboxAvailability): { available: boolean; label: string } {
  if (found.files) return { available: true, label: 'bubblewrap' }
  return { available: false, label: found.reason ?? 'none on this system' }
}
