import { Sandbox } from '../../main/execution/sandbox'
import { ShellRunner } from '../../main/execution/shell-runner'
import { Supervisor } from '../../main/execution/supervisor'

/** A program that starts a stubborn tree and waits to be killed. Arguments: folder, `namespace` or `guardian`, mark. */
const [folder = '/', way, mark = ''] = process.argv.slice(2)
const supervisor = new Supervisor()
const sandbox = new Sandbox({
  credentialLocations: async () => [],
  ...(way === 'guardian' && { programFolders: [] }),
})
const shells = new ShellRunner({ supervisor, sandbox })
const command = [
  "trap '' TERM HUP",
  'sleep 300 &',
  'setsid sh -c \'trap "" TERM; sleep 300 & sleep 300\' &',
  '(setsid sleep 300 &) &',
  "nohup sh -c 'while :; do sleep 0.1; done' > /dev/null 2>&1 &",
  'echo started',
  'while :; do sleep 0.1; done',
].join('\n')
const { process: running } = await shells.start({
  command,
  cwd: folder,
  env: { SURVIVOR_TEST: mark },
  timeoutMs: null,
  tier: 'off',
  roots: [folder],
  temporaryFolder: folder,
  onProgress: (text) => process.stdout.write(text),
})

process.on('SIGTERM', () => void supervisor.dispose().then(() => process.exit(0)))
process.on('uncaughtException', () => process.exit(70))
process.on('SIGUSR2', () => {
  throw new Error('a crash')
})
await running.finished
