/**
 * The direction of the layers, lowest first. A folder imports only from lines above its own, type-only imports
 * included; folders on one line know nothing of each other.
 */
const layers = [
  ['preload/contract'],
  ['main/platform'],
  ['main/settings', 'main/credentials'],
  ['main/workspace'],
  ['main/syntax'],
  ['main/editing'],
  ['main/web'],
  ['main/reading'],
  ['main/search'],
  ['main/execution'],
  ['main/intelligence'],
  ['main/permissions'],
  ['main/providers'],
  ['main/sessions'],
  ['main/toolsets'],
  ['main/agent'],
  ['main/ipc', 'main/terminal'],
  ['main/app'],
  ['main/services.ts'],
  ['main/index.ts', 'main/cli.ts'],
]

/** @param {string} name */
const literal = (name) => name.replaceAll('.', '\\.')
/** @param {string} name */
const folderPattern = (name) => (name.endsWith('.ts') ? `^${literal(name)}$` : `^${literal(name)}/`)

const layerRules = layers.flatMap((line, index) =>
  line.map((folder) => ({
    name: `layers: ${folder} imports only from below`,
    severity: 'error',
    from: { path: folderPattern(folder) },
    to: {
      path: '^(main|preload|renderer)/',
      pathNot: [folderPattern(folder), ...layers.slice(0, index).flat().map(folderPattern)],
    },
  })),
)

const mainFolders = layers.flat().map(folderPattern)

module.exports = {
  forbidden: [
    ...layerRules,
    {
      name: 'every file of the main process has a layer',
      severity: 'error',
      from: { path: '^main/', pathNot: mainFolders },
      to: {},
    },
    {
      name: 'nothing imports a file of the main process that has no layer',
      severity: 'error',
      from: {},
      to: { path: '^main/', pathNot: mainFolders },
    },
    {
      name: 'the window knows itself and the contract',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^(main|preload|resources|test)/', pathNot: '^preload/contract/' },
    },
    {
      name: 'the window has no Node and no Electron',
      severity: 'error',
      from: { path: '^(renderer|preload/contract)/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'electron stays in four places',
      severity: 'error',
      from: { path: '^(main|preload|renderer)/', pathNot: '^(main/(ipc|app)/|main/index\\.ts$|preload/index\\.ts$)' },
      to: { path: '(^|/)electron(/|$)' },
    },
    {
      name: 'the preload knows the contract alone',
      severity: 'error',
      from: { path: '^preload/index\\.ts$' },
      to: { path: '^(main|renderer)/|(^|/)zod/' },
    },
    {
      name: 'the contract imports zod only',
      severity: 'error',
      from: { path: '^preload/contract/' },
      to: { pathNot: '^preload/contract/|(^|/)zod(/|$)' },
    },
    {
      name: 'the agent touches no disk and starts nothing',
      severity: 'error',
      from: { path: '^main/agent/' },
      to: { path: '^(node:)?(fs|fs/promises|child_process|worker_threads|net|http|https|os)$' },
    },
    {
      name: 'no cycle',
      severity: 'error',
      from: { path: '^(main|preload|renderer)/' },
      to: { circular: true },
    },
    {
      name: 'every import is found',
      severity: 'error',
      from: { path: '^(main|preload|renderer)/' },
      to: { couldNotResolve: true, pathNot: '\\?(worker|url|raw|inline|worker&inline)$' },
    },
  ],
  options: {
    // TypeScript 7 has no compiler API; swc reads the imports, those of types too.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: '(^|/)node_modules/' },
    exclude: { path: '\\.css$|(^|/)\\.cache/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
}
