// @vitest-environment happy-dom
import { createRawSnippet, flushSync, mount, unmount } from 'svelte'
import { afterEach, expect, test } from 'vitest'
import AreaContent from './AreaContent.svelte'
import AreaSlot from './AreaSlot.svelte'

const words = (text: string) => createRawSnippet(() => ({ render: () => `<p>${text}</p>` }))
const added: ReturnType<typeof mount>[] = []
function show(part: typeof AreaContent | typeof AreaSlot, props: Record<string, unknown>) {
  const made = mount(part as typeof AreaSlot, { target: document.body, props: props as { name: 'toast' } })
  added.push(made)
  flushSync()
  return made
}
const held = (name: string) => document.querySelector(`[data-area=${name}]`)?.textContent

afterEach(() => {
  for (const one of added.splice(0)) void unmount(one)
  flushSync()
})

test('what an area holds is shown in the place of its name, and nowhere else', () => {
  show(AreaSlot, { name: 'toast' })
  show(AreaSlot, { name: 'reveal' })
  show(AreaContent, { name: 'toast', children: words('why not') })
  expect(held('toast')).toBe('why not')
  expect(held('reveal')).toBe('')
  expect(document.querySelectorAll('p')).toHaveLength(1)
})

test('an area without a place waits for one, and follows it into another frame', () => {
  show(AreaContent, { name: 'dice', children: words('four') })
  expect(document.querySelector('p')?.closest('[hidden]')).not.toBeNull()
  const first = show(AreaSlot, { name: 'dice' })
  expect(held('dice')).toBe('four')
  void unmount(added.splice(added.indexOf(first), 1)[0]!)
  show(AreaSlot, { name: 'dice' })
  expect(held('dice')).toBe('four')
})

test('an area that goes takes its content along', () => {
  show(AreaSlot, { name: 'hint', children: words('own') })
  const gone = show(AreaContent, { name: 'hint', children: words('more') })
  expect(held('hint')).toBe('ownmore')
  void unmount(added.splice(added.indexOf(gone), 1)[0]!)
  flushSync()
  expect(held('hint')).toBe('own')
})
