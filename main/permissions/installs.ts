import { parseShellLine, type SimpleCommand } from './shell-line'
import { wordPattern } from './shell-word'
import { commandName, innerCommands } from './unwrap'

/** What makes mode `auto` ask all the same: in words, or undefined (PERM-06). */
export function installRisk(commandLine: string): string | undefined {
  const line = parseShellLine(commandLine)
  if (!line.sound) return 'a command line that could not be parsed'
  if (fetchesThenRuns(commandLine)) return 'a downloaded program is run at once'
  for (const command of line.commands) {
    for (const each of [command, ...innerCommands(command).map((inner) => inner.command)]) {
      const risk = riskOf(each)
      if (risk !== undefined) return risk
    }
  }
  return undefined
}

function fetchesThenRuns(line: string): boolean {
  return /\b(curl|wget|fetch)\b[^|;&]*\|\s*(sudo\s+)?(env\s+)?\S*\b(ba|z|da|k|a)?sh\b|\b(curl|wget)\b[^|;&]*\|\s*(sudo\s+)?\S*(python|node|perl|ruby)[\d.]*\b|\b(ba|z|da)?sh\b[^;&|]*(<\(|\$\(|`)\s*(curl|wget)\b/.test(
    line,
  )
}

function riskOf(command: SimpleCommand): string | undefined {
  const name = commandName(command.words[0])
  const words = command.words.slice(1).map(wordPattern)
  const has = (expression: RegExp) => words.some((word) => expression.test(word))
  const verb = words.find((word) => !word.startsWith('-')) ?? ''
  const installs = 'a package install that may run scripts'
  switch (name) {
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'bun': {
      const bare = name === 'yarn' && verb === ''
      const adds =
        /^(install|i|in|ins|isntall|add|ci|clean-install|install-test|it|cit|update|up|upgrade|rebuild|link|dlx|create|init|exec)$/.test(
          verb,
        )
      return (adds || bare) && !has(/^--ignore-scripts(=true)?$/) ? installs : undefined
    }
    case 'npx':
    case 'pnpx':
    case 'bunx':
      return installs
    case 'pip':
    case 'pip3':
    case 'pipx':
    case 'uv':
      return words.includes('install') && !has(/^--only-binary(=:all:)?$/)
        ? installs
        : words.includes('sync') && name === 'uv'
          ? installs
          : undefined
    case 'python':
    case 'python3':
      return words[0] === '-m' && words[1] === 'pip' && words.includes('install') ? installs : undefined
    case 'poetry':
    case 'cargo':
    case 'gem':
    case 'bundle':
    case 'composer':
    case 'brew':
    case 'apt':
    case 'apt-get':
    case 'dnf':
    case 'yum':
    case 'apk':
    case 'port':
    case 'snap':
      return /^(install|add|reinstall|require|upgrade|dist-upgrade|full-upgrade)$/.test(verb) ? installs : undefined
    case 'pacman':
      return has(/^-S[a-z]*$/) ? installs : undefined
    case 'go':
      return verb === 'install' || (verb === 'run' && has(/@/)) ? installs : undefined
    case 'make':
      return verb === 'install' ? installs : undefined
    case 'shutdown':
    case 'reboot':
    case 'halt':
    case 'poweroff':
      return 'the machine is switched off'
    default:
      return command.redirects.some(({ target }) => /^\/etc\/(passwd|shadow|sudoers)/.test(target.raw))
        ? 'the accounts of this machine are changed'
        : undefined
  }
}
