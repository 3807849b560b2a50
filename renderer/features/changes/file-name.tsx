import type { ChangedFile } from '../../../preload/contract/effects'
import './file-name.css'

const letters: Readonly<Record<ChangedFile['kind'], string>> = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
}

/** What happened to a file, as a letter with its word for screen readers and as a tooltip. */
export function FileKind({ kind }: { readonly kind: ChangedFile['kind'] }) {
  const letter = letters[kind]
  return (
    <span className={`fk ${letter.toLowerCase()}`} title={kind}>
      <span aria-hidden="true">{letter}</span>
      <span className="sr">{kind}</span>
    </span>
  )
}

/** The folder part of a path, with its last `/`, and the name. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const at = path.lastIndexOf('/') + 1
  return { folder: path.slice(0, at), name: path.slice(at) }
}

/** A file's path with its folder quieter than its name; where there is no room it is shortened from the left. */
export function FilePath({ path, from }: { readonly path: string; readonly from?: string | undefined }) {
  const { folder, name } = splitPath(path)
  return (
    <span className="file-path mono" title={from === undefined ? path : `${from} → ${path}`}>
      {folder !== '' && (
        <span className="cut cut-start dir">
          <bdi>{folder}</bdi>
        </span>
      )}
      <span className="nm cut">{name}</span>
    </span>
  )
}
