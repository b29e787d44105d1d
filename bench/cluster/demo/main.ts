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
import { entryFile, flagsOfFirstLine } from '../../measure/entry-file.ts';
import { freePort } from '../../measure/free-port.ts';
import { type NatsServers, startNatsServers, withoutNats } from '../nats-servers.ts';
import { PathpoolProcess } from '../pathpool-process.ts';
import { statusOf } from '../server-status.ts';
import { Traffic } from '../traffic.ts';
import { StatusTable } from './status-table.ts';

/** The name of the log. */
const LOG = 'demo';
const BASE = 'http://pathpool.example';
const SERVERS = ['s1', 's2', 's3'];
const CLIENTS = 4;
/** Pause of each client between two writes, which leaves this machine time for the table. */
const PAUSE_MS = 20;
/** A client tries the next server when one does not answer for this long. */
const PATIENCE_MS = 3000;
const CALM_MS = 6000;
const AWAY_MS = 5000;

async function main(root: string): Promise<void> {
  const logServers = await startNatsServers(root, 3);
  const servers = await startServers(root, logServers);
  const traffic = new Traffic({
    urls: servers.map(({ url }) => url),
    graphs: 'urn:x:demo',
    clients: CLIENTS,
    patienceMs: PATIENCE_MS,
    pauseMs: PAUSE_MS,
  });
  const table = new StatusTable(servers, traffic);
  try {
    await killAndBringBack(logServers, servers, table);
    await traffic.end();
  } finally {
    table.end();
  }
  await summarize(servers, traffic);
  await Promise.all(servers.map((server) => server.end()));
  await logServers.kill();
}

async function startServers(root: string, logServers: NatsServers): Promise<PathpoolProcess[]> {
  const file = entryFile('src/main');
  const command = [process.execPath, ...process.execArgv, ...flagsOfFirstLine(file), file];
  const servers: PathpoolProcess[] = [];
  for (const name of SERVERS) {
    const directory = join(root, name);
    const journal = logServers.journal(LOG);
    const port = await freePort();
    const args = ['--threads', '1', '--sparql-threads', '1'];
    servers.push(
      new PathpoolProcess({ command, name, port, directory, journal, replicas: 3, base: BASE, args }),
    );
  }
  for (const server of servers) await server.start();
  await Promise.all(servers.map((server) => server.untilReady()));
  return servers;
}

async function killAndBringBack(
  logServers: NatsServers,
  servers: readonly PathpoolProcess[],
  table: StatusTable,
): Promise<void> {
  await wait(CALM_MS);
  const leader = await logServers.leaderOf(LOG);
  table.note(`kill -9 of ${leader.name}, the leader of the log`);
  await leader.kill();
  await wait(2 * AWAY_MS);
  table.note(`${leader.name} starts again`);
  await leader.start();
  await leader.untilHealthy();
  await wait(CALM_MS);
  const writer = await writerOf(servers);
  table.note(`kill -9 of ${writer.name}, which holds the lease`);
  await away(writer, 2 * AWAY_MS, table);
  const reader = await readerOf(servers);
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

async function writerOf(servers: readonly PathpoolProcess[]): Promise<PathpoolProcess> {
  const statuses = await Promise.all(servers.map(({ url }) => statusOf(url)));
  const found = servers.find((_, index) => statuses[index]?.holdsLease);
  if (!found) throw new Error('No server holds the lease.');
  return found;
}

async function readerOf(servers: readonly PathpoolProcess[]): Promise<PathpoolProcess> {
  const writer = await writerOf(servers);
  return servers.find((server) => server !== writer)!;
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
