import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JetStreamApiError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { isOfServers, isTransient } from '../../../src/cluster/nats/patience.ts';

const answer = (code: number, err_code: number) =>
  new JetStreamApiError({ code, err_code, description: 'what servers say' });

describe('an error of the log servers', () => {
  it('is transient if the servers that have a stream are down', () => {
    for (const error of [answer(503, 10008), answer(500, 10118), answer(500, 10194)]) {
      assert.ok(isTransient(error));
    }
  });

  it('is not transient, but theirs, if an operator has to act', () => {
    const denied = new errors.PermissionViolationError('denied', 'publish', 'x.log');
    for (const error of [
      answer(404, 10059),
      answer(500, 10047),
      denied,
      new errors.AuthorizationError('no'),
    ]) {
      assert.ok(!isTransient(error) && isOfServers(error));
    }
  });

  it('is no error of Pathpool itself', () => {
    for (const error of [new RangeError('wrong number'), new TypeError('no function')]) {
      assert.ok(!isOfServers(error));
    }
  });
});
