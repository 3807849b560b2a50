import { describe, expect, it } from 'vitest'
import { LineMatcher, requiredLiteral } from '../../../main/search/line-matcher'
import { compileForgiving, compilePattern } from '../../../main/search/regex-dialect'

const hits = (pattern: string, text: string, ignoreCase = false) =>
  [...new LineMatcher([compilePattern(pattern, ignoreCase)]).lines(text, () => false)].map((hit) => hit.line)

describe('regular expression dialect', () => {
  it.each([
    ['(?i)foo', 'FOO', true],
    ['foo', 'FOO', false],
    ['(?i:f)oo', 'Foo', true],
    ['(?i:f)oo', 'FOO', false],
    ['a(?i)b', 'aB', true],
    ['a(?i)b', 'AB', false],
    ['(?i)a(?-i:b)', 'Ab', true],
    ['(?i:[a-c]x)', 'BX', true],
    ['(?x) a b # c\n c', 'abc', true],
    ['(?x)a\\ b', 'a b', true],
    ['(?im)^foo$', 'FOO', true],
    ['(?s)a.b', 'a b', true],
    ['(?P<n>a)\\k<n>', 'aa', true],
    ['\\Afoo\\z', 'foo', true],
    ['\\p{Lu}x', 'Äx', true],
    ['[[:x]', ':', true],
  ])('%s on %j is %s', (pattern, line, expected) => {
    expect(hits(pattern, line).length > 0).toBe(expected)
  })

  it('SEARCH-04 mends brackets before it gives up', () => {
    const kinds = ['foo(', 'foo)', 'a[b', 'if (x) {', '*x', 'a{2,1}', 'ok.*'].map(
      (pattern) => compileForgiving(pattern, false).kind,
    )
    expect(kinds).toEqual(['repaired', 'repaired', 'repaired', 'regex', 'literal', 'literal', 'regex'])
  })
})

describe('LineMatcher', () => {
  it.each([
    ['a\\s+b', 'a\nb\na b\n', [3]],
    ['a[^x]b', 'a\nb\naYb\n', [3]],
    ['a\\Wb', 'a\nb\na-b\n', [3]],
    ['foo(?!\\s)', 'foo\nfoo bar\n', [1]],
    ['^$', 'a\n\nb\n', [2]],
    ['$', 'a\r\nb', [1, 2]],
    ['a$', 'a\r\nxa\r\nab\r\n', [1, 2]],
    ['b', 'a\nb', [2]],
    ['\\n', 'a\nb\n', []],
    ['a|b', 'x\nb\na\n', [2, 3]],
    ['', '', []],
  ] as const)('%s in %j matches lines %j', (pattern, text, expected) => {
    if (pattern === '') expect(() => compilePattern(pattern, false)).toThrow('empty')
    else expect(hits(pattern, text)).toEqual(expected)
  })

  it('finds with one expression over the text what line by line finds', () => {
    const patterns = [
      'a',
      'ab+',
      '\\bfoo\\b',
      '[^a]b',
      'a.*b',
      '\\s',
      '\\S+\\s\\S+',
      '^\\w',
      '\\W$',
      'x?',
      '(a|b)c',
      'a{2}',
      'b\\D',
    ]
    let state = 7
    const draw = (limit: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return Math.floor((state / 2 ** 32) * limit)
    }
    for (let round = 0; round < 300; round += 1) {
      const text = Array.from({ length: draw(60) }, () => 'aabbcfo x1\n\n\r-'.charAt(draw(14))).join('')
      for (const pattern of patterns) {
        const lines = text.split('\n')
        if (text.endsWith('\n') || text === '') lines.pop()
        const expression = new RegExp(pattern)
        const expected = lines.flatMap((line, index) => {
          const isLast = index === lines.length - 1 && !text.endsWith('\n')
          return expression.test(isLast ? line : line.replace(/\r$/, '')) ? [index + 1] : []
        })
        const found = hits(pattern, text).filter((line) => !(text.endsWith('\r') && line === lines.length))
        expect(found, JSON.stringify([pattern, text])).toEqual(
          expected.filter((line) => !(text.endsWith('\r') && line === lines.length)),
        )
      }
    }
  })

  it.each([
    ['hello', 'hello'],
    ['fn\\s+run_it', 'run_it'],
    ['ab?cd', 'cd'],
    ['(abc)?defg', 'defg'],
    ['a|b', undefined],
    ['[abc]+', undefined],
    ['foo\\.bar', 'foo.bar'],
    ['abc{2}d', 'ab'],
    ['a\\x41bc', undefined],
  ])('every match of %s contains %s', (pattern, literal) => {
    expect(requiredLiteral(compilePattern(pattern, false))).toBe(literal)
  })
})

describe('searching bytes', () => {
  const safe = (pattern: string) => new LineMatcher([compilePattern(pattern, false)]).searchesBytes

  it.each(['foo', '[A-Z]{4,}_\\d+', 'a|b', '^x$', '\\bfoo\\b'])('%s can take bytes for characters', (pattern) => {
    expect(safe(pattern)).toBe(true)
  })

  it.each(['a.b', '[^a]', 'é', '[é]', '\\s', '\\W', '\\p{L}', '\\u00e9', '(?=x)y'])(
    '%s needs the characters themselves',
    (pattern) => {
      expect(safe(pattern)).toBe(false)
    },
  )

  it('knows which expressions can run away', () => {
    const predictable = (pattern: string) => new LineMatcher([compilePattern(pattern, false)]).isPredictable
    expect(['foo', 'a\\*b', '[ab]c?', '(a|b)c'].map(predictable)).toEqual([true, true, true, true])
    expect(['(a+)+$', 'a*', 'a{2}'].map(predictable)).toEqual([false, false, false])
  })
})
