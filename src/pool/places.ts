/**
 * Whether a client that has `own` places may have one more when all are taken. `clients` have one or more. Nobody is refused
 * because of what others took: who has less than an equal share gets one beyond their number. So there may be more jobs than
 * places, but with thousands of clients not ten times as many.
 */
export function hasShareLeft(own: number, clients: number, places: number): boolean {
  const sharers = own === 0 ? clients + 1 : clients;
  return (own + 1) * sharers <= places;
}
