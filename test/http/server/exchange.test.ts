import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ByteBudget } from '../../../src/base/byte-budget.ts';
import type { ResponsePort } from '../../../src/http/fronts/front.ts';
import { HttpExchange, type HttpExchangeHost } from '../../../src/http/server/exchange.ts';
import { UploadWatch } from '../../../src/http/server/upload-watch.ts';
import type { Transfer } from '../../../src/services/tasks/transfer-tasks.ts';
import { text } from '../test-server.ts';

const BODY = 'x'.repeat(10_000);

interface Client {
  readonly headers?: readonly string[];
  readonly tryEnd?: ResponsePort['tryEnd'];
  /** Bytes of the body that it has taken. */
  readonly offset?: () => number;
}

const takesNothing: ResponsePort['tryEnd'] = () => [false, false];

/** An exchange with the calls of its port. By default, its client takes nothing. */
function setUp({ headers = [], tryEnd = takesNothing, offset = () => 0 }: Client = {}) {
  let receive: (chunk: ArrayBuffer, last: boolean) => void = () => {};
  const calls: string[] = [];
  const called = (name: string) => () => calls.push(name);
  const port: ResponsePort = {
    writeStatus: called('writeStatus'),
    writeHeader: called('writeHeader'),
    write: () => false,
    end: called('end'),
    endWithoutBody: called('endWithoutBody'),
    tryEnd: (body, total) => {
      calls.push('tryEnd');
      return tryEnd(body, total);
    },
    getWriteOffset: () => {
      calls.push('getWriteOffset');
      return offset();
    },
    onWritable: called('onWritable'),
    cork: (write) => write(),
    close: called('close'),
    onAborted: () => {},
    onData: (listener) => {
      receive = listener;
    },
    getRemoteAddressAsText: () => new ArrayBuffer(0),
    pause: called('pause'),
    resume: called('resume'),
  };
  const transfers = new Set<Transfer>();
  const host: HttpExchangeHost = {
    uploads: { store: new ByteBudget(0), watch: new UploadWatch(1000), timeoutMs: 1000 },
    responseBudget: new ByteBudget(2 ** 20),
    closing: false,
    basePath: '',
    front: { sendLast: (send) => send(), reject: () => {} },
    formatHead: () => '',
    clientOf: (connection) => connection,
    exceptionResponse: () => assert.fail('There is no exception.'),
    checkWrite: () => undefined,
    ended: () => {},
    transfers,
  };
  const head = { method: 'GET', url: '/', query: '', headers, bytes: 10, fault: undefined };
  const exchange = new HttpExchange(port, head, host);
  return { exchange, calls, transfers, receive };
}

test('the rest of a response that a client did not take at once is a transfer', async () => {
  const { exchange, calls, transfers } = setUp();
  exchange.respond(text(BODY));
  exchange.defer();
  await turn();
  assert.ok(calls.includes('onWritable'));
  assert.equal(transfers.size, 1);
});

test('text is handed over as it is, with its length in bytes', () => {
  const taken: unknown[] = [];
  const tryEnd: ResponsePort['tryEnd'] = (...given) => {
    taken.push(given);
    return [true, true];
  };
  const { exchange } = setUp({ tryEnd });
  exchange.respond(text('größer'));
  assert.deepEqual(taken, [['größer', 8]]);
  assert.ok(exchange.over);
});

test('the rest of a text is sent from the byte at which the client stopped', async () => {
  const taken: unknown[] = [];
  const tryEnd: ResponsePort['tryEnd'] = (...given) => {
    taken.push(given);
    const isWhole = taken.length === 2;
    return [isWhole, isWhole];
  };
  const { exchange } = setUp({ tryEnd, offset: () => 3 });
  exchange.respond(text('größer'));
  exchange.defer();
  for (let i = 0; i < 5; i++) await turn();
  assert.deepEqual(taken, [
    ['größer', 8],
    [Buffer.from('größer').subarray(3), 8],
  ]);
  assert.ok(exchange.over);
});

test('bytes whose end is reported one turn later are not the rest of a response', async () => {
  let taken = 0;
  const { exchange, calls } = setUp({ offset: () => taken });
  setImmediate(() => {
    taken = BODY.length;
  });
  exchange.respond(text(BODY));
  exchange.defer();
  await turn();
  assert.ok(exchange.over);
  assert.ok(!calls.includes('onWritable'));
});

test('a short response waits for its client too', async () => {
  const { exchange, calls, transfers } = setUp();
  exchange.respond(text('x'.repeat(100)));
  exchange.defer();
  await turn();
  assert.ok(!calls.includes('end'));
  assert.equal(transfers.size, 1);
});

test('the port is not used after the client aborts a partly sent response', async () => {
  const { exchange, calls, transfers } = setUp();
  exchange.respond(text(BODY));
  exchange.abort();
  calls.length = 0;
  await turn();
  assert.deepEqual(calls, []);
  assert.equal(transfers.size, 0);
});

test('a response in transit stays listed when the rest of an unread body arrives', async () => {
  const { exchange, transfers, receive } = setUp({ headers: ['content-length', '6'] });
  exchange.respond(text(BODY));
  exchange.defer();
  await turn();
  receive(new ArrayBuffer(6), true);
  assert.deepEqual(
    [...transfers].map(({ direction }) => direction),
    ['Download'],
  );
});
