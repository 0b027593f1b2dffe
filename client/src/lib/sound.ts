// Synthesised sounds: a few quiet motifs. There is no sound before the first gesture, or when switched off.
import { settings } from './settings.svelte'

export type Motive =
  'turn' | 'step' | 'sail' | 'splash' | 'sink' | 'eat' | 'saved' | 'card' | 'dice' | 'whirl' | 'end' | 'chat'

let context: AudioContext | undefined
let out: GainNode | undefined
let noise: AudioBuffer | undefined
let allowed = false
let last = -1 // a new context begins at 0

/** Enable sounds at the first gesture. */
export function enableSoundAtFirstGesture(): void {
  const enableSound = (): void => {
    allowed = true
    removeEventListener('pointerdown', enableSound, true)
    removeEventListener('keydown', enableSound, true)
  }
  addEventListener('pointerdown', enableSound, true)
  addEventListener('keydown', enableSound, true)
}

function readyAudioContext(): AudioContext | undefined {
  if (!allowed || !settings.sound || typeof AudioContext === 'undefined') return undefined
  if (!context) {
    context = new AudioContext()
    out = context.createGain()
    out.gain.value = 0.16
    out.connect(context.destination)
    noise = context.createBuffer(1, context.sampleRate, context.sampleRate)
    const data = noise.getChannelData(0)
    for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1
  }
  if (context.state === 'suspended') void context.resume()
  return context
}

/** One tone: frequency (gliding to another), start, duration, volume. */
function scheduleTone(
  at: number,
  from: number,
  to: number,
  long: number,
  loud = 1,
  shape: OscillatorType = 'sine',
): void {
  const oscillator = context!.createOscillator()
  const gain = context!.createGain()
  oscillator.type = shape
  oscillator.frequency.setValueAtTime(from, at)
  oscillator.frequency.exponentialRampToValueAtTime(to, at + long)
  gain.gain.setValueAtTime(0, at)
  gain.gain.linearRampToValueAtTime(loud, at + 0.012)
  gain.gain.exponentialRampToValueAtTime(0.001, at + long)
  oscillator.connect(gain).connect(out!)
  oscillator.start(at)
  oscillator.stop(at + long + 0.02)
}

/** Rushing water or a tap: noise through a moving filter. */
function scheduleNoise(at: number, from: number, to: number, long: number, loud = 1, sharp = 1): void {
  const source = context!.createBufferSource()
  const filter = context!.createBiquadFilter()
  const gain = context!.createGain()
  source.buffer = noise!
  source.loop = true
  filter.type = 'bandpass'
  filter.Q.value = sharp
  filter.frequency.setValueAtTime(from, at)
  filter.frequency.exponentialRampToValueAtTime(to, at + long)
  gain.gain.setValueAtTime(0, at)
  gain.gain.linearRampToValueAtTime(loud, at + Math.min(0.04, long / 3))
  gain.gain.exponentialRampToValueAtTime(0.001, at + long)
  source.connect(filter).connect(gain).connect(out!)
  source.start(at, Math.random() * 0.5)
  source.stop(at + long + 0.02)
}

const MOTIVES: Record<Motive, (t: number) => void> = {
  turn: (t) => [523, 659, 784].forEach((f, i) => scheduleTone(t + i * 0.11, f, f, 0.34, 0.5, 'triangle')),
  step: (t) => [0, 0.09].forEach((d) => scheduleNoise(t + d, 340, 200, 0.06, 0.5, 3)),
  sail: (t) => [0, 0.16].forEach((d) => scheduleNoise(t + d, 500, 1100, 0.16, 0.35, 1)),
  splash: (t) => (scheduleNoise(t, 1800, 500, 0.32, 0.7, 0.8), scheduleTone(t, 420, 160, 0.14, 0.3)),
  sink: (t) => (scheduleNoise(t, 500, 90, 1, 0.8, 0.7), scheduleTone(t, 130, 45, 0.9, 0.7)),
  eat: (t) => (scheduleTone(t, 190, 70, 0.2, 0.8, 'sawtooth'), scheduleNoise(t + 0.1, 2400, 600, 0.16, 0.5, 2)),
  saved: (t) => [659, 880, 1109].forEach((f, i) => scheduleTone(t + i * 0.08, f, f, 0.4, 0.45)),
  card: (t) => scheduleNoise(t, 3200, 1500, 0.09, 0.5, 1.5),
  dice: (t) => [0, 0.07, 0.13, 0.22].forEach((d, i) => scheduleNoise(t + d, 2600 - i * 250, 1800, 0.05, 0.6, 6)),
  whirl: (t) => (scheduleNoise(t, 250, 1400, 0.8, 0.6, 2), scheduleTone(t, 300, 90, 0.8, 0.3)),
  end: (t) => [392, 494, 587, 784].forEach((f, i) => scheduleTone(t + i * 0.17, f, f, 0.9, 0.45, 'triangle')),
  chat: (t) => scheduleTone(t, 880, 988, 0.12, 0.3),
}

/** Play a motif; two at the same moment become one. */
export function playMotif(motive: Motive): void {
  const audio = readyAudioContext()
  if (!audio || audio.currentTime - last < 0.05) return
  last = audio.currentTime
  MOTIVES[motive](audio.currentTime + 0.005)
}

const KINDS: [RegExp, Motive][] = [
  [/^(over|end)$/, 'end'],
  [/landed|saved|tile_gone|^tile$|scored/, 'saved'],
  [/whirlpool|volcano/, 'whirl'],
  [/sunk|gap|emptied|wrecked|swallowed/, 'sink'],
  [/removed|lost/, 'eat'],
  [/roll|gate|second_visit/, 'dice'],
  [/ship|sail|creature_moved|submarine/, 'sail'],
  [/drew|kept|tile_played|bought|took|paid|take|give|swap|die/, 'card'],
  [/moved|placed|hopped|move/, 'step'],
]

/** An event's default sound, if its game names none. */
export function defaultMotifOfEvent(kind: string): Motive | null {
  return KINDS.find(([pattern]) => pattern.test(kind))?.[1] ?? null
}
