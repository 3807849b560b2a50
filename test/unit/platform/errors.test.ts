import { describe, expect, it } from 'vitest'
import { toFailure } from '../../../main/platform/errors'

function systemError(code: string, path?: string): Error {
  return Object.assign(new Error(`${code}: raw words, open`), { code, ...(path !== undefined && { path }) })
}

describe('toFailure', () => {
  it('says in words what the system refused, and names the file', () => {
    expect(toFailure(systemError('EACCES', '/a/b'))).toEqual({
      code: 'access_denied',
      message: 'Access to /a/b is denied.',
    })
    expect(toFailure(systemError('ENOENT', '/a/b'))).toEqual({ code: 'not_found', message: '/a/b does not exist.' })
    expect(toFailure(systemError('ENOSPC'))).toEqual({ code: 'io', message: 'There is no space left on the disk.' })
    expect(toFailure(systemError('EROFS', '/a'))).toEqual({
      code: 'io',
      message: '/a is on a read-only file system.',
    })
  })

  it('keeps the words of the system where there are no better ones', () => {
    expect(toFailure(systemError('EXDEV')).message).toBe('EXDEV: raw words, open')
    expect(toFailure(systemError('ENOENT')).message).toBe('ENOENT: raw words, open')
  })
})
