// A button that starts a game against bots: its busy state and its error.
import { createAndOpenServerTable } from './quickPlay'

export class StartButton {
  busy = $state(false)
  fault: unknown = $state.raw(null)

  async startGame(game: string): Promise<void> {
    this.busy = true
    this.fault = null
    try {
      await createAndOpenServerTable(game)
    } catch (error) {
      this.fault = error
    } finally {
      this.busy = false
    }
  }
}
