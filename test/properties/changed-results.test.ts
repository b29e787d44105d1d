import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { SUB_PROPERTY_OF } from '../../src/ldpath/affected/backward-search.ts';
import {
  type ChangedResult,
  type ComparedStates,
  changedResults,
  ResultComparison,
  type StartDocument,
} from '../../src/ldpath/affected/changed-results.ts';
import { type AffectedPlan, compileAffected } from '../../src/ldpath/affected/program-plan.ts';
import { type CompiledProgram, compileProgram } from '../../src/ldpath/compile/compiler.ts';
import { Evaluator } from '../../src/ldpath/evaluate/evaluation.ts';
import { IndexedGraph } from '../../src/ldpath/evaluate/indexed-graph.ts';
import type { NetChanges } from '../../src/rdf/model/changes/net-changes.ts';
import { NetChangesBuilder } from '../../src/snapshot/feed/net-changes-builder.ts';
import type { SnapshotReader } from '../../src/snapshot/read/reader.ts';
import { histories, programs, startSets } from '../ldpath/affected/histories.ts';
import { RecordedHistory } from '../ldpath/affected/recorded-history.ts';
import { prefixes } from '../ldpath/support.ts';

const RUNS = Number(process.env['CHANGED_RESULTS_RUNS'] ?? 400);

/** More steps than any of the programs takes here. */
const UNLIMITED = 10_000;

interface Stored {
  readonly text: string;
  readonly program: CompiledProgram;
  readonly plan: AffectedPlan;
  readonly evaluator: Evaluator;
}

/** What was documented about every start resource, in a form that can be compared. */
type Index = ReadonlyMap<string, string>;

/** The documents of all start resources, found without the plan. */
function indexOf(stored: Stored, reader: SnapshotReader): Index {
  const states = { earlier: reader, present: reader, changes: new NetChangesBuilder(reader).finish() };
  const comparison = new ResultComparison(stored, states, stored.evaluator, new Uint32Array(0));
  const index = new Map<string, string>();
  for (let id = 1; id <= reader.terms.termCount; id++) {
    const document = comparison.document(id, 'present');
    if (document !== undefined) index.set(reader.text(id).slice(1, -1), show(document));
  }
  return index;
}

/** The case of language tags distinguishes nothing. */
function show(document: StartDocument): string {
  if ('error' in document) return `${document.error.code} ${document.error.message}`;
  const json = Buffer.from(document.result).toString();
  return `${json.replaceAll(/"lang":"[^"]*"/g, (tag) => tag.toLowerCase())} ${document.boost}`;
}

function applied(index: Index, changes: readonly ChangedResult[]): Index {
  const now = new Map(index);
  for (const { uri, document } of changes) {
    if (document === undefined) now.delete(uri);
    else now.set(uri, show(document));
  }
  return now;
}

/** Only a change of these may concern every start resource of a program that can be traced. */
function mayConcernAll(text: string, changes: NetChanges): boolean {
  const property = changes.find(`<${SUB_PROPERTY_OF}>`);
  const rows = [changes.added, changes.removed, changes.unsure].flatMap((quads) => [...quads]);
  const declares = rows.some((id, i) => i % 4 === 1 && id === property);
  return (declares && text.includes('~')) || text.includes('^(');
}

/** Compares one state with the last; returns the number of changed results. */
function check(stored: Stored, before: Index, now: Index, states: ComparedStates): number {
  const { plan, text, evaluator } = stored;
  const changes = changedResults(stored, states, evaluator, 1_000_000);
  if (changes === 'too-many') {
    assert.ok(!plan.incremental.incremental || mayConcernAll(text, states.changes), text);
    return 0;
  }
  const list = [...changes];
  assert.deepEqual(sorted(applied(before, list)), sorted(now), text);
  assert.equal(new Set(list.map(({ uri }) => uri)).size, list.length, 'each once');
  return list.length;
}

/** Compiling the only regular expression takes steps, but not the second time. */
function compilePatterns(): void {
  const program = compileProgram('f = fn:replace("b", "b$", "c") ;', { prefixes });
  new Evaluator().evaluateProgram(program, IndexedGraph.of([]), '<urn:a>');
}

/** A conversion takes a step less for terms that the dictionary has, related or not. */
function withoutTypes(program: string): string {
  return program.replaceAll(':: xsd:string', '');
}

const sorted = (index: Index) => [...index].sort();

/** In one generation of the dictionary nothing is unsure. */
function checkMinimal(stored: Stored, before: Index, states: ComparedStates): void {
  const changes = changedResults(stored, states, stored.evaluator, 1_000_000);
  if (changes === 'too-many') return;
  for (const { uri, document } of changes) {
    assert.notEqual(before.get(uri), document && show(document), `${stored.text}: ${uri} has not changed`);
  }
}

it('applied to the results at any commit, the changed results give the present results', () => {
  let changed = 0;
  compilePatterns();
  const stored = fc.array(fc.tuple(programs, startSets), { minLength: 3, maxLength: 6 });
  fc.assert(
    fc.property(histories, stored, fc.constantFrom(UNLIMITED, UNLIMITED, 30, 12), (random, texts, steps) => {
      const history = new RecordedHistory(random);
      const evaluator = new Evaluator({ steps });
      for (const [source, startSet] of texts) {
        const text = steps === UNLIMITED ? source : withoutTypes(source);
        const program = compileProgram(text, { prefixes });
        const one = { text, program, plan: compileAffected(text, startSet, { prefixes }), evaluator };
        const now = indexOf(one, history.present);
        for (let from = 0; from < history.last; from++) {
          const before = indexOf(one, history.reader(from));
          changed += check(one, before, now, history.compared(from, 'texts'));
          if (!history.hasIdsOf(from)) continue;
          const states = history.compared(from, 'ids');
          changed += check(one, before, now, states);
          checkMinimal(one, before, states);
        }
      }
    }),
    { numRuns: RUNS, includeErrorInReport: true },
  );
  assert.ok(changed > RUNS, `${changed} changed results`);
});

it('most programs can be traced', () => {
  const plans = fc.sample(programs, 300).map((text) => compileAffected(text, undefined, { prefixes }));
  const count = plans.filter((plan) => plan.incremental.incremental).length;
  assert.ok(count > 150, `${count} of 300`);
});
