import { readFile } from 'node:fs/promises';
import { readStarts } from '../../src/cli/eval/start-file.ts';
import { PATH, PROGRAM } from '../data/person-data.ts';
import { numbered, type Target } from '../load/request.ts';
import { type Client, graphsOf, graphToRead, sampleStarts } from './discovery.ts';
import { type Kind, type Material, requestsOf, SMALL_SOURCE } from './kinds.ts';
import type { CapacityOptions } from './options.ts';

/** For data of which nothing is known. */
const ANY_PATH = '*';
const ANY_PROGRAM = `types = rdf:type ; values = * ; types_of_values = */rdf:type ;
  names = (rdfs:label | skos:prefLabel | dct:title | foaf:name | schema:name) ;`;
const CONTAINER = '<http://www.w3.org/ns/ldp#BasicContainer>; rel="type"';

/** A kind of request that can be measured. */
export interface Ready {
  readonly kind: Kind;
  readonly target: Target;
}

/** A kind that can't, and why. */
export interface LeftOut {
  readonly kind: Kind;
  readonly reason: string;
}

/** Finds out what to ask, and tries each kind once. */
export async function prepare(
  client: Client,
  options: CapacityOptions,
  writable: boolean,
): Promise<{ ready: Ready[]; leftOut: LeftOut[]; starts: number }> {
  const material = await gather(client, options, writable);
  const ready: Ready[] = [];
  const leftOut: LeftOut[] = [];
  for (const kind of options.kinds) {
    const found = targetOf(kind, material, client, options.authorization);
    const reason = typeof found === 'string' ? found : await refusal(found);
    if (reason !== undefined) leftOut.push({ kind, reason });
    else if (typeof found !== 'string') ready.push({ kind, target: found });
  }
  return { ready, leftOut, starts: material.starts.length };
}

async function gather(client: Client, options: CapacityOptions, writable: boolean): Promise<Material> {
  const graphs = await graphsOf(client);
  const starts = options.starts ? await readStarts(options.starts) : await sampleStarts(client, graphs);
  if (starts.length === 0) {
    throw new Error(
      options.starts
        ? `${options.starts} has no start resources`
        : 'the data have no subject that is an IRI: use --starts',
    );
  }
  const known = options.subject.kind === 'persons';
  return {
    path: options.path ?? (known ? PATH : ANY_PATH),
    program: options.program ? await readFile(options.program, 'utf8') : known ? PROGRAM : ANY_PROGRAM,
    starts,
    graph: options.graph ?? graphToRead(graphs),
    ...(await ldpPlaces(client, writable)),
  };
}

async function ldpPlaces(
  client: Client,
  writable: boolean,
): Promise<Pick<Material, 'ldpSource' | 'ldpContainer'>> {
  const ldpContainer = writable ? await create(client, '/ldp', CONTAINER) : undefined;
  const made = ldpContainer && (await create(client, ldpContainer));
  if (made !== undefined) return { ldpSource: made, ldpContainer };
  const root = await client.request('/ldp', { headers: { Accept: 'text/turtle' } });
  await root.arrayBuffer();
  return { ldpSource: root.ok ? '/ldp' : undefined, ldpContainer };
}

/** Its path below the server's base. */
async function create(client: Client, container: string, link?: string): Promise<string | undefined> {
  const headers = { ...SMALL_SOURCE.headers, ...(link !== undefined && { Link: link }) };
  const response = await client.request(container, { method: 'POST', headers, body: SMALL_SOURCE.body });
  await response.arrayBuffer();
  const location = response.headers.get('location');
  return response.status === 201 && location ? location.slice(location.indexOf('/ldp/')) : undefined;
}

function targetOf(
  kind: Kind,
  material: Material,
  { url }: Client,
  authorization: string | undefined,
): Target | string {
  const found = requestsOf(kind, material);
  if (typeof found === 'string') return found;
  const { origin, pathname } = new URL(url);
  const prefix = pathname.replace(/\/$/, '');
  const common = authorization === undefined ? {} : { Authorization: authorization };
  const requests = found.map((request) => ({
    ...request,
    path: prefix + request.path,
    headers: { ...common, ...request.headers },
  }));
  return { url: origin, requests };
}

/** What the server says against the first request of a kind; undefined when nothing. */
async function refusal({ url, requests }: Target): Promise<string | undefined> {
  const { method, path, headers, body, expect } = numbered(requests[0]!, Date.now());
  const init = {
    method,
    redirect: 'manual',
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  } as const;
  const response = await fetch(url + path, init);
  const text = await response.text();
  if ([expect.status].flat().includes(response.status)) return undefined;
  return `the server answered ${response.status}: ${detail(text)}`;
}

function detail(problem: string): string {
  try {
    return (JSON.parse(problem) as { detail: string }).detail;
  } catch {
    return problem.slice(0, 200);
  }
}
