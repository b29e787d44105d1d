/**
 * `npm run demo:cluster`: three log servers and three servers on this machine, and clients that
 * write and read through all. One of each is killed and brought back, while a table shows who
 * writes and how far each server is. It takes about a minute, and ends with a summary.
 */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { LOG, type LocalCluster, startLocalCluster } from '../local-cluster.ts';
import { withoutNats } from '../nats-servers.ts';
import type { PathpoolProcess } from '../pathpool-process.ts';
import { Traffic } from '../traffic.ts';
import { StatusTable } from './status-table.ts';

const BASE = 'http://pathpool.example';
const CLIENTS = 4;
/** Pause of each client between two writes, which leaves this machine time for the table. */
const PAUSE_MS = 20;
/** A client tries the next server when one does not answer for this long. */
const PATIENCE_MS = 3000;
const CALM_MS = 6000;
const AWAY_MS = 5000;

async function main(root: string): Promise<void> {
  const cluster = await startLocalCluster(root, BASE);
  const servers = cluster.processes;
  const traffic = new Traffic({
    urls: servers.map(({ url }) => url),
    graphs: 'urn:x:demo',
    clients: CLIENTS,
    patienceMs: PATIENCE_MS,
    pauseMs: PAUSE_MS,
  });
  const table = new StatusTable(servers, traffic);
  try {
    await killAndBringBack(cluster, table);
    await traffic.end();
  } finally {
    table.end();
  }
  await summarize(servers, traffic);
  await Promise.all(servers.map((server) => server.end()));
  await cluster.logServers.kill();
}

async function killAndBringBack(cluster: LocalCluster, table: StatusTable): Promise<void> {
  await wait(CALM_MS);
  const leader = await cluster.logServers.leaderOf(LOG);
  table.note(`kill -9 of ${leader.name}, the leader of the log`);
  await leader.kill();
  await wait(2 * AWAY_MS);
  table.note(`${leader.name} starts again`);
  await leader.start();
  await leader.untilHealthy();
  await wait(CALM_MS);
  const writer = await cluster.writer();
  table.note(`kill -9 of ${writer.name}, which holds the lease`);
  await away(writer, 2 * AWAY_MS, table);
  const reader = await cluster.reader();
  table.note(`kill -9 of ${reader.name}, which only reads`);
  await away(reader, AWAY_MS, table);
}

async function away(server: PathpoolProcess, forMs: number, table: StatusTable): Promise<void> {
  await server.kill();
  await wait(forMs);
  table.note(`${server.name} starts again`);
  await server.start();
  await server.untilReady();
  await wait(CALM_MS);
}

async function summarize(servers: readonly PathpoolProcess[], traffic: Traffic): Promise<void> {
  const { acknowledged, failed, reads, longestOutageMs } = traffic.observed;
  const lost = await Promise.all(servers.map(({ url }) => traffic.lostAt(url)));
  const total = Math.max(...lost);
  console.log(`
${acknowledged} writes were acknowledged, lost: ${total} (each server was asked for each of them).
${reads} times a client read its newest write through another server; none of them lacked it.
${failed} attempts failed and were repeated. The longest time without a write was ${(longestOutageMs / 1000).toFixed(1)} s.`);
  if (total > 0) process.exitCode = 1;
}

if (withoutNats) {
  console.error(`${withoutNats}\n(with Go; or put the file of a release of nats-server into .cache/nats/)`);
  process.exit(1);
}
const root = await mkdtemp(join(tmpdir(), 'pathpool-cluster-'));
// Children end with this process.
process.on('exit', () => rmSync(root, { recursive: true, force: true }));
await main(root);
