/**
 * Whether a client that has `own` places may have one more when all are taken. `clients` is the
 * number of clients that have places. A client is never rejected because of other clients: one that
 * has less than an equal share gets a place beyond the limit. So there may be more jobs than
 * places, but even with thousands of clients fewer than ten times as many.
 */
export function hasShareLeft(own: number, clients: number, places: number): boolean {
  const sharers = own === 0 ? clients + 1 : clients;
  return (own + 1) * sharers <= places;
}
