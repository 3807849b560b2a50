import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseStartArguments, terminalArguments, windowArguments } from '../../../resources/build/lib/arguments.mjs'
import { leadingArguments } from '../../../resources/build/lib/electron-runtime.mjs'
import { addCounts, closingLine, countReport } from '../../../resources/build/lib/results.mjs'
import { describeFailure, runSteps, StepError } from '../../../resources/build/lib/steps.mjs'
import { markdownTable } from '../../../resources/build/lib/tables.mjs'

const from = path.resolve('/somewhere')

describe('the arguments of npm start', () => {
  it('take a folder as meant from where npm was called', () => {
    const parsed = parseStartArguments(['--mode', 'plan', 'project', '--prompt', 'mend it'], from)
    expect(windowArguments(parsed)).toEqual([path.join(from, 'project'), '--mode', 'plan', '--prompt', 'mend it'])
  })

  it('do not take the value of an option for the folder', () => {
    expect(parseStartArguments(['--model', 'scripted:x.jsonl'], from).folder).toBeUndefined()
    expect(parseStartArguments(['--model=scripted:x.jsonl', 'here'], from).folder).toBe(path.join(from, 'here'))
  })

  it('become those of the terminal program where no window can open', () => {
    expect(terminalArguments(parseStartArguments([], from))).toEqual(['demo'])
    expect(terminalArguments(parseStartArguments(['p', '--prompt', 'x', '--mode', 'ask'], from))).toEqual([
      'run',
      '--cwd',
      path.join(from, 'p'),
      '--prompt',
      'x',
      '--mode',
      'ask',
    ])
  })
})

it('gives the official runtime the project, and root no sandbox', () => {
  expect(leadingArguments('official', { uid: 1000, root: '/p' })).toEqual(['/p'])
  expect(leadingArguments('official', { uid: 0, root: '/p' })).toEqual(['--no-sandbox', '/p'])
  expect(leadingArguments('registry', { uid: 1000, root: '/p' })).toEqual([])
  expect(leadingArguments('registry', { uid: 0, root: '/p' })).toEqual(['--no-sandbox'])
})

describe('the closing line', () => {
  it('sums reports', () => {
    const unit = countReport({ numPassedTests: 10, numFailedTests: 1, numPendingTests: 2, success: false })
    const e2e = countReport({ numPassedTests: 3, success: true })
    expect(closingLine(addCounts([unit, e2e]))).toBe('13 passed, 1 failed, 2 skipped')
    expect(closingLine(addCounts([e2e]))).toBe('3 passed, 0 failed')
  })

  it('counts a file that could not be loaded, and an error outside of every test', () => {
    const broken = { numPassedTests: 1, success: false, testResults: [{ status: 'failed', assertionResults: [] }] }
    expect(countReport(broken).failed).toBe(1)
    expect(countReport({ numPassedTests: 1, success: false }).failed).toBe(1)
  })
})

describe('steps', () => {
  it('stop at the first failure and tell which it was, why, and what to do', async () => {
    const lines: string[] = []
    const after = { name: 'After', run: () => 'never' }
    const broken = {
      name: 'Packages',
      run: () => {
        throw new StepError('no network', 'connect', 'E1\nE2\n')
      },
    }
    const failure = await runSteps([{ name: 'Node', run: () => 'v20' }, broken, after], (line) =>
      lines.push(line),
    ).then(
      () => undefined,
      (error: StepError) => error,
    )
    expect(lines).toEqual(['  Node      v20'])
    expect(failure && describeFailure(failure)).toBe(
      'Packages failed: no network\n    | E1\n    | E2\nWhat to do: connect',
    )
  })
})

it('writes tables that Markdown understands', () => {
  expect(
    markdownTable([
      { what: 'a|b', ms: 1 },
      { what: 'c', note: 'x' },
    ]),
  ).toBe(
    ['| what | ms  | note |', '| ---- | --- | ---- |', '| a\\|b | 1   |      |', '| c    |     | x    |'].join('\n'),
  )
})
