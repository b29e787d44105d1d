import type { Header } from '../server/header.ts';

/** One link of a `Link` header (RFC 8288). */
export interface Link {
  /** The text between the angle brackets. */
  readonly target: string;
  /** Relation types, in lower case. */
  readonly rels: readonly string[];
  /** The context of the link, if it is not the resource itself. */
  readonly anchor: string | undefined;
}

const target = /[\s,]*<([^<>]*)>/y;
const parameter = /\s*;\s*(?:([^\s=;,"<>]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?)?/y;

/**
 * Returns a header line for each link. RFC 8288 also allows several links in one line, but JAX-RS
 * clients read each line as one link (G-25).
 */
export function linkLines(links: readonly string[]): Header[] {
  return links.map((link) => ['Link', link]);
}

/**
 * Parses the links of a header whose repeated lines were joined by commas. The list ends at the
 * first malformed link.
 */
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

/** Returns the targets of the links from the resource itself that have the relation type. */
export function linkTargets(header: string | undefined, rel: string): string[] {
  return parseLinks(header ?? '')
    .filter((link) => link.anchor === undefined && link.rels.includes(rel))
    .map((link) => link.target);
}

/**
 * Only the first parameter with a name counts (RFC 8288 section 3). `end`: the end of the last
 * parameter.
 */
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
