import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Parser, type Quad, type Term as RdfJsTerm } from 'n3';
import { parseNQuads } from '../../src/rdf/formats/nquads/parse.ts';
import { parseTurtle } from '../../src/rdf/formats/turtle/parse.ts';
import { withSmallTag } from '../../src/rdf/model/language/tag-case.ts';
import { blankNode, formatLiteral, formatTerm, iri } from '../../src/rdf/model/term.ts';
import { BASE, lines, parse, quads, write } from '../rdf/formats/documents.ts';
import { isomorphic } from '../rdf/formats/isomorphic.ts';
import { quadLines, tripleLines } from './rdf-arbitraries.ts';

function format(term: RdfJsTerm): string {
  switch (term.termType) {
    case 'NamedNode':
      return formatTerm(iri(term.value));
    case 'BlankNode':
      return formatTerm(blankNode(term.value));
    case 'Literal':
      return formatLiteral(term.value, term.datatype.value, term.language);
    default:
      throw new Error(term.termType);
  }
}

function formatQuad({ subject, predicate, object, graph }: Quad): string {
  const terms = [subject, predicate, object, ...(graph.termType === 'DefaultGraph' ? [] : [graph])];
  return `${terms.map(format).join(' ')} .`;
}

/** Writes some characters as escapes, and some white space in other ways, as N-Quads allows. */
const disguise = fc.record({
  escaped: fc.constantFrom('', 'a', 'e', ':', '/', 'é'),
  long: fc.boolean(),
  gap: fc.constantFrom(' ', '\t', '  \t'),
  end: fc.constantFrom('\n', '\r\n', '\r', '\n\n', ' # "<comment>"\n'),
});

function disguised(line: string, how: { escaped: string; long: boolean; gap: string; end: string }): string {
  const code = (how.escaped.codePointAt(0) ?? 0).toString(16);
  const spelled = how.long ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0').toUpperCase()}`;
  const text = line.replace(/"(?:[^"\\]|\\.)*"|<[^>]*>/g, (term) =>
    how.escaped === '' ? term : term.replace(/\\.|./gs, (piece) => (piece === how.escaped ? spelled : piece)),
  );
  return (
    text.replace(/("(?:[^"\\]|\\.)*"|<[^>]*>)| /g, (all, term) => term ?? (all === ' ' ? how.gap : all)) +
    how.end
  );
}

function withSmallTags(line: string): string {
  return line.replace(/"(?:[^"\\]|\\.)*"(?:@[\w-]+)?/g, withSmallTag);
}

describe('the scanner of N-Quads', () => {
  it('reads the same as N3.js, which writes tags in lower case, for any style of document', () => {
    fc.assert(
      fc.property(quadLines, fc.array(disguise, { minLength: 1, maxLength: 5 }), (canonical, hows) => {
        const text = canonical.map((line, index) => disguised(line, hows[index % hows.length]!)).join('');
        const expected = new Parser({ format: 'N-Quads', blankNodePrefix: '' }).parse(text).map(formatQuad);
        const bytes = Buffer.from(text);
        const read = lines(parseNQuads(bytes, { freshBlankNodes: false, graphs: true }));
        assert.deepEqual(read.map(withSmallTags), expected);
        assert.ok(isomorphic(quads(text, 'application/n-quads').map(withSmallTags), expected));
      }),
      { numRuns: 500 },
    );
  });

  it('returns canonical lines unchanged', () => {
    fc.assert(
      fc.property(quadLines, (canonical) => {
        const bytes = Buffer.from(canonical.map((line) => `${line}\n`).join(''));
        assert.deepEqual(lines(parseNQuads(bytes, { freshBlankNodes: false, graphs: true })), canonical);
      }),
    );
  });
});

describe('Turtle', () => {
  it('reads the same whole and in chunks of any size', () => {
    fc.assert(
      fc.property(tripleLines, fc.integer({ min: 1, max: 40 }), (canonical, chunkBytes) => {
        const block = parse(canonical.join('\n'), 'application/n-triples');
        const bytes = Buffer.from(`# é\n${write(block, 'text/turtle')}`);
        const options = { mediaType: 'text/turtle', baseIri: BASE } as const;
        assert.deepEqual(parseTurtle(bytes, { ...options, chunkBytes }), parseTurtle(bytes, options));
      }),
      { numRuns: 300 },
    );
  });
});
