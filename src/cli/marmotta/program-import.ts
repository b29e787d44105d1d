import type { Home } from './home.ts';
import type { Report } from './report.ts';
import { isRefusal, reasonOf, type TargetServer } from './target-server.ts';

interface ProgramImportParts {
  readonly server: TargetServer;
  readonly report: Report;
}

/** Stores the programs of Solr cores, with those of Marmotta's prefixes that they use. */
export async function importPrograms(
  { programs }: Home,
  prefixes: ReadonlyMap<string, string>,
  { server, report }: ProgramImportParts,
): Promise<void> {
  for (const { name, text } of programs) {
    const path = `/ldpath/programs/${encodeURIComponent(name)}`;
    const body = JSON.stringify({ program: text, namespaces: usedBy(text, prefixes) });
    const headers = { 'If-None-Match': '*' };
    const outcome = await server.upload(path, { method: 'PUT', type: 'application/json', body, headers });
    if (isRefusal(outcome)) {
      report.add('skipped', 'programs that the server refuses', `${name}: ${reasonOf(outcome)}`);
    } else if (outcome) {
      report.add('imported', 'programs of Solr cores', name);
    } else if ((await server.read(path, 'text/plain')) === text) {
      report.add('present', 'programs of Solr cores', name);
    } else {
      report.add('skipped', 'programs of Solr cores, since the server has another one of the name', name);
    }
  }
}

function usedBy(text: string, prefixes: ReadonlyMap<string, string>): Record<string, string> {
  const used = [...prefixes].filter(([name]) => {
    const isUsed = new RegExp(`(?<![\\w.-])${name}:`).test(text);
    return isUsed && !new RegExp(`@prefix\\s+${name}\\s*:`).test(text);
  });
  return Object.fromEntries(used);
}
