import type { Families } from './families.ts';
import type { MetricSources } from './readings.ts';

export function defineRequestMetrics(families: Families, { meter }: MetricSources): void {
  families.counter(
    {
      name: 'http_requests_total',
      help: 'Requests that have ended.',
      labels: ['route', 'method', 'status'],
    },
    function* () {
      for (const { route, method, statuses } of meter) {
        for (const [status, count] of statuses) {
          yield [{ route, method, status: status === 0 ? 'aborted' : status }, count];
        }
      }
    },
  );
  families.histogram(
    {
      name: 'http_request_duration_seconds',
      help: 'Time from the head of a request to the end of its response.',
      labels: ['route', 'method'],
    },
    function* () {
      for (const { route, method, durations } of meter) yield [{ route, method }, durations];
    },
  );
  families.gauge({ name: 'http_requests_running', help: 'Requests that have not ended.' }, () => [
    [{}, meter.running],
  ]);
  families.counter(
    {
      name: 'http_problems_total',
      help: 'Error responses by the code of the problem.',
      labels: ['code'],
    },
    function* () {
      for (const [code, count] of meter.problems) yield [{ code }, count];
    },
  );
}
