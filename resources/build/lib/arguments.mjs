import path from 'node:path'

/** Options of the app that take a value; the word after one of them is not the project folder. */
const WITH_VALUE = new Set(['--model', '--toolset', '--mode', '--prompt', '-p', '--settings', '--sandbox', '--add-dir'])

/**
 * Takes the arguments of `npm start` apart. A relative folder is meant from where npm was called, not from the project root, which
 * npm makes the current folder.
 * @param {string[]} argv
 * @param {string} calledFrom
 */
export function parseStartArguments(argv, calledFrom) {
  /** @type {string[]} */
  const options = []
  /** @type {string | undefined} */
  let folder
  let prompt = false
  for (let index = 0; index < argv.length; index++) {
    const word = /** @type {string} */ (argv[index])
    const name = word.split('=', 1)[0] ?? word
    if (name === '--prompt' || name === '-p') prompt = true
    if (WITH_VALUE.has(word)) {
      const value = argv[++index]
      options.push(word, ...(value === undefined ? [] : [value]))
    } else if (word.startsWith('-') || folder !== undefined) options.push(word)
    else folder = path.resolve(calledFrom, word)
  }
  return { folder, options, prompt }
}

/**
 * The arguments of the window: the folder first, as the app expects it.
 * @param {ReturnType<typeof parseStartArguments>} parsed
 */
export function windowArguments({ folder, options }) {
  return [...(folder === undefined ? [] : [folder]), ...options]
}

/**
 * The arguments of the terminal program, for where no window can be shown: the prompt is worked, or else the demo is given.
 * @param {ReturnType<typeof parseStartArguments>} parsed
 */
export function terminalArguments({ folder, options, prompt }) {
  return prompt ? ['run', ...(folder === undefined ? [] : ['--cwd', folder]), ...options] : ['demo']
}
