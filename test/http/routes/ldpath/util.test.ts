import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, type ErrorCode, toErrorData } from '../../../../src/errors.ts';
import { ldPathUtilRoutes } from '../../../../src/http/routes/ldpath/util.ts';
import { Router } from '../../../../src/http/server/router.ts';
import type { EvaluationResult, ResultKind, Selection } from '../../../../src/pool/evaluation-request.ts';
import type { CompletionRequest } from '../../../../src/services/ldpath/completion.ts';
import { bodyJson, fakeRequest } from '../../fake-request.ts';

const prefixes = { foaf: 'http://xmlns.com/foaf/0.1/', fn: 'http://www.newmedialab.at/lmf/functions/1.0/' };

/** `results`: predicates by start, or the code of an error. */
function setUp(results: Record<string, string[] | ErrorCode> = {}) {
  const completions: CompletionRequest[] = [];
  const evaluations: [string, string, ResultKind][] = [];
  const completion = {
    complete: (request: CompletionRequest) => {
      completions.push(request);
      return Promise.resolve(['foaf:name']);
    },
  };
  const paths = {
    evaluate: ({ source }: Selection, start: string, kind: ResultKind): Promise<EvaluationResult> => {
      evaluations.push([source, start, kind]);
      const given = results[start] ?? 'resource-not-found';
      if (typeof given !== 'string') {
        return Promise.resolve({ ok: true, value: Buffer.from(JSON.stringify(given)), sequence: 1 });
      }
      return Promise.resolve({ ok: false, error: toErrorData(new AppError(given, 'No.')) });
    },
  };
  const router = new Router(
    ldPathUtilRoutes({ completion, paths, prefixes: { table: prefixes }, maxStarts: 2 }),
  );
  const get = async (target: string, headers = {}) =>
    await router.handle(fakeRequest('GET', `/ldpath/util/${target}`, { headers }));
  return { get, completions, evaluations };
}

test('namespaces come from the server and the request, and functions have a marker', async () => {
  const { get } = setUp();
  assert.deepEqual(bodyJson(await get('namespaces?ns_ex=http://e/%23&ns_foaf=urn:mine:')), {
    foaf: 'urn:mine:',
    ex: 'http://e/#',
    fn: 'function:ldpath#',
  });
  assert.equal((await get('namespaces?ns_ex=oops')).status, 400);
});

test('a known prefix is returned, and an unknown one gives an empty object', async () => {
  const { get } = setUp();
  assert.deepEqual(bodyJson(await get('prefix?prefix=foaf')), { foaf: prefixes.foaf });
  assert.deepEqual(bodyJson(await get('prefix?prefix=ex&ns_ex=http://e/')), { ex: 'http://e/' });
  for (const target of ['prefix?prefix=zz', 'prefix', 'prefix?prefix=toString', 'prefix?prefix=__proto__']) {
    assert.deepEqual(bodyJson(await get(target)), {});
  }
});

test('the service gets the text to complete, and unknown modes mean path', async () => {
  const { get, completions } = setUp();
  assert.deepEqual(bodyJson(await get('complete?prefix=foaf:n&mode=odd')), ['foaf:name']);
  await get('complete?uri=http://x/+y&prefix=&mode=transformer&ns_ex=http://e/');
  assert.deepEqual(completions, [
    { uri: undefined, prefix: 'foaf:n', mode: 'path', namespaces: prefixes, visible: undefined },
    {
      uri: 'http://x/+y',
      prefix: undefined,
      mode: 'transformer',
      namespaces: { ...prefixes, ex: 'http://e/' },
      visible: undefined,
    },
  ]);
});

test('completions follow the complete part of a path from every existing start resource', async () => {
  const { get, evaluations } = setUp({ 'urn:a': ['urn:q', 'urn:p'], 'urn:b': ['urn:o', 'urn:p'] });
  const response = await get('path?path=foaf:knows/foaf:na&ctx=urn:a&ctx[]=urn:b&ctx=urn:a');
  assert.deepEqual(bodyJson(response), ['urn:o', 'urn:p', 'urn:q']);
  assert.deepEqual(evaluations, [
    ['foaf:knows', 'urn:a', 'predicates'],
    ['foaf:knows', 'urn:b', 'predicates'],
  ]);
  assert.deepEqual(bodyJson(await get('path?path=foaf:na&ctx=urn:a&ctx=urn:none')), ['urn:p', 'urn:q']);
  assert.equal(evaluations[2]![0], '.');
  assert.deepEqual(bodyJson(await get('path?path=foaf:na')), []);
});

test('a path with a syntax error has no completions, and other errors are reported', async () => {
  for (const code of ['parse-error', 'unknown-prefix', 'unknown-function', 'bad-arguments'] as const) {
    assert.deepEqual(bodyJson(await setUp({ 'urn:a': code }).get('path?path=((/&ctx=urn:a')), []);
  }
  assert.equal((await setUp({ 'urn:a': 'overloaded' }).get('path?path=.&ctx=urn:a')).status, 503);
  assert.equal((await setUp().get('path?path=.&ctx=oops')).status, 400);
  assert.equal((await setUp().get('path?path=.&ctx=urn:a&ctx=urn:b&ctx=urn:c')).status, 413);
});

test('a client that does not accept JSON gets 406', async () => {
  for (const target of ['namespaces', 'prefix', 'complete', 'path']) {
    assert.equal((await setUp().get(target, { accept: 'text/html' })).status, 406);
  }
});
