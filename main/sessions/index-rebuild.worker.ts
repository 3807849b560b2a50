import { parentPort } from 'node:worker_threads'
import { z } from 'zod'
import { SessionId } from '../../preload/contract/ids'
import { toFailure } from '../platform/errors'
import { rebuildSidecar } from './index-rebuild'
import { sessionPaths } from './session-paths'

/** Makes one sidecar and answers once. */
const Request = z.object({ project: z.string(), id: SessionId, end: z.number().int().nonnegative() })

parentPort?.once('message', (message: unknown) => {
  const request = Request.parse(message)
  rebuildSidecar(sessionPaths(request.project, request.id), request.end).then(
    (result) => parentPort?.postMessage({ result }),
    (failure: unknown) => parentPort?.postMessage({ failure: toFailure(failure) }),
  )
})
