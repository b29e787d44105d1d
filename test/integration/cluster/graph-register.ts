import assert from 'node:assert/strict';
import { COMMIT } from '../../support/cluster-requests.ts';
import type { Recorder } from '../../support/linearizability/recorder.ts';
import type { RegisterInput, RegisterOutput, Value } from '../../support/linearizability/register.ts';

/** A suspended process answers nothing; then the outcome of a write is unknown. */
const PATIENCE_MS = 5000;

/** A commit that a response has named, and when its request was sent, by the recorder's clock. */
interface Token {
  readonly text: string;
  readonly sent: number;
  /** The process that answered. */
  readonly url: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * A client for which a graph is a register: the object of its one triple is the value. Writes are
 * conditional on the version that the client has read last, so they compare and set.
 */
export class GraphRegister {
  readonly #recorder: Recorder<RegisterInput, RegisterOutput>;
  readonly #graph: string;
  /** What was answered to writes that did not succeed, for the report of a violation. */
  readonly failures: string[] = [];
  #value: Value = null;
  /** The tag of the version that was read last; null: there was no graph. */
  #tag: string | null = null;
  /** Of its newest write that was answered. */
  #token: Token | undefined;

  constructor(recorder: Recorder<RegisterInput, RegisterOutput>, graph: string) {
    this.#recorder = recorder;
    this.#graph = graph;
  }

  /** Reads the newest version: at the commit of a write to another graph that was just stored. */
  async readNewest(url: string): Promise<void> {
    const called = this.#recorder.tick();
    const headers = { 'Content-Type': 'application/n-triples' };
    const body = `<urn:x:mark> <urn:x:at> "${called}" .\n`;
    const mark = { method: 'PUT', headers, body };
    const answer = await this.#request(url, mark, `${this.#graph}:mark`).catch(connectionError);
    if (typeof answer === 'string' || answer.status >= 500) return;
    assert.ok(answer.status === 201 || answer.status === 204, answer.text);
    await this.#read(url, called, { [COMMIT]: answer.headers.get(COMMIT) ?? '' });
  }

  /** Reads without a token from the process that has answered the client's last write. */
  async readThere(): Promise<void> {
    const token = this.#token;
    if (token) await this.#read(token.url, token.sent);
  }

  /** Reads from any process, at least the version of the client's own last write. */
  async readOwn(url: string): Promise<void> {
    const token = this.#token;
    if (token) await this.#read(url, token.sent, { [COMMIT]: token.text });
  }

  /** Reads from any process, which may return any version that was the newest one at some time. */
  readAny(url: string): Promise<void> {
    return this.#read(url, 0);
  }

  /** `called`: since when the version that is returned may have been the newest one. */
  async #read(url: string, called: number, headers: Record<string, string> = {}): Promise<void> {
    const answer = await this.#request(url, { headers }).catch(connectionError);
    if (typeof answer === 'string' || answer.status === 503) return;
    const { status, text } = answer;
    assert.ok(status === 200 || status === 404, `${status} ${text}`);
    this.#value = status === 404 ? null : (/"(.*)"/.exec(text)?.[1] ?? '');
    this.#tag = status === 404 ? null : answer.headers.get('etag');
    this.#recorder.add(this.#graph, {
      input: { kind: 'read' },
      output: { kind: 'value', value: this.#value },
      called,
      returned: this.#recorder.tick(),
    });
  }

  /** Replaces the version that was read last. */
  async compareAndSet(url: string, value: string): Promise<RegisterOutput | undefined> {
    const condition = this.#tag === null ? { 'If-None-Match': '*' } : { 'If-Match': this.#tag };
    const headers: Record<string, string> = { 'Content-Type': 'application/n-triples', ...condition };
    const body = `<${this.#graph}> <urn:x:value> "${value}" .\n`;
    const input = { kind: 'compare-and-set' as const, expected: this.#value, value };
    const called = this.#recorder.tick();
    const answer = await this.#request(url, { method: 'PUT', headers, body }).catch(connectionError);
    const returned = this.#recorder.tick();
    const { status, text: said } = typeof answer === 'string' ? { status: 0, text: answer } : answer;
    if (status !== 201 && status !== 204)
      this.failures.push(`${value} ${called}-${returned}: ${status} ${said}`);
    if (hasNoEffect(answer)) return undefined;
    const output = typeof answer === 'string' ? undefined : outputOf(answer);
    this.#recorder.add(this.#graph, { input, output, called, returned });
    const text = typeof answer === 'string' ? null : answer.headers.get(COMMIT);
    if (output) assert.ok(text, 'A response to a write named no commit');
    if (text) this.#token = { text, sent: called, url };
    return output;
  }

  async #request(url: string, init: RequestInit, graph = this.#graph): Promise<Answer> {
    const target = `${url}/context?graph=${encodeURIComponent(graph)}&format=nt`;
    const response = await fetch(target, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
}

/** Why there is no whole response. */
function connectionError(error: Error): string {
  if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
  return (error.cause as { code?: string } | undefined)?.code ?? error.name;
}

/** Whether it is certain that nothing was stored: no connection, or a response that says so. */
function hasNoEffect(answer: Answer | string): boolean {
  return typeof answer === 'string' ? answer === 'ECONNREFUSED' : answer.status === 503;
}

/** What a response says about a write; undefined if it leaves the outcome open. */
function outputOf({ status, text }: Answer): RegisterOutput | undefined {
  if (status === 412) return { kind: 'refused' };
  if (status === 502 || status === 504) return undefined;
  assert.ok(status === 201 || status === 204, `${status} ${text}`);
  return { kind: 'done' };
}
