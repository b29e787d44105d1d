/** Bytes of a quad in an instance, including some room for a query. */
const QUAD_BYTES = 330;

export function estimatedBytes(quads: number): number {
  return quads * QUAD_BYTES;
}
