// Shows a host, on every page, whose device is not found again.
import { mount } from 'svelte'
import AbsentPeers from './AbsentPeers.svelte'

let watching = false
export function mountAbsentPeers(): void {
  if (!watching) mount(AbsentPeers, { target: document.body })
  watching = true
}
