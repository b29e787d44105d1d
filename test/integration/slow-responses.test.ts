import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { HeldDisk } from '../support/held-disk.ts';
import { startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** Longer than any idle timeout of uWebSockets.js, which is 8 to 12 s. */
const SLOW_MS = 16_000;
const EVALUATION_SECONDS = 17;
/** Connections are paused during the upload of a body of more than 512 KiB. */
const BODY_BYTES = 800_000;
/** Just below the default of `--max-rdf-body`. */
const BIG_BODY_BYTES = 64 * 1024 * 1024 - 1_000;

/** Goes from every node of a cycle to every other, again and again. */
const ENDLESS = '(ex:to)+[(ex:to)+[(ex:to)+[ex:nothing]]]';
const EX = 'http://example.org/';
const cycle = Array.from(
  { length: 2_000 },
  (_, i) => `<${EX}${i}> <${EX}to> <${EX}${(i + 1) % 2000}>, <${EX}${(i * 7) % 2000}> .`,
).join('\n');

const TURTLE = 'text/turtle';
const BYTES = 'application/octet-stream';
const comment = (bytes: number) => `# ${'x'.repeat(bytes)}\n`;
const padding = comment(BODY_BYTES);
const about = (uri: string) => `${padding}<${uri}> <urn:x:p> "new" .`;

type Write = readonly [method: string, target: string, type: string, body: string, status: number];

/** Creates what the writes below change. */
const preparations: readonly Write[] = [
  ['PUT', '/context/cycle', TURTLE, cycle, 201],
  ['PUT', '/context/extended', TURTLE, '<urn:x:a> <urn:x:b> 1 .', 201],
  ['PUT', '/context/removed', TURTLE, '<urn:x:a> <urn:x:b> 1 .', 201],
  ['POST', '/resource?uri=urn:x:meta', BYTES, '', 201],
  ['POST', '/resource?uri=urn:x:content', BYTES, '', 201],
  ['POST', '/resource?uri=urn:x:direct-meta', BYTES, '', 201],
  ['POST', '/resource?uri=urn:x:direct-content', BYTES, '', 201],
  ['PUT', '/ldp/replaced', TURTLE, '<> <urn:x:p> 1 .', 201],
  ['PUT', '/ldp/patched', TURTLE, '<> <urn:x:p> 1 .', 201],
  ['PUT', '/ldp/removed', TURTLE, '<> <urn:x:p> 1 .', 201],
  ['PUT', '/ldp/binary', BYTES, 'old', 201],
];

/** Every endpoint that waits for the disk, and reads or discards a long body. */
const writes: readonly Write[] = [
  ['PUT', '/context/new', TURTLE, about('urn:x:s'), 201],
  ['PUT', '/context?graph=urn:x:g', TURTLE, about('urn:x:s'), 201],
  ['PUT', '/context/big', TURTLE, `${comment(BIG_BODY_BYTES)}<urn:x:s> <urn:x:p> "new" .`, 201],
  ['POST', '/context/extended', TURTLE, about('urn:x:s'), 200],
  ['DELETE', '/context/removed', TURTLE, padding, 200],
  ['PUT', '/meta/text/turtle?uri=urn:x:meta', TURTLE, about('urn:x:meta'), 200],
  ['PUT', '/content/text/plain?uri=urn:x:content', 'text/plain', padding, 201],
  ['PUT', '/resource?uri=urn:x:direct-meta', 'text/turtle; rel=meta', about('urn:x:direct-meta'), 200],
  ['PUT', '/resource?uri=urn:x:direct-content', 'text/plain; rel=content', padding, 200],
  ['POST', '/resource?uri=urn:x:posted', BYTES, padding, 201],
  ['POST', '/ldp', TURTLE, about(''), 201],
  ['POST', '/ldp', BYTES, padding, 201],
  ['PUT', '/ldp/created', TURTLE, about(''), 201],
  ['PUT', '/ldp/replaced', TURTLE, about(''), 200],
  ['PUT', '/ldp/binary', BYTES, padding, 200],
  ['PUT', '/ldp/created-binary', BYTES, padding, 201],
  ['PATCH', '/ldp/patched', 'application/sparql-update', `${padding}INSERT DATA { <> <urn:x:p> 2 }`, 204],
  ['DELETE', '/ldp/removed', BYTES, padding, 204],
];

describe('a server with a slow disk', () => {
  it('G-141: responds to requests with long bodies, however long disk and programs take', {
    timeout: 300_000,
  }, async (t) => {
    const disk = new HeldDisk(t);
    const server = await startServer(
      t,
      [
        ...['--data', await temporaryDirectory(t), '--threads', '4'],
        ...['--put-mode', 'direct', '--ldp-if-match', 'optional'],
        ...['--evaluation-time', String(EVALUATION_SECONDS), '--evaluation-steps', '1000000000'],
      ],
      disk.environment,
    );
    const perform = async ([method, target, type, body]: Write) => {
      const init = { method, headers: { 'Content-Type': type }, body: Buffer.from(body) };
      const status = await fetch(server.url + target, init).then(
        async (response) => (await response.arrayBuffer()) && response.status,
        (error: Error) => error.message,
      );
      return `${method} ${target} ${status}`;
    };
    const expected = ([method, target, , , status]: Write) => `${method} ${target} ${status}`;
    for (const write of preparations) assert.equal(await perform(write), expected(write));

    const [results, evaluated] = await disk.holdDuring(async () => {
      const requests = [Promise.all(writes.map(perform)), assertEvaluatedToTheEnd(server.url)] as const;
      await setTimeout(SLOW_MS);
      return requests;
    });
    await evaluated;
    assert.deepEqual(await results, writes.map(expected));
  });
});

/**
 * The batch has a long body, and its response starts when its first evaluation has been aborted.
 * The path has no body.
 */
async function assertEvaluatedToTheEnd(url: string): Promise<void> {
  const batch = { path: ENDLESS, namespaces: { ex: EX }, uris: [`${EX}0`] };
  const body = JSON.stringify(batch) + ' '.repeat(BODY_BYTES);
  const path = new URLSearchParams({ path: ENDLESS, ns_ex: EX, uri: `${EX}0` });
  const [posted, evaluated] = await Promise.all([
    fetch(`${url}/ldpath/batch`, { method: 'POST', body }),
    fetch(`${url}/ldpath/path?${path}`),
  ]);
  assert.equal(evaluated.status, 504);
  assert.equal(((await evaluated.json()) as { code: string }).code, 'time-limit');
  const lines = (await posted.text()).trim().split('\n');
  const [first, last] = lines.map((line) => JSON.parse(line) as { error?: object; done?: boolean });
  assert.deepEqual(first?.error, { ...first?.error, status: 504, code: 'time-limit' });
  assert.equal(last?.done, true);
}
