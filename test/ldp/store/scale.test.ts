import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MembershipConfiguration } from '../../../src/ldp/model/kinds.ts';
import type { LdpOperation } from '../../../src/ldp/store/operation.ts';
import { SnapshotView } from '../../../src/snapshot/read/view.ts';
import { MergedScan } from '../../../src/snapshot/runs/merged-scan.ts';
import type { Store } from '../../../src/store/thread/store.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { attempt, create, ldpStore, membership, ROOT } from '../../support/ldp-store.ts';
import { commit, maintain } from '../../support/stores.ts';

const CHILDREN = 4000;
const TOPIC = 'urn:x:topic';
/** More than fill the newest run of a snapshot, so that all its fillings are met. */
const MEASURED = 60;

/** The work of lookups in a snapshot: quads visited by merged walks, and terms found. */
class Work {
  count = 0;

  constructor() {
    const work = this;
    const { next } = MergedScan.prototype;
    MergedScan.prototype.next = function (this: MergedScan) {
      work.count++;
      return next.call(this);
    };
    const { objects, subjects } = SnapshotView.prototype;
    SnapshotView.prototype.objects = function (this: SnapshotView, subject, predicate, into) {
      const before = into.length;
      objects.call(this, subject, predicate, into);
      work.count += into.length - before;
    };
    SnapshotView.prototype.subjects = function (this: SnapshotView, predicate, object, into) {
      const before = into.length;
      subjects.call(this, predicate, object, into);
      work.count += into.length - before;
    };
  }

  async of(action: () => Promise<unknown>): Promise<number> {
    const before = this.count;
    await action();
    return this.count - before;
  }
}

const work = new Work();

function child(container: string, number: number): LdpOperation {
  const uri = `${container}/${number}`;
  return create(uri, { body: `<${uri}> <${TOPIC}> <urn:x:shared> .\n<${uri}> <urn:x:n> "${number}" .` });
}

async function fill(store: Store, disk: SimDisk, container: string): Promise<void> {
  for (let number = 0; number < CHILDREN; number += 200) {
    await commit(store, ...Array.from({ length: 200 }, (_, i) => child(container, number + i)));
    await maintain(store, disk);
  }
}

async function createAndDelete(store: Store, container: string) {
  const rows: number[] = [];
  for (let number = CHILDREN; number < CHILDREN + MEASURED; number++) {
    const { outcomes } = await commit(store, child(container, number));
    rows.push(outcomes[0]!.added + outcomes[0]!.removed);
  }
  for (let number = CHILDREN; number < CHILDREN + MEASURED; number++) {
    const { outcomes } = await commit(store, { kind: 'ldp-delete', target: `${container}/${number}` });
    rows.push(outcomes[0]!.added + outcomes[0]!.removed);
  }
  return Math.max(...rows);
}

const configurations: [name: string, of: (resource: string) => MembershipConfiguration | undefined][] = [
  ['Basic', () => undefined],
  ['Direct', (resource) => membership(resource)],
  ['Indirect', (resource) => membership(resource, { insertedContentRelation: TOPIC, inverse: true })],
];

for (const [name, configured] of configurations) {
  test(`${name} Container: creation and deletion visit no more quads with ${CHILDREN} children`, async () => {
    const disk = new SimDisk({ seed: 1 });
    const store = await ldpStore(disk);
    const [few, many] = [`${ROOT}/few`, `${ROOT}/many`];
    for (const container of [few, many]) {
      const configuration = configured(`${container}`);
      const model = configuration ? (configuration.inverse ? 'indirect' : 'direct') : 'basic';
      await commit(store, create(container, { model, ...(configuration && { configuration }) }));
      // Of the shared member there are some already, so that both containers count.
      await commit(store, child(container, -1), child(container, -2));
    }
    await fill(store, disk, many);
    let rowsOfFew = 0;
    let rowsOfMany = 0;
    const ofFew = await work.of(async () => {
      rowsOfFew = await createAndDelete(store, few);
    });
    const ofMany = await work.of(async () => {
      rowsOfMany = await createAndDelete(store, many);
    });
    assert.ok(rowsOfMany <= rowsOfFew, `${rowsOfMany} rows, ${rowsOfFew} with few children`);
    assert.ok(ofMany <= 1.2 * ofFew, `${ofMany} steps, ${ofFew} with few children`);
    const refused = await work.of(async () => {
      assert.equal(await attempt(store, { kind: 'ldp-delete', target: many }), 'container-not-empty');
    });
    assert.ok(refused < 500, `${refused} steps to see that it is not empty`);
  });
}
