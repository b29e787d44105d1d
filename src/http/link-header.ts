/** One link of a `Link` header (RFC 8288). */
export interface Link {
  /** As it stands between the angle brackets. */
  readonly target: string;
  /** Relation types, in lower case. */
  readonly rels: readonly string[];
  /** What the link starts from, where that is not the resource itself. */
  readonly anchor: string | undefined;
}

const target = /[\s,]*<([^<>]*)>/y;
const parameter = /\s*;\s*(?:([^\s=;,"<>]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?)?/y;

/** The links of a header, of which repeated ones were joined by commas. What is malformed ends the list. */
export function parseLinks(header: string): Link[] {
  const links: Link[] = [];
  for (let at = 0; ; ) {
    target.lastIndex = at;
    const found = target.exec(header);
    if (!found) return links;
    const { parameters, end } = parseParameters(header, target.lastIndex);
    const rels = parameters.get('rel')?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
    links.push({ target: found[1]!.trim(), rels, anchor: parameters.get('anchor') });
    at = end;
  }
}

/** Targets of the links from the resource itself that have a relation type. */
export function linkTargets(header: string | undefined, rel: string): string[] {
  return parseLinks(header ?? '')
    .filter((link) => link.anchor === undefined && link.rels.includes(rel))
    .map((link) => link.target);
}

/** The first of each name counts (RFC 8288 section 3). `end`: of the last parameter. */
function parseParameters(header: string, from: number) {
  const parameters = new Map<string, string>();
  let end = from;
  for (;;) {
    parameter.lastIndex = end;
    const found = parameter.exec(header);
    if (!found) return { parameters, end };
    end = parameter.lastIndex;
    const name = found[1]?.toLowerCase();
    const value = found[2]?.replaceAll(/\\(.)/g, '$1') ?? found[3] ?? '';
    if (name !== undefined && !parameters.has(name)) parameters.set(name, value);
  }
}
