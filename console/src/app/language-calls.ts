/** TEMPORARY until the client has these calls. */
import { type NodeObject, PathpoolError } from '../../../src/library/client/entry.ts';
import { serverUrl } from './location.ts';
import { sessionFetch } from './session.ts';

export interface Place {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly length?: number;
}
export interface Finding extends Place {
  readonly code: string;
  readonly detail: string;
}
export interface ProgramCheck {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly fields: readonly (Place & { readonly name: string })[];
  readonly filter: boolean;
  readonly boost: boolean;
}
export interface TraceEdge {
  readonly from: number;
  readonly to: number;
  readonly predicate: string;
  readonly inverse: boolean;
  readonly field: string;
  readonly step: number;
  readonly used: boolean;
}
export interface Trace {
  readonly nodes: readonly (NodeObject & { readonly cut?: boolean })[];
  readonly places: readonly (Place & { readonly field: string; readonly test: boolean })[];
  readonly edges: readonly TraceEdge[];
  readonly fields: readonly { readonly name: string; readonly nodes: readonly number[]; readonly values: readonly NodeObject[] }[];
  readonly truncated: boolean;
  readonly steps: number;
  readonly milliseconds: number;
  readonly budget: { readonly steps: number; readonly milliseconds: number };
}
export interface TracedResult {
  readonly warnings: readonly unknown[];
  readonly result: Record<string, NodeObject[]>;
  readonly skipped: readonly { readonly field: string; readonly message: string }[];
  readonly filter?: boolean;
  readonly boost?: number;
  readonly trace: Trace;
}
async function post(path: string, body: string, signal?: AbortSignal): Promise<unknown> {
  const response = await sessionFetch(new URL(path, serverUrl), {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    body,
    ...(signal && { signal }),
  });
  const json = await response.json();
  if (!response.ok) throw new PathpoolError(response.status, json);
  return json;
}
export async function check(program: string, options: { signal?: AbortSignal } = {}): Promise<ProgramCheck> {
  return (await post('ldpath/check', program, options.signal)) as ProgramCheck;
}
export async function trace(program: string, uri: string, options: { signal?: AbortSignal } = {}): Promise<TracedResult> {
  const json = (await post(`ldpath/debug?trace&context=${encodeURIComponent(uri)}`, program, options.signal)) as {
    warnings: unknown[];
    results: Record<string, TracedResult>;
  };
  return { ...Object.values(json.results)[0]!, warnings: json.warnings };
}
