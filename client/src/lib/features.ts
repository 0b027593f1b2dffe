// What this client has pages for.
export const TOURNAMENTS = false
