// Tables that this device has given to another one, by a file. They are not played here until they are taken back.

/** The key of this device's own seat at a table that it gave away stands under this and the table's id. */
export const HANDED = 'landfall.handed.'
const GIVEN = 'landfall.given.'

/** Announces to all pages of this device that a table is given away. */
export const givenChannel = (): BroadcastChannel => new BroadcastChannel('landfall-given')

/** The key of this device's own seat at a table that it gave to another one, if it ever did. */
export const handoverKey = (table: string): string | undefined => localStorage.getItem(HANDED + table) ?? undefined

/** Whether another device holds the table now, as far as this one knows. */
export const isGiven = (table: string): boolean => localStorage.getItem(GIVEN + table) !== null

export function giveAway(table: string): void {
  localStorage.setItem(GIVEN + table, '1')
  const pages = givenChannel()
  pages.postMessage(table)
  pages.close()
}

/** The table is this device's again. */
export const takeBack = (table: string): void => localStorage.removeItem(GIVEN + table)
