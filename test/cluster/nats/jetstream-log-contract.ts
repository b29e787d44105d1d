import type { StoredMsg } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { connectNats } from '../../../src/cluster/nats/connection.ts';
import { subjectOf } from '../../../src/cluster/nats/genesis.ts';
import type { JetStreamLog } from '../../../src/cluster/nats/jetstream-log.ts';
import { streamManager } from '../../../src/cluster/nats/streams.ts';
import type { ClusterSettings } from '../../../src/cluster/settings.ts';
import type { SharedLogSubject } from '../../contracts/commit-log.contract.ts';
import type { NatsServers } from '../../support/nats-servers.ts';
import type { Scope } from '../../support/scope.ts';
import { openUnread } from '../../support/shared-logs.ts';

/** Longer than an attempt waits for its answer, and shorter than a connection lives. */
const STOP_MS = 2500;

/** A new log on real servers, for the tests of what every log must do. */
export function jetStreamSubject(servers: NatsServers, scope: Scope): SharedLogSubject {
  const settings = servers.settings();
  const logs: JetStreamLog[] = [];
  return {
    async open(checkpoint = 0) {
      const log = await openUnread(scope, settings);
      const position = logs.map((other) => other.positionOf(checkpoint)).find((place) => place);
      if (checkpoint > 0) log.startAt(position!);
      logs.push(log);
      return log;
    },
    damage: (sequence, kind) => damage(settings, sequence + 1, kind),
    timeOut() {
      for (const node of servers.nodes) node.pause();
      setTimeout(() => {
        for (const node of servers.nodes) node.resume();
      }, STOP_MS);
    },
  };
}

/**
 * Makes the stream anew, with other contents or without the messages from one on: the servers
 * notice changes below it themselves.
 */
export async function damage(
  settings: ClusterSettings,
  sequence: number,
  kind: 'hole' | 'byte' | 'headers' | 'end',
): Promise<void> {
  const connection = await connectNats(settings, 'damage');
  const manager = await streamManager(connection);
  const { config, state } = await manager.streams.info(settings.name);
  const messages: StoredMsg[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
    messages.push((await manager.streams.getMessage(settings.name, { seq }))!);
  }
  await manager.streams.delete(settings.name);
  await manager.streams.add({ ...config, deny_delete: false });
  for (const { seq, header, data } of messages) {
    if (kind === 'end' && seq >= sequence) break;
    const fields = headers();
    const isStripped = seq === sequence && kind === 'headers';
    for (const name of isStripped ? [] : header.keys().filter((key) => key.startsWith('Pathpool'))) {
      fields.set(name, header.get(name));
    }
    const body = Buffer.from(data);
    if (seq === sequence && kind === 'byte') body[body.length - 1]! ^= 1;
    await connection.request(subjectOf(settings.name), body, { headers: fields, timeout: STOP_MS });
  }
  if (kind === 'hole') await manager.streams.deleteMessage(settings.name, sequence);
  await manager.streams.update(settings.name, { ...config, deny_delete: true });
  await connection.close();
}
