// Whether the list of all choices is open, by scene: its button and its panel are in different places.
import type { Scene } from '../sceneTypes'

class ChoiceListState {
  open = $state(false)
}

const shelves = new WeakMap<Scene, ChoiceListState>()

export function choiceListStateOf(scene: Scene): ChoiceListState {
  let shelf = shelves.get(scene)
  if (!shelf) shelves.set(scene, (shelf = new ChoiceListState()))
  return shelf
}
