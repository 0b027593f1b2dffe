// When the camera moves by itself: to the choices of a new step or of the selected piece, if some are not visible.
import { untrack } from 'svelte'
import type { BoardState } from './boardState.svelte'
import { placeCentre } from './boardGeometry'

const REST = 900 // milliseconds of another player's turn until the whole board is shown

/** Called while a component is created: its effects end with it. */
export function steerCamera(board: BoardState, size: () => { wide: number; high: number }): void {
  const { camera, pick, scene } = board
  let aimedAt = { asked: '', chosen: null as string | null }
  let stoodBack = false

  function aimCameraIfNeeded(fresh: boolean): void {
    const points = board.wanted.map(placeCentre)
    if (!points.length || (camera.roomy && camera.byHand)) return
    if (camera.touchable && points.every((one) => camera.isVisible(one)) && !(fresh && camera.roomy)) return
    camera.showPoints(points, pick.chosen ? points[0]! : null)
  }

  $effect.pre(() => {
    camera.wanted = board.wanted.map(placeCentre)
  })
  $effect.pre(() => {
    const [{ wide, high }, frame] = [size(), scene.frame]
    untrack(() => camera.handleResize(wide, high, frame))
  })
  $effect(() => {
    if (!scene.mine) {
      aimedAt = { asked: '', chosen: null }
      if (board.view.step === 'setup') return
      const later = setTimeout(() => camera.byHand || camera.showWholeBoard(), REST)
      return () => clearTimeout(later)
    }
    if (!scene.choices.length) return
    const now = { asked: [pick.question, pick.tile?.tile, pick.tile?.terrain].join(), chosen: pick.chosen }
    const fresh = now.asked !== aimedAt.asked
    if (!fresh && (!now.chosen || now.chosen === aimedAt.chosen)) return
    aimedAt = now
    untrack(() => aimCameraIfNeeded(fresh))
  })
  // Pointing at something out of sight, or seeking a place, shows the whole board, and then the choices again.
  $effect(() => {
    const { pointed, sought } = scene
    untrack(() => {
      const away =
        sought.length > 0 || pointed.some((place) => place.startsWith('@') || !camera.isVisible(placeCentre(place)))
      if (away && !camera.fits) {
        stoodBack = true
        camera.showWholeBoard()
      } else if (!pointed.length && !sought.length && stoodBack) {
        stoodBack = false
        aimCameraIfNeeded(true)
      }
    })
  })
  $effect(() => {
    if (camera.byHand) untrack(() => scene.recordDeed('zoom'))
  })
}
