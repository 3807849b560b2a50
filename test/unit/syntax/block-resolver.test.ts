import { describe, expect, it } from 'vitest'
import { BlockResolver } from '../../../main/syntax/block-resolver'

const resolver = new BlockResolver()

async function block(path: string, source: string, line: number): Promise<string | undefined> {
  const tree = await resolver.open(path, source)
  const span = tree.resolve(line)
  return span && `${span.start}-${span.end}`
}

describe('block resolution', () => {
  const cases: [string, string, string, number, string | undefined][] = [
    ['exported function', 'a.ts', 'export function f() {\n  return 1\n}\nf()\n', 1, '1-3'],
    ['arrow constant', 'a.ts', 'const f = () => {\n  return 1\n}\n', 1, '1-3'],
    [
      'first statement of a body, not the body',
      'a.ts',
      'function f() {\n  if (a) {\n    b()\n  }\n  c()\n}\n',
      2,
      '2-4',
    ],
    ['closer', 'a.ts', 'function f() {\n  b()\n}\n', 3, undefined],
    ['blank', 'a.ts', 'f()\n\ng()\n', 2, undefined],
    ['class with decorators', 'a.ts', '@one\n@two()\nclass A {\n  b = 1\n}\n', 1, '1-5'],
    ['member with a decorator', 'a.ts', 'class A {\n  @one\n  b() {\n    c()\n  }\n  d() {}\n}\n', 2, '2-5'],
    ['JSX', 'a.tsx', 'const a = (\n  <p>\n    <b>x</b>\n  </p>\n)\n', 2, '2-4'],
    ['call that ends with its arguments', 'a.js', 'run(\n  function () {\n    a()\n  }, 100)\n', 2, undefined],
    ['decorated def', 'a.py', '@dec\ndef f():\n    return 1\n\nx = 1\n', 1, '1-3'],
    ['def below a decorator', 'a.py', '@dec\ndef f():\n    return 1\n', 2, '2-3'],
    ['first if of a suite', 'a.py', 'def f():\n    if a:\n        b()\n    c()\n    d()\n', 2, '2-3'],
    ['method with annotation', 'A.java', 'class A {\n  @Override\n  public void f() {\n    g();\n  }\n}\n', 2, '2-5'],
    ['signature below an annotation', 'A.java', 'class A {\n  @Override\n  void f() {\n    g();\n  }\n}\n', 3, '3-5'],
    ['Rust attribute', 'a.rs', '#[test]\nfn f() {\n    g();\n}\n', 1, '1-1'],
    ['Rust function', 'a.rs', '#[test]\nfn f() {\n    g();\n}\n', 2, '2-4'],
    ['Go function', 'a.go', 'package a\n\nfunc f() {\n\tif a {\n\t\tb()\n\t}\n\tc()\n}\n', 3, '3-8'],
    ['first statement in Go', 'a.go', 'package a\n\nfunc f() {\n\tif a {\n\t\tb()\n\t}\n\tc()\n}\n', 4, '4-6'],
    ['Kotlin', 'a.kt', 'fun f() {\n    if (a) {\n        b()\n    }\n    c()\n}\n', 2, '2-4'],
    ['C', 'a.c', 'int f(void) {\n  if (a) {\n    b();\n  }\n  c();\n}\n', 2, '2-4'],
    ['C++', 'a.cpp', 'class A {\n public:\n  void f() {\n    g();\n  }\n};\n', 1, '1-6'],
    ['Ruby', 'a.rb', 'def f\n  if a\n    b\n  end\n  c\nend\n', 2, '2-4'],
    ['JSON', 'a.json', '{\n  "a": {\n    "b": 1\n  },\n  "c": 2\n}\n', 2, '2-4'],
    ['CSS', 'a.css', '.a {\n  color: red;\n}\n.b {\n}\n', 1, '1-3'],
    ['shell', 'a.sh', 'f() {\n  if a; then\n    b\n  fi\n  c\n}\n', 2, '2-4'],
    ['broken inside', 'a.ts', 'function f() {\n  if (\n}\n', 1, undefined],
    ['broken elsewhere', 'a.ts', 'function f() {\n  a()\n}\nlet = =\n', 1, '1-3'],
    ['no grammar, braces', 'a.unknown', 'thing {\n  a\n}\nb\n', 1, '1-3'],
    ['no grammar, colon', 'a.yaml', 'a:\n  b: 1\n  c: 2\nd: 3\n', 1, '1-3'],
    ['no grammar, no opener', 'a.unknown', 'thing\n  a\n', 1, undefined],
    ['past the end', 'a.ts', 'f()\n', 9, undefined],
  ]
  it.each(cases)('EDIT-19 %s', async (_name, path, source, line, expected) => {
    expect(await block(path, source, line)).toBe(expected)
  })

  it('counts what a grammar can not place', async () => {
    expect((await resolver.open('a.ts', 'f()\n')).faults).toBe(0)
    expect((await resolver.open('a.ts', 'class A {\n  f() {\n')).faults).toBeGreaterThan(0)
    expect((await resolver.open('a.txt', 'f(')).faults).toBeUndefined()
  })
})
