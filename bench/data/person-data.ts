/**
 * The deterministic data set of all benchmarks: person i of N is a foaf:Person with a name, an age
 * and five acquaintances (i * 7 + k * 13) mod N; eight triples each.
 */
export const PERSON = 'http://example.org/person/';
export const FOAF = 'http://xmlns.com/foaf/0.1/';
export const EX = 'http://example.org/ns#';
export const GRAPH = 'http://example.org/people';
export const TRIPLES_A_PERSON = 8;

/** The two steps of most figures: the names of those whom a person knows. */
export const PATH = 'foaf:knows/foaf:name';
export const PROGRAM = `@prefix ex : <${EX}> ; name = foaf:name ; age = ex:age :: xsd:int ; friends = ${PATH} ;
  fof = foaf:knows/${PATH} ; inverse = ^foaf:knows/foaf:name ; thirty = foaf:knows[ex:age is "30"^^xsd:integer]/foaf:name ;`;

export function acquaintances(i: number, count: number): number[] {
  return [1, 2, 3, 4, 5].map((k) => (i * 7 + k * 13) % count);
}

/**
 * The data set as Turtle. `first`: the number of its first person, for one of several sets that
 * share no person.
 */
export function personTurtle(count: number, first = 0): string {
  const lines = [`@prefix p: <${PERSON}> .`, `@prefix foaf: <${FOAF}> .`, `@prefix ex: <${EX}> .`];
  for (let i = 0; i < count; i++) {
    const knows = acquaintances(i, count).map((j) => `p:${first + j}`);
    lines.push(
      `p:${first + i} a foaf:Person ; foaf:name "Person ${first + i}"@en ; ex:age ${i % 90} ; foaf:knows ${knows.join(', ')} .`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** A small generator with a seed (mulberry32): the same numbers in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
