import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compilePath, compileProgram } from '../../../src/ldpath/compile/compiler.ts';
import { Evaluator } from '../../../src/ldpath/evaluate/evaluation.ts';
import { iriPatterns } from '../../../src/rdf/model/resources/iri-patterns.ts';
import type { TermId } from '../../../src/rdf/model/term-id.ts';
import { openSnapshot, type SnapshotReader } from '../../../src/snapshot/read/reader.ts';
import { planLoad } from '../../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';
import { blockOf } from '../../snapshot/blocks.ts';

const limits = { log: 5, recent: 8, deltas: 20 };
const visible = [
  ['<urn:s>', '<urn:p>', '"seen"'],
  ['<urn:s>', '<urn:knows>', '<urn:t>'],
] as const;
const hidden = [
  ['<urn:guess>', '<urn:p>', '"guess"'],
  ['<urn:s>', '<urn:p>', '"Befund"@de'],
  ['<urn:knows>', '<urn:p>', '"7"^^<http://www.w3.org/2001/XMLSchema#integer>'],
] as const;

/** Returns what a client that reads `urn:open` sees, with or without the hidden triples. */
function readerFor(withHidden: boolean): SnapshotReader {
  const writer = new SnapshotWriter(undefined, limits);
  const add = (graph: string, triples: typeof visible | typeof hidden) => {
    const quads = triples.map(([subject, predicate, object]) => {
      return { subject, predicate, object, graph: `<${graph}>` };
    });
    writer.apply(planLoad(writer, graph, blockOf(quads), 'x'));
  };
  add('urn:open', visible);
  if (withHidden) add('urn:hidden', hidden);
  return openSnapshot(writer.publish(1)).visibleTo(iriPatterns(['urn:open']));
}

const paths = [
  'fn:iri("urn:guess")',
  '<urn:guess>',
  '<urn:t>',
  '"Befund"@DE',
  '"seen"',
  '.[<urn:p> is "seen"]',
  '.[fn:concat("se", "en") is "seen"]',
  '.[fn:concat("gu", "ess") is "guess"]',
  '.[<urn:guess> is <urn:guess>]',
  'fn:predicates()',
  'fn:predicates()[. is <urn:knows>]',
  '(fn:predicates() | <urn:knows> | fn:iri("urn:knows"))',
];
const programs = [
  'a = "guess" :: xsd:string ;',
  'a = "seen" :: xsd:string ;',
  'a = "7"^^xsd:integer :: xsd:int ;',
  '@graph <urn:open> ; a = .[fn:iri("urn:t") is <urn:t>] :: xsd:string ; b = "guess" :: xsd:string ;',
];

describe('terms that occur only in hidden graphs', () => {
  const readers = [readerFor(false), readerFor(true)];

  for (const text of paths) {
    it(`are for ${text} as if they did not occur (G-161)`, () => {
      const seen = readers.map((reader) => {
        const evaluator = new Evaluator();
        const path = compilePath(text, { prefixes: {} });
        const stored = new Set<TermId>();
        evaluator.collectStored(path, reader, '<urn:s>', stored);
        const result = evaluator.evaluatePath(path, reader, '<urn:s>');
        return { stored: [...stored].map((id) => reader.text(id)), result, steps: evaluator.totalSteps };
      });
      assert.deepEqual(seen[1], seen[0]);
    });
  }

  for (const text of programs) {
    it(`take as many steps in ${text} (G-161)`, () => {
      const program = compileProgram(`@prefix xsd : <http://www.w3.org/2001/XMLSchema#> ; ${text}`, {
        prefixes: {},
      });
      const seen = readers.map((reader) => {
        const evaluator = new Evaluator();
        const out = evaluator.newWriter();
        evaluator.writeProgram(program, reader, '<urn:s>', out);
        return {
          result: Buffer.from(out.bytes.subarray(0, out.length)).toString(),
          steps: evaluator.totalSteps,
        };
      });
      assert.deepEqual(seen[1], seen[0]);
    });
  }

  it('do not stand between what a function makes and what is visible', () => {
    const reader = readerFor(true);
    const evaluator = new Evaluator();
    const found = (text: string) =>
      evaluator.evaluatePath(compilePath(text, { prefixes: {} }), reader, '<urn:s>').length;
    assert.equal(found('.[fn:concat("se", "en") is "seen"]'), 1);
    assert.equal(found('.[fn:concat("gu", "ess") is "guess"]'), 1);
    assert.equal(found('fn:predicates()[. is <urn:knows>]'), 1);
    assert.equal(found('<urn:knows>/<urn:p>'), 0);
    assert.equal(found('fn:iri("urn:s")/<urn:knows>'), 1);
  });
});
