/** The description of all routes, and what it says about one response. */

import type { ShownSettings } from '../../src/cli/settings/shown-settings.ts';
import { fillConfig } from '../../src/config.ts';
import type { ErrorCode } from '../../src/errors.ts';
import { openApiDocument } from '../../src/http/description/openapi-document.ts';
import {
  ofEveryRequest,
  ofEveryWrite,
  ofGuardedRequests,
  ofPausedRequests,
} from '../../src/http/description/problem-groups.ts';
import { statusOfCode } from '../../src/http/problem.ts';
import { healthRoutes, probeRoutes } from '../../src/http/routes/health.ts';
import { metricsRoutes } from '../../src/http/routes/metrics.ts';
import type { Route } from '../../src/http/server/router.ts';
import type { Services } from '../../src/startup/create-services.ts';
import { allRoutes } from '../../src/startup/routes.ts';
import type { OpenApiDocument, OpenApiOperation, OpenApiResponse } from './openapi-examples.ts';

/** A response, as far as it is checked. */
export interface ObservedResponse {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly contentType: string | null;
  /** The code of a problem in JSON. */
  readonly code: string | undefined;
}

/** Stands for services that no request reaches: it can be called, and has every property. */
const nothing: object = new Proxy(() => nothing, { get: () => nothing });

/** All routes of a server with the default settings. They can be described, but not requested. */
function describedRoutes(base: string): Route[] {
  const health = nothing as Parameters<typeof healthRoutes>[0];
  const metrics = nothing as Parameters<typeof metricsRoutes>[0];
  const info = { version: '0', node: process.version, front: 'node' } as const;
  const monitoring = [...probeRoutes(health), ...healthRoutes(health, info), ...metricsRoutes(metrics)];
  const shown = nothing as ShownSettings;
  const parts = { monitoring, shown, isGuarded: true, rootMade: Promise.resolve() };
  return allRoutes(fillConfig({}), base, nothing as Services, parts);
}

const base = 'http://pathpool.test';
const { paths, components } = openApiDocument(describedRoutes(base), {
  base,
  version: '0',
  guards: 'everything',
}) as unknown as OpenApiDocument;

/** Parameters of paths that may contain slashes. */
const withSlashes = ['{uuid}', '{path}'];

const patterns = Object.keys(paths).map((template) => ({ template, pattern: patternOf(template) }));

function patternOf(template: string): RegExp {
  const segments = template.split('/').map((segment) => {
    if (withSlashes.includes(segment)) return '.*';
    return segment.startsWith('{') ? '[^/]+' : segment.replaceAll('.', '\\.');
  });
  return new RegExp(`^${segments.join('/')}$`);
}

/**
 * Returns what the description lacks of a response, or undefined if it has all. `path`: below the
 * path of the base; undefined elsewhere.
 */
export function lackOf(path: string | undefined, response: ObservedResponse): string | undefined {
  const items = path === undefined ? [] : itemsAt(path);
  const operations = items.flatMap((item) => item[response.method.toLowerCase()] ?? []);
  if (operations.length === 0 || lacksCancelling(path, response)) return lackElsewhere(response);
  const responses = operations.flatMap(({ responses }) => responses[response.status] ?? []).map(resolved);
  if (responses.length === 0) return `the status ${response.status}`;
  if (response.code !== undefined) {
    return responses.some((each) => codesOf(each).includes(response.code!)) ? undefined : 'the error code';
  }
  if (response.method === 'HEAD' || response.contentType === null) return undefined;
  return responses.some((each) => hasType(each, response.contentType!)) ? undefined : 'the media type';
}

/** Whether it is the response of a server with `--keep-tasks`, which lacks the operation. */
function lacksCancelling(path: string | undefined, { method, code }: ObservedResponse): boolean {
  return method === 'DELETE' && path?.startsWith('/tasks/') === true && code === 'method-not-allowed';
}

function itemsAt(path: string): Readonly<Record<string, OpenApiOperation>>[] {
  const fixed = paths[path] ?? paths[path.replace(/\/$/, '')];
  if (fixed) return [fixed];
  return patterns
    .filter(({ template, pattern }) => pattern.test(path) && template.includes('{'))
    .map(({ template }) => paths[template]!);
}

const ofOtherRequests: readonly ErrorCode[] = ['not-found', 'method-not-allowed', 'unknown-method'];

/** For paths and methods that the description does not list. */
function lackElsewhere({ status, code }: ObservedResponse): string | undefined {
  const codes = [
    ...ofEveryRequest,
    ...ofGuardedRequests,
    ...ofPausedRequests,
    ...ofEveryWrite,
    ...ofOtherRequests,
  ];
  const known = codes.some((each) => (code === undefined ? statusOfCode(each) === status : each === code));
  return known ? undefined : 'the operation';
}

function resolved(response: OpenApiResponse): OpenApiResponse {
  const name = response.$ref?.slice('#/components/responses/'.length);
  return name === undefined ? response : components.responses[name]!;
}

function codesOf({ content }: OpenApiResponse): readonly string[] {
  const schema = content?.['application/problem+json']?.schema as
    | { allOf: readonly { properties?: { code: { enum: readonly string[] } } }[] }
    | undefined;
  return schema?.allOf.flatMap(({ properties }) => properties?.code.enum ?? []) ?? [];
}

function hasType({ content = {} }: OpenApiResponse, contentType: string): boolean {
  const [type = ''] = contentType.toLowerCase().split(';');
  return type in content || '*/*' in content;
}
