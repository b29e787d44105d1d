import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Part, partsOf } from '../../../src/cluster/nats/parts.ts';
import type { Attempt } from '../../../src/cluster/nats/publisher.ts';
import { settle } from '../../../src/cluster/nats/settlement.ts';
import type { Finding } from '../../../src/cluster/nats/stored-messages.ts';

const parts = partsOf({ first: 1, last: 1, id: 'ours', state: '' }, [Buffer.from('text')], 'before');
const found: Finding<Part> = { kind: 'found', value: parts[0]! };

/** Settles a group whose attempts and look-ups have these results, the last of them for ever. */
function settled(attempts: readonly Attempt[], findings: readonly (Finding<Part> | Error)[]) {
  const next = <T>(list: readonly T[], calls: { count: number }): T =>
    list[Math.min(calls.count++, list.length - 1)]!;
  const [tried, looked] = [{ count: 0 }, { count: 0 }];
  const find = async () => {
    const finding = next(findings, looked);
    if (finding instanceof Error) throw finding;
    return finding as never;
  };
  return settle(
    {
      publisher: { attempt: async () => next(attempts, tried) },
      messages: { find, range: async () => ({ first: 1, last: 1 }) },
      isClosed: () => false,
      onDoubt: () => {},
    },
    parts,
    { sequence: 1, hash: 'before' },
  );
}

describe('the settlement of a group', () => {
  it('is that nothing was written if the first attempt is refused', async () => {
    await assert.rejects(settled([{ kind: 'refused', reason: 'full' }], []), { code: 'unavailable' });
  });

  it('goes on after a refusal once an attempt may have been carried out', async () => {
    const attempts: Attempt[] = [
      { kind: 'unknown' },
      { kind: 'refused', reason: 'they have no leader' },
      { kind: 'overtaken' },
    ];
    assert.equal(await settled(attempts, [found]), 'committed');
  });

  it('goes on after any error of a look-up, since an attempt may have been carried out', async () => {
    const attempts: Attempt[] = [{ kind: 'unknown' }, { kind: 'overtaken' }];
    const errors = [new Error('stream is offline'), new Error('permission violation')];
    assert.equal(await settled(attempts, [...errors, found]), 'committed');
  });

  it('says of a process that was suspended for too long that checkpoints have overtaken it', async () => {
    const attempts: Attempt[] = [{ kind: 'unknown' }, { kind: 'overtaken' }];
    const expected = { code: 'writes-disabled', details: { case: 'purged' } };
    await assert.rejects(settled(attempts, [{ kind: 'purged' }]), expected);
  });
});
