import { client } from '../app/client.ts';
import { requestServer } from '../app/request.ts';
import { anyLabel, bestLabel } from './labels.ts';

/** A resource that a search has found. */
export interface Hit {
  readonly uri: string;
  readonly label: string | undefined;
}

/** Maximum number of resources that a search by label returns. */
export const MAX_HITS = 100;

/** Returns what completes the beginning of an IRI or of a prefixed name. */
export async function completionsOf(beginning: string, signal: AbortSignal): Promise<string[]> {
  const name = isIri(beginning) ? 'uri' : 'prefix';
  const path = `ldpath/util/complete?${name}=${encodeURIComponent(beginning)}`;
  const response = await requestServer(path, { signal });
  return (await response.json()) as string[];
}

/** Whether a text looks like an IRI, not like a prefixed name. */
export function isIri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/|^urn:/i.test(text);
}

/** Yields the subjects with a label that contains a text, in any case of its letters. */
export async function* labelledWith(text: string, signal: AbortSignal): AsyncGenerator<Hit, void> {
  const program = `@filter ${anyLabel}[fn:contains(fn:lower(.), ${quoted(text.toLowerCase())})] ;
    label = ${bestLabel} ;`;
  const lines = client.ldpath.batch(program, { starts: { subjects: true }, signal });
  let count = 0;
  for await (const { uri, result } of lines) {
    if (result) yield { uri, label: result['label']?.[0]?.value };
    if (++count === MAX_HITS) return;
  }
}

/** Writes a text as a string of LDPath in single quotes, which has the escapes of Turtle. */
function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll("'", "\\'")}'`;
}
