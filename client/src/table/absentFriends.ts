// Shows a host, on every page, whose device is not found again.
import { mount } from 'svelte'
import AbsentFriends from './AbsentFriends.svelte'

let watching = false
export function watchAbsent(): void {
  if (!watching) mount(AbsentFriends, { target: document.body })
  watching = true
}
