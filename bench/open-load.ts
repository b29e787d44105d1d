/** Requests at a steady rate whatever the answers do: so a server that stands still is not asked less. */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface OpenLoad {
  readonly port: number;
  readonly paths: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
}

export interface Latencies {
  /** Milliseconds, from the moment when the request was due. */
  readonly p50: number;
  readonly p99: number;
  readonly count: number;
  /** Answers with another status than 200, and connections that ended. */
  readonly failures: number;
}

const GRACE_MS = 10_000;

export async function runOpenLoad({ port, paths, perSecond, seconds }: OpenLoad): Promise<Latencies> {
  const idle: Connection[] = [];
  const all: Connection[] = [];
  const latencies: number[] = [];
  let failures = 0;
  const send = (path: string, due: number) => {
    const connection = idle.pop() ?? new Connection(port);
    if (!all.includes(connection)) all.push(connection);
    connection.request(path, (ok) => {
      latencies.push(performance.now() - due);
      if (ok) idle.push(connection);
      else failures++;
    });
  };
  const began = performance.now();
  const total = perSecond * seconds;
  for (let sent = 0; sent < total; await wait(1)) {
    for (const now = performance.now(); sent < total; sent++) {
      const due = began + (sent * 1000) / perSecond;
      if (due > now) break;
      send(paths[sent % paths.length]!, due);
    }
  }
  const deadline = performance.now() + GRACE_MS;
  while (latencies.length < total && performance.now() < deadline) await wait(10);
  for (const connection of all) connection.end();
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  failures += total - latencies.length;
  return { p50: at(0.5), p99: at(0.99), count: total, failures };
}

/** A connection with one request at a time. */
class Connection {
  readonly #socket: Socket;
  #received = '';
  #done: ((ok: boolean) => void) | undefined;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.setEncoding('latin1').on('data', (text: string) => this.#receive(text));
    this.#socket.on('error', () => {}).on('close', () => this.#settle(false));
  }

  request(path: string, done: (ok: boolean) => void): void {
    this.#done = done;
    this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  }

  end(): void {
    this.#done = undefined;
    this.#socket.destroy();
  }

  #receive(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#received)?.[1]);
    if (this.#received.length < end + 4 + length) return;
    const ok = this.#received.startsWith('HTTP/1.1 200 ');
    this.#received = '';
    this.#settle(ok);
  }

  #settle(ok: boolean): void {
    const done = this.#done;
    this.#done = undefined;
    done?.(ok);
  }
}
