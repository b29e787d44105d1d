/**
 * A solution, a triple or a quad as texts: terms as `termText` writes them, '' for a variable
 * without value.
 */
export type Row = readonly string[];

type Colours = ReadonlyMap<string, number>;
type Sides = readonly [readonly Row[], readonly Row[]];
type Seeds = readonly [Colours, Colours];

/**
 * Whether two lists have the same rows the same number of times, in any order, except for blank
 * node labels: each label of one list corresponds to exactly one of the other.
 */
export function sameRows(left: readonly Row[], right: readonly Row[]): boolean {
  return left.length === right.length && canMatch([left, right], [new Map(), new Map()]);
}

export function isBlank(cell: string): boolean {
  return cell.startsWith('_:');
}

/**
 * Blank nodes get colours by the terms beside them until this distinguishes no further nodes. If
 * two nodes still have the same colour, one of them is paired with each candidate.
 */
function canMatch(sides: Sides, seeds: Seeds): boolean {
  const [left, right] = refined(sides, seeds);
  if (painted(sides[0], left) !== painted(sides[1], right)) return false;
  const node = firstAlike(left);
  if (node === undefined) return true;
  const colour = left.get(node);
  const partners = [...right].filter(([, other]) => other === colour).map(([label]) => label);
  const seed = seeds[0].size + 1;
  return partners.some((partner) =>
    canMatch(sides, [new Map(seeds[0]).set(node, seed), new Map(seeds[1]).set(partner, seed)]),
  );
}

function refined(sides: Sides, seeds: Seeds): Seeds {
  let colours: Seeds = [seeded(sides[0], seeds[0]), seeded(sides[1], seeds[1])];
  for (;;) {
    const numbers = new Map<string, number>();
    const next: Seeds = [
      recoloured(sides[0], colours[0], numbers),
      recoloured(sides[1], colours[1], numbers),
    ];
    if (numbers.size === kindsOf(colours)) return next;
    colours = next;
  }
}

function kindsOf(colours: Seeds): number {
  return new Set(colours.flatMap((side) => [...side.values()])).size;
}

/** Returns the initial colour of every blank node: 0, unless it was paired. */
function seeded(rows: readonly Row[], seeds: Colours): Colours {
  const nodes = rows.flatMap((row) => row.filter(isBlank));
  return new Map(nodes.map((node) => [node, seeds.get(node) ?? 0]));
}

/** A new colour depends on the old one and on all rows with the node. */
function recoloured(rows: readonly Row[], colours: Colours, numbers: Map<string, number>): Colours {
  const seen = new Map<string, string[]>([...colours].map(([node, colour]) => [node, [String(colour)]]));
  for (const row of rows) {
    for (const node of new Set(row.filter(isBlank))) seen.get(node)?.push(around(row, node, colours));
  }
  return new Map([...seen].map(([node, texts]) => [node, numberOf(texts.sort().join('\n'), numbers)]));
}

function around(row: Row, node: string, colours: Colours): string {
  return paintedRow(
    row.map((cell) => (cell === node ? '*' : cell)),
    colours,
  );
}

function numberOf(text: string, numbers: Map<string, number>): number {
  const known = numbers.get(text) ?? numbers.size;
  numbers.set(text, known);
  return known;
}

function painted(rows: readonly Row[], colours: Colours): string {
  return rows
    .map((row) => paintedRow(row, colours))
    .sort()
    .join('\n');
}

function paintedRow(row: Row, colours: Colours): string {
  return JSON.stringify(row.map((cell) => (isBlank(cell) ? `#${colours.get(cell)}` : cell)));
}

/** Returns a node that shares its colour with another node. */
function firstAlike(colours: Colours): string | undefined {
  const counts = new Map<number, number>();
  for (const colour of colours.values()) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  return [...colours].find(([, colour]) => (counts.get(colour) ?? 0) > 1)?.[0];
}
