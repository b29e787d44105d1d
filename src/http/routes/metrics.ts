import { failure } from '../../errors.ts';
import { negotiate } from '../../rdf/media-types/accept.ts';
import { endpoint } from '../description/endpoint.ts';
import type { HandlerResult, HttpRequest } from '../server/message.ts';
import type { Route } from '../server/router.ts';
import { forWholeView } from '../whole-view.ts';
import { readMetrics } from './health-operations.ts';

/** Writes the metrics of the server. */
export interface Metrics {
  write(format: 'prometheus' | 'openmetrics'): Promise<string>;
}

const forms = [
  {
    type: 'text/plain',
    format: 'prometheus',
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
  },
  {
    type: 'application/openmetrics-text',
    format: 'openmetrics',
    contentType: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  },
] as const;

const available = forms.map(({ type }) => type);
const notAForm = failure('not-acceptable', 'Metrics are available as text and as OpenMetrics.', {
  available,
});

/** The route of the metrics (http-api 6.7). */
export function metricsRoutes(metrics: Metrics): Route[] {
  const show = async (request: HttpRequest): Promise<HandlerResult> => {
    const form = negotiate(request.header('accept'), forms)?.candidate;
    if (!form) return notAForm;
    const headers = [
      ['Content-Type', form.contentType],
      ['Cache-Control', 'no-store'],
      ['Vary', 'Accept'],
    ] as const;
    return { status: 200, headers, body: await metrics.write(form.format) };
  };
  return [{ path: '/metrics', methods: { GET: endpoint(forWholeView(show), readMetrics) } }];
}
