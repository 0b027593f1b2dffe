// @vitest-environment happy-dom
// The functions that docs/client.md gives to client authors behave like this client's.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { applyPatch } from './patch'
import { settings } from './settings.svelte'
import { gameText, setCatalogue } from './i18n.svelte'

const page = readFileSync('../docs/client.md', 'utf8')
const code = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map((block) => block[1]!)

function named<F>(name: string): F {
  const block = code.find((text) => text.includes(`function ${name}(`))
  return new Function(`${block}; return ${name}`)() as F
}

test('patched', () => {
  const theirs = named<typeof applyPatch>('patched')
  const old = { a: [1, 2], b: { c: 2, d: { e: 3 } }, f: 4, own: [{ hand: [1] }, { hand: [] as number[] }] }
  for (const patch of [{}, { a: { 1: [7] }, f: 0 }, { b: { d: { e: 0 } }, g: [[]] }, { own: { 1: { hand: [[2]] } } }])
    expect(theirs(old, patch)).toStrictEqual(applyPatch(old, patch))
})

test('say', () => {
  const texts = {
    a: '{who:seat} gains {n, plural, =0 {nothing} one {# point} other {# points}}',
    b: '{what:term}',
    'term.shark': 'a shark',
    c: 'no {slot}',
    d: '{why, select, left {left by {what:term}} other {stays}}',
  }
  const theirs = named<(cat: object, key: string, args?: object, names?: string[]) => string>('say')
  settings.language = 'en'
  setCatalogue('en/docs', texts)
  const cases: [string, Record<string, unknown>][] = [
    ['a', { who: 1, n: 1 }],
    ['a', { who: 0, n: 3 }],
    ['a', { who: 0, n: 0 }],
    ['d', { why: 'left', what: 'shark' }],
    ['d', { why: 'other', what: 'shark' }],
    ['b', { what: 'shark' }],
    ['b', { what: ['shark', 'whale'] }],
    ['c', {}],
    ['missing', {}],
  ]
  for (const [key, args] of cases)
    expect(theirs(texts, key, args, ['Ana', 'Bo'])).toBe(gameText('docs', key, args, ['Ana', 'Bo']))
  expect(theirs(texts, 'a', { who: 1, n: 1 }, ['Ana', 'Bo'])).toBe('Bo gains 1 point')
})
