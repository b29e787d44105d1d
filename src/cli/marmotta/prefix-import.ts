import { iriError } from '../../rdf/model/iri.ts';
import type { Report } from './report.ts';
import { isRefusal, reasonOf, type TargetServer } from './target-server.ts';

/** Names that Turtle and LDPath allow. */
const PREFIX_NAME = /^[A-Za-z][\w-]{0,31}$/;

/** Returns the prefixes of Marmotta's settings that can be used. */
export function usablePrefixes(prefixes: ReadonlyMap<string, string>, report: Report): Map<string, string> {
  const usable = new Map<string, string>();
  for (const [name, namespace] of prefixes) {
    if (isUsable(name, namespace)) usable.set(name, namespace);
    else report.add('skipped', 'prefixes whose names or namespaces are not valid', `${name}=${namespace}`);
  }
  return usable;
}

function isUsable(name: string, namespace: string): boolean {
  return PREFIX_NAME.test(name) && iriError(namespace) === undefined;
}

/** Stores prefixes on the server, unless it has stored others of the same names. */
export async function importPrefixes(
  prefixes: ReadonlyMap<string, string>,
  server: TargetServer,
  report: Report,
): Promise<void> {
  const known = JSON.parse((await server.read('/prefixes', 'application/json')) ?? '{}') as object;
  const table = new Map(Object.entries(known));
  for (const [name, namespace] of prefixes) {
    const pair = `${name}=${namespace}`;
    if (table.get(name) === namespace) {
      report.add('present', 'prefixes', pair);
      continue;
    }
    if (!isUsable(name, namespace)) continue;
    const headers = { 'If-None-Match': '*' };
    const body = { method: 'PUT', type: 'text/plain', body: namespace, headers } as const;
    const outcome = await server.upload(`/prefixes/${name}`, body);
    if (isRefusal(outcome)) {
      report.add('skipped', 'prefixes that the server refuses', `${pair}: ${reasonOf(outcome)}`);
    } else if (outcome) report.add('imported', 'prefixes', pair);
    else report.add('skipped', 'prefixes, since the server has others of the same names', pair);
  }
}
