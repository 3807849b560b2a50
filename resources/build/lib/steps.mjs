/** A step that failed for a reason that we understand: what happened and what to do about it. */
export class StepError extends Error {
  /**
   * @param {string} why
   * @param {string} [remedy]
   * @param {string} [output] the last lines of what the failed command printed
   */
  constructor(why, remedy, output) {
    super(why)
    this.name = 'StepError'
    this.remedy = remedy
    this.output = output
  }
}

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {() => Promise<string> | string} run does what is missing and tells in one line what it did or found
 */

/**
 * Runs the steps in order; the first failure stops. Prints to standard error when standard output carries a result.
 * @param {Step[]} steps
 * @param {(line: string) => void} print
 */
export async function runSteps(steps, print) {
  const width = Math.max(...steps.map((step) => step.name.length))
  for (const step of steps) {
    const started = performance.now()
    try {
      const outcome = await step.run()
      const seconds = (performance.now() - started) / 1000
      print(`  ${step.name.padEnd(width)}  ${outcome}${seconds >= 1 ? ` (${seconds.toFixed(1)} s)` : ''}`)
    } catch (error) {
      throw Object.assign(asStepError(error), { step: step.name })
    }
  }
}

/**
 * @param {unknown} error
 * @returns {StepError & { step?: string }}
 */
export function asStepError(error) {
  if (error instanceof StepError) return error
  return new StepError(error instanceof Error ? error.message : String(error))
}

/**
 * The text that a person reads when a step failed.
 * @param {StepError & { step?: string }} error
 */
export function describeFailure(error) {
  return [
    `${error.step ? `${error.step} failed` : 'Failed'}: ${error.message}`,
    ...(error.output ? [error.output.trimEnd().replace(/^/gm, '    | ')] : []),
    ...(error.remedy ? [`What to do: ${error.remedy}`] : []),
  ].join('\n')
}
