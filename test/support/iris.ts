import fc from 'fast-check';

/*
 * The grammar of RFC 3987 section 2.2, and what it takes over from RFC 3986 appendix A, production
 * by production: an oracle for `src/rdf/model/iri.ts`, written in another way.
 */

const ucschar = `\\u{A0}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFEF}${planes(0x1, 0xd)}\\u{E1000}-\\u{EFFFD}`;
const iprivate = `\\u{E000}-\\u{F8FF}${planes(0xf, 0x10)}`;

function planes(first: number, last: number): string {
  const ranges: string[] = [];
  for (let plane = first; plane <= last; plane++) {
    ranges.push(`\\u{${plane.toString(16)}0000}-\\u{${plane.toString(16)}FFFD}`);
  }
  return ranges.join('');
}

const unreserved = 'A-Za-z0-9\\-._~';
const subDelims = "!$&'()*+,;=";
const encoded = '%[0-9A-Fa-f]{2}';
const ipchar = `(?:[${unreserved}${ucschar}${subDelims}:@]|${encoded})`;
const regName = `(?:[${unreserved}${ucschar}${subDelims}]|${encoded})*`;
const userinfo = `(?:[${unreserved}${ucschar}${subDelims}:]|${encoded})*`;
const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const h16 = '[0-9A-Fa-f]{1,4}';
const ls32 = `(?:${h16}:${h16}|${octet}(?:\\.${octet}){3})`;
const ipv6 = [
  `(?:${h16}:){6}${ls32}`,
  `::(?:${h16}:){5}${ls32}`,
  `(?:${h16})?::(?:${h16}:){4}${ls32}`,
  `(?:(?:${h16}:){0,1}${h16})?::(?:${h16}:){3}${ls32}`,
  `(?:(?:${h16}:){0,2}${h16})?::(?:${h16}:){2}${ls32}`,
  `(?:(?:${h16}:){0,3}${h16})?::${h16}:${ls32}`,
  `(?:(?:${h16}:){0,4}${h16})?::${ls32}`,
  `(?:(?:${h16}:){0,5}${h16})?::${h16}`,
  `(?:(?:${h16}:){0,6}${h16})?::`,
].join('|');
const future = `[vV][0-9A-Fa-f]+\\.[${unreserved}${subDelims}:]+`;
const host = `(?:\\[(?:${ipv6}|${future})\\]|${regName})`;
const authority = `(?:${userinfo}@)?${host}(?::[0-9]*)?`;
const absoluteOrRootless = `/?(?:${ipchar}+(?:/${ipchar}*)*)?`;
const hierarchy = `(?://${authority}(?:/${ipchar}*)*|${absoluteOrRootless})`;
const query = `(?:${ipchar}|[${iprivate}/?])*`;
const fragment = `(?:${ipchar}|[/?])*`;

/** The production `IRI`. */
export const iriGrammar = new RegExp(
  `^[A-Za-z][A-Za-z0-9+.\\-]*:${hierarchy}(?:\\?${query})?(?:#${fragment})?$`,
  'u',
);

const schemes = fc.constantFrom('http:', 'urn:', 'a+b-c.1:', 'FILE:');
const character = fc.constantFrom(
  ..."aZ09-._~!$&'()*+,;=:@é日😀\u00a0\ud7ff\uf900\uffef\u{e1000}",
  '%20',
  '%aF',
);
const text = fc.array(character, { maxLength: 6 }).map((parts) => parts.join(''));
const hosts = fc.oneof(
  text.map((name) => name.replaceAll(/[:@]/g, '')),
  fc.ipV6().map((address) => `[${address}]`),
  fc.constantFrom('', '[v1.a:b]', '[::]', '[1:2:3:4:5:6:7::]', '[::1.2.3.4]', '127.0.0.1'),
);
const authorities = fc
  .tuple(hosts, fc.constantFrom('', 'me@', 'a:b@'), fc.constantFrom('', ':', ':8080'))
  .map(([name, user, port]) => `//${user}${name}${port}`);
const segments = fc.array(text, { maxLength: 3 });
const hierarchies = fc.oneof(
  fc.tuple(authorities, segments).map(([start, rest]) => [start, ...rest].join('/')),
  segments.map((all) => all.filter((segment) => segment !== '').join('/')),
);
const queries = fc
  .tuple(text, fc.constantFrom('', '?', '/', '\ue000', '\u{10fffd}'))
  .map((all) => all.join(''));

/** IRIs that the grammar generates. */
export const iris: fc.Arbitrary<string> = fc
  .tuple(schemes, hierarchies, fc.option(queries, { nil: undefined }), fc.option(text, { nil: undefined }))
  .map(([scheme, path, asked, part]) =>
    [scheme, path, asked === undefined ? '' : `?${asked}`, part === undefined ? '' : `#${part}`].join(''),
  );

const pieces = fc.constantFrom(
  ...'[]%#?/@: "<>{}|^`\\\u0000\n\u007f\u0085\ue000\ufdd0\ufffd\uffff\u{e0001}\u{1fffe}\u{10fffe}',
  '%g0',
  '\ud800',
);

/** Texts that differ from an IRI in a few places; many of them are not IRIs. */
export const nearIris: fc.Arbitrary<string> = fc
  .tuple(
    iris,
    fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.oneof(pieces, character, fc.constant(''))), { maxLength: 3 }),
  )
  .map(([iri, edits]) => {
    const characters = [...iri];
    for (const [place, removed, added] of edits)
      characters.splice(place % (characters.length + 1), removed, added);
    return characters.join('');
  });
