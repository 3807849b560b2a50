import type { PermissionMode, ToolsetName } from '../../preload/contract/ids'
import { PlumblineError } from '../platform/errors'
import type { RegisteredTool } from './define'

/** Characters of an unknown tool's name that its refusal gives back. */
const NAME_CHARACTERS = 100

/** A toolset: thin tools over shared engines, and which of them plan mode offers. */
export interface Toolset {
  tools: readonly RegisteredTool[]
  planTools: ReadonlySet<string>
}

/** The tools of all toolsets, by name. What does not exist is not offered. */
export class ToolRegistry {
  readonly #toolsets: Record<ToolsetName, { toolset: Toolset; byName: ReadonlyMap<string, RegisteredTool> }>

  constructor(toolsets: Record<ToolsetName, Toolset>) {
    this.#toolsets = {
      plumbline: index('plumbline', toolsets.plumbline),
      magi: index('magi', toolsets.magi),
      atomic: index('atomic', toolsets.atomic),
      o4: index('o4', toolsets.o4),
    }
  }

  /** What the model is shown: in plan mode only that mode's list (PLAN-03). */
  list(name: ToolsetName, mode: PermissionMode): readonly RegisteredTool[] {
    const { toolset } = this.#toolsets[name]
    return mode === 'plan' ? toolset.tools.filter((tool) => toolset.planTools.has(tool.name)) : toolset.tools
  }

  /** The tool that a call by this name or alias means, or why it can't be called now. */
  find(name: ToolsetName, mode: PermissionMode, tool: string): { tool: RegisteredTool } | { refusal: string } {
    const { toolset, byName } = this.#toolsets[name]
    const found = byName.get(tool)
    if (found === undefined) {
      return {
        refusal: `There is no tool "${tool.slice(0, NAME_CHARACTERS)}" in this toolset. Available: ${this.#names(name, mode)}.`,
      }
    }
    if (mode === 'plan' && !toolset.planTools.has(found.name)) {
      return { refusal: `Tool "${tool}" is not available in plan mode.` }
    }
    return { tool: found }
  }

  #names(name: ToolsetName, mode: PermissionMode): string {
    return this.list(name, mode)
      .map((tool) => tool.name)
      .join(', ')
  }
}

function index(name: ToolsetName, toolset: Toolset): { toolset: Toolset; byName: Map<string, RegisteredTool> } {
  const byName = new Map<string, RegisteredTool>()
  for (const tool of toolset.tools) {
    for (const spelling of [tool.name, ...tool.aliases]) {
      if (byName.has(spelling))
        throw new PlumblineError('internal', `The toolset ${name} has two tools named ${spelling}`)
      byName.set(spelling, tool)
    }
  }
  return { toolset, byName }
}
