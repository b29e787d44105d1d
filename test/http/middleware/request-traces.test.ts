import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import {
  type Context,
  createContextKey,
  propagation,
  type Span,
  type SpanOptions,
  type TextMapPropagator,
  trace,
} from '@opentelemetry/api';
import { RequestTraces, type TracedRequest } from '../../../src/http/middleware/request-traces.ts';
import { fakeRequest } from '../fake-request.ts';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const parentKey = createContextKey('parent');

interface Seen {
  name: string;
  readonly parent: unknown;
  readonly attributes: Record<string, unknown>;
  status: unknown;
  ended: boolean;
}
const seen: Seen[] = [];

/** In place of an SDK, which the operator chooses. */
function startSpan(name: string, { attributes = {} }: SpanOptions = {}, context?: Context): Span {
  const span: Seen = {
    name,
    parent: context?.getValue(parentKey),
    attributes,
    status: undefined,
    ended: false,
  };
  seen.push(span);
  return {
    updateName: (to: string) => Object.assign(span, { name: to }),
    setAttribute: (key: string, value: unknown) => Object.assign(attributes, { [key]: value }),
    setStatus: (status: unknown) => Object.assign(span, { status }),
    end: () => Object.assign(span, { ended: true }),
  } as unknown as Span;
}

const propagator: TextMapPropagator = {
  inject: () => {},
  fields: () => ['traceparent'],
  extract: (context, request, getter) => context.setValue(parentKey, getter.get(request, 'traceparent')),
};

before(() => {
  trace.setGlobalTracerProvider({
    getTracer: () => ({ startSpan, startActiveSpan: () => undefined as never }),
  });
  propagation.setGlobalPropagator(propagator);
});
after(() => {
  trace.disable();
  propagation.disable();
});

function traced(status: number | null, route?: string): TracedRequest {
  return Object.assign(fakeRequest('GET', '/resource/x', { headers: { traceparent: PARENT } }), {
    status,
    route,
  });
}

it('G-144: a request is a span of the trace that the client names', () => {
  const traces = new RequestTraces('1.0.0', 'https');
  const request = traced(200, '/resource/{rest}');
  traces.begin(request);
  assert.equal(seen.at(-1)?.ended, false);
  traces.end(request);
  const { name, parent, attributes, status, ended } = seen.at(-1)!;
  assert.deepEqual([name, parent, status, ended], ['GET /resource/{rest}', PARENT, undefined, true]);
  assert.deepEqual(attributes, {
    'http.request.method': 'GET',
    'url.path': '/resource/x',
    'url.scheme': 'https',
    'http.route': '/resource/{rest}',
    'http.response.status_code': 200,
  });
});

it('G-144: a method that is not known is not part of the name of the span', () => {
  const traces = new RequestTraces('1.0.0', 'https');
  const request = Object.assign(fakeRequest('SECRET', '/x'), { status: 501, route: 'unknown' });
  traces.begin(request);
  assert.equal(seen.at(-1)!.name, 'HTTP');
  traces.end(request);
  const { name, attributes } = seen.at(-1)!;
  assert.equal(name, 'HTTP unknown');
  assert.equal(attributes['http.request.method'], '_OTHER');
  assert.equal(attributes['http.request.method_original'], 'SECRET');
});

it('G-144: the span of a request that failed, or that the client left, has the status of an error', () => {
  const traces = new RequestTraces('1.0.0', 'https');
  for (const [status, code] of [
    [500, 2],
    [null, 2],
    [404, undefined],
  ] as const) {
    const request = traced(status);
    traces.begin(request);
    traces.end(request);
    assert.deepEqual((seen.at(-1)!.status as { code: number } | undefined)?.code, code);
  }
});
