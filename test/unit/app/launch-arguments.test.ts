import { describe, expect, it } from 'vitest'
import { parseLaunchArguments, personArguments } from '../../../main/app/launch-arguments'

describe('parseLaunchArguments', () => {
  const parse = (...args: string[]) => parseLaunchArguments(args, '/home/ada')

  it('takes nothing', () => {
    expect(parse()).toEqual({})
  })

  it('takes all of it, in any order', () => {
    expect(parse('--model', 'openai:gpt-5', 'project', '--toolset=o4', '--mode', 'plan', '--prompt', 'fix it')).toEqual(
      {
        project: '/home/ada/project',
        model: 'openai:gpt-5',
        toolset: 'o4',
        mode: 'plan',
        prompt: 'fix it',
      },
    )
  })

  it('takes -p for --prompt', () => {
    expect(parse('-p', 'go')).toEqual({ prompt: 'go' })
  })

  it.each([
    [['--yolo'], /--yolo/],
    [['--model', 'gpt'], /--model gpt is not known/],
    [['--toolset', 'best'], /plumbline, magi, atomic, o4/],
    [['--mode', 'free'], /--mode free is not known/],
    [['a', 'b'], /One folder/],
    [['--prompt'], /--prompt/],
  ])('refuses %j and shows the usage', (args, message) => {
    expect(() => parse(...args)).toThrow(message)
    expect(() => parse(...args)).toThrow(/Usage: npm start/)
    expect(() => parse(...args)).toThrow(expect.objectContaining({ code: 'invalid_arguments' }))
  })
})

describe('personArguments', () => {
  it('drops the executable, the own path and what the runtime adds', () => {
    const argv = [
      '/electron',
      '--no-sandbox',
      '--inspect=0',
      '--remote-debugging-port=0',
      '/app',
      '/project',
      '--mode',
      'ask',
    ]
    expect(personArguments(argv, '/app')).toEqual(['/project', '--mode', 'ask'])
  })

  it('keeps unknown options, so that they are refused aloud', () => {
    expect(personArguments(['/electron', '/app', '--yolo'], '/app')).toEqual(['--yolo'])
  })

  it('opens the own folder when it is named a second time', () => {
    expect(personArguments(['/electron', '/app', '--', '/app'], '/app')).toEqual(['/app'])
    expect(personArguments(['/electron', '/app', '/app'], '/app')).toEqual(['/app'])
  })
})
