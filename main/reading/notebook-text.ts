import { z } from 'zod'
import { PlumblineError } from '../platform/errors'

const Lines = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (Array.isArray(value) ? value.join('') : value))

const Output = z.looseObject({
  output_type: z.string(),
  text: Lines.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
})

const Notebook = z.looseObject({
  cells: z.array(
    z.looseObject({
      cell_type: z.string(),
      id: z.string().optional(),
      source: Lines,
      execution_count: z.number().nullable().optional(),
      outputs: z.array(Output).optional(),
    }),
  ),
})

/** Characters shown of one output; outputs are results, not source. */
const OUTPUT_CHARACTERS = 2000

/**
 * A Jupyter notebook as text, its cells headed `cell:N` from 0, with outputs that are text (READ-20). Throws
 * `invalid_payload` when the text is no notebook.
 */
export function notebookText(json: string, display: string): string {
  const parsed = Notebook.safeParse(parseJson(json))
  if (!parsed.success) {
    throw new PlumblineError(
      'invalid_payload',
      `${display} is not a Jupyter notebook with cells. Read it as text with ${display}:raw.`,
    )
  }
  const blocks = parsed.data.cells.map((cell, index) => {
    const head = [`cell:${index}`, `[${cell.cell_type}]`]
    if (cell.id !== undefined) head.push(`id=${cell.id}`)
    if (typeof cell.execution_count === 'number') head.push(`run=${cell.execution_count}`)
    const outputs = (cell.outputs ?? []).flatMap((output) => describeOutput(output) ?? [])
    return [head.join(' '), cell.source, ...outputs.map((output) => `output:\n${output}`)].join('\n')
  })
  return blocks.join('\n\n')
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function describeOutput(output: z.infer<typeof Output>): string | undefined {
  if (output.output_type === 'error') return `${output.ename ?? 'Error'}: ${output.evalue ?? ''}`
  const plain = Lines.safeParse(output.data?.['text/plain'])
  const text = output.text ?? (plain.success ? plain.data : undefined)
  if (text !== undefined) return shorten(text.replace(/\n$/, ''))
  const kinds = Object.keys(output.data ?? {})
  return kinds.length === 0 ? undefined : `(${kinds.join(', ')})`
}

function shorten(text: string): string {
  if (text.length <= OUTPUT_CHARACTERS) return text
  return `${text.slice(0, OUTPUT_CHARACTERS)}… (${text.length - OUTPUT_CHARACTERS} more characters)`
}
