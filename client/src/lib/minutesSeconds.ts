/** A duration in milliseconds as minutes and seconds: "0:38". */
export const formatMinutesSeconds = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
