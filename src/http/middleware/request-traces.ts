import { propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { knownMethods } from '../methods.ts';
import type { HttpRequest } from '../server/message.ts';

/** A request as its span sees it. */
export interface TracedRequest extends Pick<HttpRequest, 'method' | 'path' | 'header' | 'route'> {
  /** Of the response; null if the client disconnected before there was one. */
  readonly status: number | null;
}

const carrier = {
  get: (request: TracedRequest, name: string) => request.header(name.toLowerCase()),
  keys: () => ['traceparent', 'tracestate'],
};

/**
 * Makes a span of OpenTelemetry for each request, as the child of the span that the client names
 * (`traceparent`). The operator registers the SDK that sends spans; without one, nothing is sent.
 * The attributes are those of OpenTelemetry's conventions for HTTP servers.
 */
export class RequestTraces {
  readonly #tracer;
  readonly #scheme: string;
  readonly #spans = new WeakMap<TracedRequest, Span>();

  /** `scheme`: that of the connections, which a proxy may have changed. */
  constructor(version: string, scheme: 'http' | 'https') {
    this.#tracer = trace.getTracer('pathpool', version);
    this.#scheme = scheme;
  }

  begin(request: TracedRequest): void {
    const parent = propagation.extract(ROOT_CONTEXT, request, carrier);
    const { method, path } = request;
    const isKnown = knownMethods.has(method);
    const attributes = {
      'http.request.method': isKnown ? method : '_OTHER',
      ...(!isKnown && { 'http.request.method_original': method }),
      'url.path': path,
      'url.scheme': this.#scheme,
    };
    const options = { kind: SpanKind.SERVER, attributes };
    this.#spans.set(request, this.#tracer.startSpan(nameOf(method), options, parent));
  }

  end(request: TracedRequest): void {
    const span = this.#spans.get(request);
    if (!span) return;
    const { method, route, status } = request;
    if (route !== undefined) {
      span.updateName(`${nameOf(method)} ${route}`);
      span.setAttribute('http.route', route);
    }
    if (status !== null) span.setAttribute('http.response.status_code', status);
    if (status === null || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }
}

/** Clients must not choose the names of spans, by which tools group them. */
function nameOf(method: string): string {
  return knownMethods.has(method) ? method : 'HTTP';
}
