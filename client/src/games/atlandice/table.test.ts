// @vitest-environment happy-dom
// The page of a table in positions of every phase: what is drawn, what a touch and a key send.
import type { RecordedPosition } from '../recordedPosition'
import { checkPositions } from '../../table/positionChecks.fake'
import { POSITIONS } from './positions.generated'

checkPositions(POSITIONS as unknown as RecordedPosition[])
