import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isContainer } from '../../src/ldp/model/kinds.ts';
import { dcterms, ldp } from '../../src/ldp/model/vocabulary.ts';
import { checkLdp } from '../../src/ldp/store/consistency-check.ts';
import type { LdpOperation } from '../../src/ldp/store/operation.ts';
import { openSnapshot } from '../../src/snapshot/read/reader.ts';
import type { Store } from '../../src/store/thread/store.ts';
import { SimDisk } from '../simulation/sim-disk.ts';
import {
  asOxigraphWrites,
  bytes,
  create,
  editLdp,
  entryOf,
  graphNames,
  managed,
  ROOT,
  replaceLdp,
  triplesIn,
} from '../support/ldp-store.ts';
import { oracleLines } from '../support/oxigraph-oracle.ts';
import { commit, contentOf, maintain, openOn } from '../support/stores.ts';
import { LdpModelSpace, type ModelChange, type ModelConfiguration } from './ldp-model.ts';

const tops = ['a', 'b', 'c', 'd'].map((name) => `${ROOT}/${name}`);
const pool = [...tops, ...tops.flatMap((top) => [`${top}/x`, `${top}/y`]), `${tops[0]}/x/deep`];
const TOPIC = 'urn:x:topic';

const target = fc.constantFrom(...pool);
const objects = fc.uniqueArray(
  fc.oneof(
    target.map((uri) => `<${uri}>`),
    fc.constantFrom('<urn:x:1>', '<urn:x:2>', '"literal"'),
  ),
  { maxLength: 3 },
);
const body = fc.record({ topics: objects, notes: fc.uniqueArray(fc.nat(3), { maxLength: 2 }) });
const configuration: fc.Arbitrary<ModelConfiguration> = fc
  .tuple(fc.oneof(target, fc.constant('urn:x:outside')), fc.boolean(), fc.boolean())
  .map(([membershipResource, inverse, follows]) => ({
    membershipResource,
    inverse,
    relation: inverse ? 'urn:x:in' : 'urn:x:has',
    insertedContentRelation: follows ? TOPIC : null,
  }));

type Body = { readonly topics: readonly string[]; readonly notes: readonly number[] };

function rowsOf(subject: string, { topics, notes }: Body): string[] {
  return [
    ...topics.map((object) => `<${subject}> <${TOPIC}> ${object}`),
    ...notes.map((note) => `<${subject}> <urn:x:note> "${note}"`),
  ];
}

const change: fc.Arbitrary<ModelChange> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({
        target,
        form: fc.oneof(
          fc.constantFrom('rdf-source' as const, 'basic' as const, 'basic' as const),
          configuration,
          fc.constantFrom('a', 'b'),
        ),
        body,
        ancestors: fc.boolean(),
      })
      .map(({ target: uri, form, body: given, ancestors }): ModelChange => {
        const rows = rowsOf(uri, given);
        const common = { kind: 'create', target: uri, rows, ancestors } as const;
        if (typeof form === 'object') {
          const model = form.insertedContentRelation === null ? 'direct' : 'indirect';
          return { ...common, model, configuration: form, content: null };
        }
        if (form === 'a' || form === 'b') {
          return { ...common, model: 'binary', configuration: null, content: form };
        }
        return { ...common, model: form, configuration: null, content: null };
      }),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(target, fc.boolean(), body)
      .map(([uri, meta, given]) => [meta ? `${uri}.meta` : uri, given] as const)
      .map(([uri, given]) => ({ kind: 'replace', target: uri, rows: rowsOf(uri, given) }) as const),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(target, body, body)
      .map(
        ([uri, more, less]) =>
          ({ kind: 'edit', target: uri, rows: rowsOf(uri, more), removals: rowsOf(uri, less) }) as const,
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(target, fc.constantFrom('a', 'b'))
      .map(([uri, content]) => ({ kind: 'content', target: uri, content }) as const),
  },
  {
    weight: 4,
    arbitrary: fc
      .oneof(target, fc.constantFrom(ROOT, `${tops[0]}.meta`))
      .map((uri) => ({ kind: 'delete', target: uri }) as const),
  },
);

