/** `out`: triples with the resource as subject; `in`: with it as object. */
export type Direction = 'out' | 'in';
