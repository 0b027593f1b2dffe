// How far the start of Python in this browser is: it waits for the download, then it takes some seconds.
class Startup {
  phase: 'no' | 'download' | 'python' = $state('no')
  /** From 0 to 1, while Python starts. */
  progress = $state(0)
}

export const startup = new Startup()