const step = fc.oneof(
  { weight: 12, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom('reopen' as const, 'maintain' as const) },
  {
    weight: 2,
    arbitrary: fc.record({ crashAfter: fc.nat(4), group: fc.array(change, { minLength: 1, maxLength: 3 }) }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function toOperation(given: ModelChange): LdpOperation {
  switch (given.kind) {
    case 'create': {
      const { model, configuration: membership, content, ancestors } = given;
      return create(given.target, {
        model,
        ancestors,
        body: textOf(given.rows),
        ...(membership && { configuration: membership }),
        ...(content && { content: bytes(content) }),
      });
    }
    case 'replace':
      return replaceLdp(given.target, textOf(given.rows));
    case 'edit':
      return editLdp(given.target, textOf(given.rows), textOf(given.removals));
    case 'content':
      return { kind: 'ldp-content', target: given.target, content: bytes(given.content) };
    case 'delete':
      return { kind: 'ldp-delete', target: given.target };
  }
}

function textOf(rows: readonly string[]): string {
  return rows.map((row) => `${row} .`).join('\n');
}

/** A store on a disk that may crash, with the model beside it. */
class Pair {
  readonly #disk = new SimDisk({ seed: 1 });
  #store!: Store;
  #model!: LdpModelSpace;

  async open(): Promise<void> {
    await this.#reopen();
    await commit(this.#store, { kind: 'ldp-root', target: ROOT, label: 'Root' });
    this.#model = LdpModelSpace.begin(ROOT, this.#store.opened().snapshot.sequence);
  }

  async take(given: Step): Promise<void> {
    if (given === 'reopen') await this.#reopen();
    else if (given === 'maintain') await maintain(this.#store, this.#disk);
    else if (!('crashAfter' in given)) await this.#commit(given);
    else {
      this.#disk.crashAfter(given.crashAfter);
      await this.#commit(given.group);
      this.#disk.restart();
      await this.#reopen();
    }
    await this.verify();
  }

  async verify(): Promise<void> {
    const store = this.#store;
    const model = this.#model;
    const without = [dcterms.created, dcterms.modified, dcterms.extent, dcterms.format];
    assert.deepEqual(
      managed(store, ...without, 'http://www.w3.org/2000/01/rdf-schema#label'),
      model.triples(),
    );
    for (const uri of [ROOT, ...pool.flatMap((name) => [name, `${name}.meta`])]) this.#verifyResource(uri);
    const made = contentOf(store).filter((line) => line.includes('ldpMade'));
    assert.deepEqual(made.map((line) => Number(/"(\d+)"/.exec(line)?.[1])).sort(), model.shared());
    assert.deepEqual(checkLdp(openSnapshot(store.opened().snapshot)), []);
    assert.deepEqual(await oracleLines(this.#disk), asOxigraphWrites(contentOf(store)));
  }

  #verifyResource(uri: string): void {
    const found = entryOf(this.#store, uri);
    const expected = this.#model.get(uri);
    if (!expected || expected === 'gone' || !found || found === 'gone') {
      assert.equal(found, expected, uri);
      return;
    }
    assert.deepEqual([found.kind, found.sequence], [expected.kind, expected.sequence], uri);
    const dates = managed(this.#store).filter((line) => line.startsWith(`<${uri}> <${dcterms.modified}> `));
    assert.deepEqual(dates.length, 1);
    assert.ok(dates[0]?.includes(`"${new Date(found.modified).toISOString()}"`));
    if (expected.kind === 'binary') return;
    assert.deepEqual(triplesIn(this.#store, uri), [...expected.rows].sort());
    assert.equal(graphNames(this.#store).includes(uri), expected.rows.size > 0);
  }

  /** All or the first of the group are there after a crash; without one, all. */
  async #commit(group: readonly ModelChange[]): Promise<void> {
    const after = [this.#model];
    const codes = group.map((given) => {
      const { code, space } = after.at(-1)!.apply(given);
      after.push(space);
      return code;
    });
    const transactions = group.map((given) => ({ preconditions: [], operations: [toOperation(given)] }));
    const { results } = await this.#store.commit(transactions);
    if (!this.#store.failure) {
      assert.deepEqual(
        results.map((result) => (result.ok ? 'done' : result.error.code)),
        codes,
      );
      this.#model = after.at(-1)!;
      return;
    }
    this.#disk.restart();
    await this.#reopen();
    const { sequence } = this.#store.opened().snapshot;
    const reached = after.find((space) => space.sequence === sequence);
    assert.ok(reached, `commit ${sequence} is there`);
    this.#model = reached;
  }

  async #reopen(): Promise<void> {
    this.#store = await openOn(this.#disk, { journalMax: 4096 });
  }
}

test('after any history of operations, restarts and crashes the space equals a simple model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 30 }), async (steps) => {
      const pair = new Pair();
      await pair.open();
      for (const given of steps) await pair.take(given);
    }),
    { numRuns: 80, includeErrorInReport: true },
  );
});

test('the histories of this test cover all kinds of events', () => {
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  for (const history of fc.sample(fc.array(change, { minLength: 40, maxLength: 60 }), {
    numRuns: 100,
    seed: 7,
  })) {
    let space = LdpModelSpace.begin(ROOT, 1);
    for (const given of history) {
      const { code, space: next } = space.apply(given);
      count(code === 'done' && given.kind === 'create' ? `create ${given.model}` : `${given.kind} ${code}`);
      space = next;
    }
    if (space.shared().length > 0) count('shared membership');
    const members = space
      .triples()
      .filter((line) => line.includes('<urn:x:in>') || line.includes('<urn:x:has>'));
    if (members.length > 0) count('membership');
    if (members.some((line) => line.startsWith(`<${ROOT}`) && line.includes('<urn:x:in>'))) count('inverse');
    if (space.uris().some((uri) => isContainer(space.kindOf(uri) ?? 'binary') && uri !== ROOT))
      count('container');
    if (space.triples().some((line) => line.includes(ldp.contains))) count('containment');
  }
  const wanted = ['create rdf-source', 'create basic', 'create direct', 'create indirect', 'create binary'];
  const refused = [
    'gone',
    'parent-gone',
    'parent-not-container',
    'precondition-failed',
    'resource-not-found',
  ];
  const more = [
    'delete done',
    'delete container-not-empty',
    'delete method-not-allowed',
    'shared membership',
  ];
  const all = [
    ...wanted,
    ...refused.map((code) => `create ${code}`),
    ...more,
    'replace done',
    'content done',
  ];
  for (const what of [...all, 'membership', 'inverse', 'container', 'containment']) {
    assert.ok((counts.get(what) ?? 0) > 0, `${what} never happened`);
  }
});
