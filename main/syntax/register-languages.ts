import bash from '@ast-grep/lang-bash'
import c from '@ast-grep/lang-c'
import cpp from '@ast-grep/lang-cpp'
import go from '@ast-grep/lang-go'
import java from '@ast-grep/lang-java'
import json from '@ast-grep/lang-json'
import kotlin from '@ast-grep/lang-kotlin'
import python from '@ast-grep/lang-python'
import ruby from '@ast-grep/lang-ruby'
import rust from '@ast-grep/lang-rust'
import swift from '@ast-grep/lang-swift'
import { registerDynamicLanguage } from '@ast-grep/napi'

const PACKAGES = { bash, c, cpp, go, java, json, kotlin, python, ruby, rust, swift }

let registered: ReadonlySet<string> | undefined

/**
 * Makes the grammars that are not built into the parser known under their names, and returns those that load here.
 * The parser takes one registration a process, threads included, and silently ignores a second one: every user goes
 * through this function, with this list.
 */
export function registerLanguages(): ReadonlySet<string> {
  if (registered !== undefined) return registered
  const usable = Object.entries(PACKAGES).filter(([, language]) => loads(language))
  registerDynamicLanguage(Object.fromEntries(usable))
  registered = new Set(usable.map(([name]) => name))
  return registered
}

/** The path is looked up when it is read, and there may be no file for this machine. */
function loads(language: { readonly libraryPath: string }): boolean {
  try {
    return language.libraryPath !== ''
  } catch {
    return false
  }
}
