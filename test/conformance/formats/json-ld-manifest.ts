import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FormatSuite, FormatTest } from './format-test.ts';

interface Manifest {
  readonly baseIri: string;
  readonly sequence: readonly Entry[];
}

interface Entry {
  readonly '@id': string;
  readonly '@type': readonly string[];
  readonly input: string;
  readonly expect?: string;
  readonly option?: { readonly specVersion?: string; readonly base?: string };
}

/** Returns the tests of JSON-LD 1.1, without those for processors that implement only 1.0. */
export function jsonLdSuites(folder: string): FormatSuite[] {
  const read = readManifest(folder, 'toRdf', 'application/ld+json');
  const write = readManifest(folder, 'fromRdf', 'application/n-quads');
  const ofKind = (kind: FormatTest['kind']) => read.filter((test) => test.kind === kind);
  return [
    { name: 'JSON-LD toRdf, read', tests: ofKind('read') },
    { name: 'JSON-LD toRdf, positive syntax', tests: ofKind('positive syntax') },
    { name: 'JSON-LD toRdf, negative syntax', tests: ofKind('negative syntax') },
    { name: 'JSON-LD fromRdf, write', tests: write },
  ];
}

/**
 * Returns arguments by which a server knows the contexts that the tests name. Files without a
 * context, which tests of errors name, are left out.
 */
export function contextArguments(folder: string): string[] {
  const { baseIri } = readJson(folder, 'toRdf-manifest.jsonld') as Manifest;
  const files = readdirSync(join(folder, 'toRdf'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /-context[^/]*\.jsonld$/.test(file))
    .flatMap((file) => ['--context', `${baseIri}toRdf/${file}=${join(folder, 'toRdf', file)}`]);
}

function readJson(folder: string, file: string): unknown {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}

function readManifest(folder: string, name: string, mediaType: string): FormatTest[] {
  const { baseIri, sequence } = readJson(folder, `${name}-manifest.jsonld`) as Manifest;
  return sequence
    .filter(({ option }) => option?.specVersion !== 'json-ld-1.0')
    .map((entry) => {
      const test = {
        name: `${name}/${entry['@id'].slice(1)}`,
        kind: kindOf(entry, name),
        mediaType,
        input: { file: join(folder, entry.input) },
        base: entry.option?.base ?? `${baseIri}${entry.input}`,
      };
      return entry.expect === undefined ? test : { ...test, expected: { file: join(folder, entry.expect) } };
    });
}

function kindOf(entry: Entry, manifest: string): FormatTest['kind'] {
  const types = entry['@type'];
  if (types.includes('jld:NegativeEvaluationTest')) return 'negative syntax';
  if (types.includes('jld:PositiveSyntaxTest')) return 'positive syntax';
  return manifest === 'toRdf' ? 'read' : 'write';
}
