import assert from 'node:assert/strict';
import { it } from 'node:test';
import { JetStreamApiError, type JetStreamManager, type StreamConfig } from '@nats-io/jetstream';
import type { Entries } from '../../../src/cluster/membership/entries.ts';
import { sharedSecret } from '../../../src/cluster/membership/secret.ts';
import { ensureStream } from '../../../src/cluster/nats/streams.ts';

const apiError = (code: number, err_code: number, description: string) =>
  new JetStreamApiError({ code, err_code, description });
const notFound = () => apiError(404, 10059, 'stream not found');

it('waits for a stream that another process has just created, and that not every server knows', async () => {
  let created: StreamConfig | undefined;
  const answers = [false, false, true];
  const streams = {
    info: async () => {
      if (!answers.shift()) throw notFound();
      return { config: created };
    },
    add: async (wanted: StreamConfig) => {
      created = wanted;
      throw apiError(400, 10058, 'stream name already in use');
    },
  };
  const manager = { streams } as unknown as JetStreamManager;
  await ensureStream(manager, { name: 'a', subjects: ['a.log'] } as Parameters<typeof ensureStream>[1], 3);
  assert.deepEqual(answers, []);
});

it('waits in the same way before it reads the secret of the cluster', async () => {
  const answers = [notFound(), { key: 'secret', value: 'shared', revision: 1 }];
  const get = async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  assert.equal(await sharedSecret({ get } as unknown as Entries), 'shared');
});
