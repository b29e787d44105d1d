import { AppError, type ErrorData, toErrorData } from '../errors.ts';

/** RFC 3987 `ucschar`: planes 0 to 14 without surrogates, private use and noncharacters. */
const ucschar = `\\u{a0}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{ffef}${[...higherPlanes(1, 14)].join('')}`;
const iprivate = `\\u{e000}-\\u{f8ff}${[...higherPlanes(15, 16)].join('')}`;

function* higherPlanes(first: number, last: number): Iterable<string> {
  for (let plane = first; plane <= last; plane++) {
    yield `\\u{${plane.toString(16)}0000}-\\u{${plane.toString(16)}fffd}`;
  }
}

const scheme = '[A-Za-z][A-Za-z0-9+\\-.]*';
const percentEscape = '%[0-9A-Fa-f]{2}';
const unreserved = `A-Za-z0-9\\-._~!$&'()*+,;=:@${ucschar}`;
/** An IP literal is the one place where brackets may stand. */
const ipLiteral = `//(?:(?:[${unreserved}]|${percentEscape})*@)?\\[[0-9A-Fa-f:.v]+\\]`;
const path = `(?:[${unreserved}/]|${percentEscape})*`;
const query = `(?:[${unreserved}/?${iprivate}]|${percentEscape})*`;
const fragment = `(?:[${unreserved}/?]|${percentEscape})*`;
const absolute = new RegExp(`^${scheme}:(?:${ipLiteral})?${path}(?:\\?${query})?(?:#${fragment})?$`, 'u');

/** Whether a text is an absolute IRI: scheme present, RFC 3987 syntax, no white space (G-15). */
export function isAbsoluteIri(text: string): boolean {
  return absolute.test(text) && !/\s/u.test(text);
}

/** The `bad-iri` error for a parameter. */
export function badIri(parameter: string, text: string): ErrorData {
  return toErrorData(new AppError('bad-iri', `${parameter}: '${text}' is not an absolute IRI.`));
}
