/** Returns the rows of several arrays, one array after the other. */
export function joinedRows(parts: readonly Uint32Array[]): Uint32Array {
  const rows = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    rows.set(part, at);
    at += part.length;
  }
  return rows;
}
