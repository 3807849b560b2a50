import type { ChangedFile } from '../../../preload/contract/effects'
import { FileKind, FilePath } from '../changes/file-name'
import { LineCounts } from '../transcript/evidence'

/** Which file a part of a change belongs to. */
export function FileHeading({ file }: { readonly file: ChangedFile }) {
  return (
    <div className="file-heading">
      <FileKind kind={file.kind} />
      <FilePath path={file.path} from={file.from} />
      <LineCounts added={file.added} removed={file.removed} />
    </div>
  )
}
