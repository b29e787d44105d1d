import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import oxigraph from 'oxigraph';
import { toErrorData } from '../../../src/errors.ts';
import { readPatch } from '../../../src/ldp/pool/patch.ts';
import { RepresentationCursor } from '../../../src/ldp/pool/representation.ts';
import { linesOf, ROOT, Space } from './space.ts';

const EX = 'http://example.org/';
const parts = { minimal: true, containment: true, membership: true };

const subject = fc.constantFrom('<>', '<#a>', `<${EX}s>`);
const predicate = fc.constantFrom(`<${EX}p>`, `<${EX}q>`);
const object = fc.constantFrom('<>', '<#a>', '1', '"x"', '"x"@en');
const data = fc
  .array(fc.tuple(subject, predicate, object), { maxLength: 4 })
  .map((triples) => triples.map((triple) => triple.join(' ')).join(' . '));
const variable = fc.constantFrom('?x', '?y');
const pattern = fc
  .array(fc.tuple(fc.oneof(subject, variable), predicate, fc.oneof(object, variable)), {
    minLength: 1,
    maxLength: 2,
  })
  .map((triples) => triples.map((triple) => triple.join(' ')).join(' . '));
const filter = fc.constantFrom('', 'FILTER isIRI(?x)', 'FILTER(?y != 1)', 'OPTIONAL { ?x ?p ?y }');

/** Tokens of SPARQL, whole and broken ones. */
const piece = fc.constantFrom(
  'INSERT',
  'DELETE',
  'DATA',
  'WHERE',
  'PREFIX',
  'BASE',
  'e:',
  'e:a',
  '<x:y>',
  '<>',
  '{',
  '}',
  ';',
  '.',
  '?x',
  '"a"',
  '"',
  "'''",
  '#',
  '\n',
  '_:b',
  '@en',
  '^^',
  '1.0',
  '\\',
  '\\u0041',
  'GRAPH',
  'SERVICE',
  'FILTER(',
  ')',
  '(',
  '*',
  '[',
  ']',
  'a',
  '<<',
  '\ud800',
);

/** `templates` are those of an operation that has both clauses. */
interface Operation {
  readonly text: string;
  readonly templates?: { readonly remove: string; readonly add: string; readonly where: string };
}

const operation: fc.Arbitrary<Operation> = fc.oneof(
  data.map((triples) => ({ text: `INSERT DATA { ${triples} }` })),
  data.map((triples) => ({ text: `DELETE DATA { ${triples} }` })),
  pattern.map((triples) => ({ text: `DELETE WHERE { ${triples} }` })),
  fc.tuple(pattern, pattern, filter).map(([add, where, more]) => ({
    text: `INSERT { ${add} } WHERE { ${where} ${more} }`,
  })),
  fc.tuple(pattern, pattern, pattern, filter).map(([remove, add, triples, more]) => {
    const where = `${triples} ${more}`;
    return {
      text: `DELETE { ${remove} } INSERT { ${add} } WHERE { ${where} }`,
      templates: { remove, add, where },
    };
  }),
);
const update = fc.array(operation, { minLength: 1, maxLength: 3 });
const textOf = (operations: readonly Operation[]) => operations.map(({ text }) => text).join(' ;\n');

function lines(space: Space, uri: string): string[] {
  return linesOf(new RepresentationCursor(space.reader, { ldp: uri, parts })).sort();
}

/**
 * Applies the same operations to the same triples. Both clauses are evaluated before anything
 * changes.
 */
function expected(before: readonly string[], operations: readonly Operation[], base: string): string[] {
  const store = new oxigraph.Store();
  const options = { base_iri: base };
  store.load(before.map((line) => `${line} .\n`).join(''), { format: 'application/n-triples' });
  for (const { text, templates } of operations) {
    if (!templates) {
      store.update(text, options);
      continue;
    }
    const { remove, add, where } = templates;
    const [removed, added] = [remove, add].map(
      (template) => store.query(`CONSTRUCT { ${template} } WHERE { ${where} }`, options) as oxigraph.Quad[],
    );
    for (const quad of removed!) store.delete(quad);
    for (const quad of added!) store.add(quad);
  }
  const after = store.dump({ format: 'application/n-triples', from_graph_name: oxigraph.defaultGraph() });
  return after
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [line.slice(0, -2)]))
    .sort();
}

/** Dates as Oxigraph writes them. */
function normal(all: readonly string[]): string[] {
  return all.map((line) => line.replace(/(\.\d*?)0*(Z"\^\^)/, '$1$2').replace('.Z"', 'Z"')).sort();
}

test('L-70: an update of a representation has the same effect as on a store of its triples', async () => {
  const space = await Space.open();
  const property = fc.asyncProperty(fc.nat(), data, update, async (name, first, operations) => {
    const text = textOf(operations);
    const uri = `${ROOT}/${name}-${Math.random().toString(36).slice(2)}`;
    await space.create(uri.slice(ROOT.length + 1), { body: `${first} .`.replace(/^ \.$/, '') });
    const before = lines(space, uri);
    for (const brief of [true, false]) {
      const patch = readPatch(
        space.reader,
        { target: uri },
        { mediaType: 'application/sparql-update', body: Buffer.from(text) },
        brief,
      );
      if (patch === null) continue;
      await space.commit({ kind: 'ldp-edit', target: uri, ...patch });
      const undated = (all: readonly string[]) => normal(all).filter((line) => !line.includes('/modified>'));
      assert.deepEqual(undated(lines(space, uri)), undated(expected(before, operations, uri)), text);
      return;
    }
  });
  await fc.assert(property, { numRuns: 300 });
});

test('a patch of any text is read, or rejected with an error of the catalogue', async () => {
  const space = await Space.open();
  const uri = await space.create('a', { body: '<> <x:p> 1 .' });
  const text = fc.oneof(
    fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(' ')),
    fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')),
    fc
      .tuple(update.map(textOf), fc.nat({ max: 80 }), piece)
      .map(([source, at, inserted]) => source.slice(0, at) + inserted + source.slice(at)),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(text, (source) => {
      try {
        readPatch(
          space.reader,
          { target: uri },
          { mediaType: 'application/sparql-update', body: Buffer.from(source) },
          false,
        );
      } catch (error) {
        const { code, message } = toErrorData(error);
        assert.ok(
          ['parse-error', 'unsupported-patch', 'constraint-violation'].includes(code),
          `${code} ${message}: ${source}`,
        );
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a patch that makes Oxigraph panic is unsupported, and later patches are read', async () => {
  const space = await Space.open();
  const uri = await space.create('a', { body: '<> <x:p> "d"@en--ltr .' });
  const read = (filter: string) => {
    const source = `DELETE { ?s <x:p> ?o } WHERE { ?s <x:p> ?o FILTER ${filter} }`;
    const body = { mediaType: 'application/sparql-update', body: Buffer.from(source) };
    return readPatch(space.reader, { target: uri }, body, false);
  };
  assert.throws(() => read('(?o = ?o)'), {
    code: 'unsupported-patch',
    message: /panicked at .*direction .* sameTerm/,
  });
  assert.ok(read('sameTerm(?o, ?o)'));
});
