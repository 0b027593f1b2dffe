// Whether the list of all choices is open, by scene: its button and its panel are in different places.
import type { Scene } from '../scene'

class Listing {
  open = $state(false)
}

const shelves = new WeakMap<Scene, Listing>()

export function choiceListStateOf(scene: Scene): Listing {
  let shelf = shelves.get(scene)
  if (!shelf) shelves.set(scene, (shelf = new Listing()))
  return shelf
}
