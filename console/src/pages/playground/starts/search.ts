import { expanded, shortened } from '../../../editor/ldpath/known-names.ts';
import type { Namespaces } from '../../../resources/prefixes.ts';
import { completionsOf, labelledWith } from '../../../resources/search.ts';

/** A resource, or a prefix with which the search goes on. */
export interface Suggestion {
  /** The IRI; undefined for a prefix. */
  readonly iri?: string;
  /** A prefixed name, an IRI, or a prefix with its colon. */
  readonly name: string;
  readonly label?: string | undefined;
}

const MAX_BY_LABEL = 20;
/** A shorter text is in too many labels. */
const MIN_LABEL_LENGTH = 3;
/** Milliseconds after which a search by label ends: there is no index of labels. */
const LABEL_TIME = 10_000;

/** Finds resources whose IRI or prefixed name begins with the text, and prefixes that do. */
export async function searchByName(
  text: string,
  known: Namespaces,
  signal: AbortSignal,
): Promise<Suggestion[]> {
  // The program may declare a prefix that the server does not know.
  const names = await completionsOf(expanded(text, known) ?? text, signal);
  return names
    .filter((name) => name !== 'fn' && !name.startsWith('fn:'))
    .map((name) => {
      if (!name.includes(':')) return { name: `${name}:` };
      const iri = expanded(name, known) ?? name;
      return { iri, name: shortened(iri, known) };
    });
}

/** Finds resources with the text in a label; those that were found when the time is over. */
export async function searchByLabel(
  text: string,
  known: Namespaces,
  signal: AbortSignal,
): Promise<Suggestion[]> {
  if (text.length < MIN_LABEL_LENGTH || text.includes(':')) return [];
  const found: Suggestion[] = [];
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(LABEL_TIME)]);
    for await (const { uri, label } of labelledWith(text, limited)) {
      found.push({ iri: uri, name: shortened(uri, known), label });
      if (found.length === MAX_BY_LABEL) break;
    }
  } catch {
    // What was found before the end is still right.
  }
  return found;
}

/** Returns the start resource that a text names in full, if it does. */
export function startNamedBy(text: string, known: Namespaces): string | undefined {
  const trimmed = text.trim().replace(/^<(.*)>$/, '$1');
  if (/\s/.test(trimmed) || trimmed === '') return undefined;
  if (/^_:\S+$/.test(trimmed)) return trimmed;
  const iri = expanded(trimmed, known);
  if (iri !== undefined) return trimmed.endsWith(':') ? undefined : iri;
  return /^[a-z][a-z0-9+.-]*:\S+$/i.test(trimmed) ? trimmed : undefined;
}
