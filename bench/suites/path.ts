/** `GET /ldpath/path` of two steps: the most that the server gives, and latency against load. */
import { GRAPH } from '../data/person-data.ts';
import { pathRequests } from '../data/person-requests.ts';
import type { Target } from '../load/request.ts';
import { stop } from '../measure/processes.ts';
import { putFile } from '../measure/put-file.ts';
import type { Figure, Outcome, Plot, Series } from '../report/figure.ts';
import type { Server, Stage } from '../stage.ts';
import { besideHello, helloRequests } from './beside-hello.ts';

/** Loads of the plot, as shares of what the closed loop gave. */
const SHARES = [0.05, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 1];

export async function benchPath(stage: Stage): Promise<Outcome> {
  const server = await stage.server();
  const target = { url: server.url, requests: pathRequests(stage.options.persons) };
  const figure = await besideHello(stage, {
    id: 'path',
    name: 'GET /ldpath/path, two steps, random starts',
    server,
    target,
    goal: 0.6,
  });
  const plots = stage.options.plots ? [await latencyPlot(stage, target, await stage.hello())] : [];
  return { figures: [figure, await metricsFigure(stage, target.requests)], plots };
}

/** A server with metrics, as by default, beside one without them. */
async function metricsFigure(stage: Stage, requests: Target['requests']): Promise<Figure> {
  const started: Server[] = [];
  const loaded = async (metrics: 'on' | 'off') => {
    const server = await stage.startServer(['--memory', '--metrics', metrics]);
    started.push(server);
    await putFile(`${server.url}/context?graph=${encodeURIComponent(GRAPH)}`, await stage.turtle());
    return { name: `--metrics ${metrics}`, server, target: { url: server.url, requests } };
  };
  try {
    const [on, off] = [await loaded('on'), await loaded('off')];
    return await besideHello(stage, {
      ...on,
      id: 'path.metrics',
      name: 'GET /ldpath/path, with metrics',
      goal: 0.97,
      reference: off,
    });
  } finally {
    for (const server of started) await stop(server.started);
  }
}

/** Open loads, so that waiting counts; each target up to what it gives. */
async function latencyPlot(stage: Stage, path: Target, hello: Server): Promise<Plot> {
  const series: Series[] = [];
  for (const [name, target] of [
    ['GET /ldpath/path', path],
    ['hello-world', helloRequests(hello)],
  ] as const) {
    const most = (await stage.closed(target)).requestsPerSecond;
    const middle: [number, number][] = [];
    const slow: [number, number][] = [];
    for (const share of SHARES) {
      const { latency, requestsPerSecond } = await stage.open(target, share * most);
      middle.push([requestsPerSecond, latency.p50]);
      slow.push([requestsPerSecond, latency.p99]);
    }
    series.push({ name: `${name}, p50`, points: middle }, { name: `${name}, p99`, points: slow });
  }
  return {
    title: 'Latency against load, at constant rates of arrival',
    x: { label: 'requests a second answered', scale: 'linear' },
    y: { label: 'ms from the moment due', scale: 'log' },
    series,
  };
}
