// The name somebody plays by on this device, and where it keeps what it knows of friends' devices.
const NAME = 'landfall.name'

/** The name somebody plays by on this device; empty: none yet. */
export const readPlayerName = (): string => localStorage.getItem(NAME) ?? ''

/** Keep a name for this device. */
export const storePlayerName = (name: string): void => localStorage.setItem(NAME, name)

/** The friends at this device's tables: what is kept of them stands under this. */
export const GUESTS = 'landfall.guests'

/** Tables of friends' devices: what is kept of each stands under this and its id. */
export const FRIEND = 'landfall.friend.'

/** Whether a table is a friend's, who holds it on their device. */
export const isFriendTable = (table: string): boolean => localStorage.getItem(FRIEND + table) !== null
