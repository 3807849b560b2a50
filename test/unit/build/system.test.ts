import { describe, expect, it } from 'vitest'
import {
  choosePackage,
  distributionFamily,
  hasDisplay,
  installedPackages,
  missingPackages,
  nodeIsNewEnough,
  offeredPackages,
} from '../../../resources/build/lib/system.mjs'

describe('the version of Node', () => {
  it.each([
    ['v20.19.0', true],
    ['v20.18.3', false],
    ['v20.20.2', true],
    ['v22.1.0', true],
    ['v18.20.8', false],
  ])('%s is new enough: %s', (version, expected) => {
    expect(nodeIsNewEnough(version)).toBe(expected)
  })
})

describe('the distribution', () => {
  it.each([
    ['ID=debian\nVERSION_ID="12"', 'debian'],
    ['NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian', 'debian'],
    ['ID=linuxmint\nID_LIKE="ubuntu debian"', 'debian'],
    ['ID=fedora\nID_LIKE="rhel"', 'other'],
    ['', 'other'],
  ])('%j is %s', (text, family) => {
    expect(distributionFamily(text)).toBe(family)
  })
})

describe('packages', () => {
  const policy = `libgtk-3-0t64:
  Installed: (none)
  Candidate: 3.24.41-4ubuntu1
  Version table:
libasound2:
  Installed: (none)
  Candidate: (none)
xvfb:
  Installed: 2:21.1
  Candidate: 2:21.1
`

  it('are offered when they have a candidate', () => {
    expect([...offeredPackages(policy)]).toEqual(['libgtk-3-0t64', 'xvfb'])
  })

  it('are chosen by the name that this release has', () => {
    const names = ['libgtk-3-0t64', 'libgtk-3-0']
    expect(choosePackage(names, offeredPackages(policy))).toBe('libgtk-3-0t64')
    expect(choosePackage(names, new Set(['libgtk-3-0']))).toBe('libgtk-3-0')
    expect(choosePackage(names, new Set())).toBe('libgtk-3-0')
  })

  it('are missing only when no name of theirs is installed', () => {
    const listing = 'installed libgtk-3-0t64\nnot-installed xvfb\nconfig-files libnss3\ninstalled libgbm1\n'
    const installed = installedPackages(listing)
    const missing = missingPackages(['window', 'display'], installed).map((names) => names.at(-1))
    expect(missing).toEqual(['libnss3', 'libasound2', 'libxss1', 'libxtst6', 'xvfb', 'xauth'])
  })
})

it('knows where a window can be shown', () => {
  expect(hasDisplay('linux', {})).toBe(false)
  expect(hasDisplay('linux', { DISPLAY: ':0' })).toBe(true)
  expect(hasDisplay('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toBe(true)
  expect(hasDisplay('darwin', {})).toBe(true)
})
