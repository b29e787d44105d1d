import { useEffect, useRef, useState } from 'preact/hooks';
import { addressOf, navigate, replaceAddress, usePlace } from '../../app/location.ts';
import { Problem } from '../../components/problem.tsx';
import { pageOf } from '../../resources/address.ts';
import { labelsOf } from '../../resources/labels.ts';
import { ResourceLink } from '../../resources/node.tsx';
import { loadPrefixes } from '../../resources/prefixes.ts';
import { completionsOf, type Hit, isIri, labelledWith, MAX_HITS } from '../../resources/search.ts';

interface Found {
  readonly hits: readonly Hit[];
  readonly status: string;
  readonly error?: unknown;
}

const nothing: Found = { hits: [], status: '' };
/** Milliseconds after a key before a request is sent. */
const TYPING_PAUSE = 200;

/** Finds resources by the beginning of their names, as one types, or by their labels. */
export function FindResource() {
  const { state } = usePlace();
  const [text, setText] = useState(state.get('find') ?? '');
  const [found, setFound] = useState(nothing);
  const running = useRef<AbortController>(undefined);
  const run = (search: (signal: AbortSignal) => Promise<void>) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    search(controller.signal).catch((error: unknown) => {
      if (!controller.signal.aborted) setFound({ ...nothing, error });
    });
  };
  useEffect(() => () => running.current?.abort(), []);
  const byName = async (signal: AbortSignal) => {
    const names = (await completionsOf(text, signal)).filter((name) => !isIncomplete(name));
    const prefixes = await loadPrefixes();
    const uris = names.map((name) => prefixes.expand(name));
    const labels = await labelsOf(uris, signal);
    const hits = uris.map((uri) => ({ uri, label: labels.get(uri) }));
    setFound({ hits, status: `${hits.length} ${hits.length === 1 ? 'name begins' : 'names begin'} so.` });
  };
  const byLabel = async (signal: AbortSignal) => {
    setFound({ hits: [], status: 'Searching labels…' });
    const hits: Hit[] = [];
    for await (const hit of labelledWith(text.trim(), signal)) {
      hits.push(hit);
      setFound({ hits: [...hits], status: 'Searching labels…' });
    }
    const rest = hits.length === MAX_HITS ? ' There are more.' : '';
    setFound({ hits, status: `${hits.length} ${hits.length === 1 ? 'resource' : 'resources'}.${rest}` });
  };
  useEffect(() => {
    if (text.trim() === '') {
      setFound(nothing);
      return;
    }
    if (!text.includes(':')) return;
    const timer = setTimeout(() => run(byName), TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  const submit = async () => {
    const prefixes = await loadPrefixes();
    const iri = prefixes.expand(text.trim().replace(/^<(.*)>$/, '$1'));
    if (isIri(iri) || iri.startsWith('_:')) navigate(pageOf(iri));
    else if (text.trim() !== '') {
      replaceAddress(addressOf('browse', {}, { find: text }));
      run(byLabel);
    }
  };
  return (
    <search>
      <form
        class="find-resource"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label>
          Find a resource
          <input
            type="search"
            placeholder="schema:Person, http://…, or a word of its label"
            autocomplete="off"
            spellcheck={false}
            value={text}
            onInput={({ currentTarget: { value } }) => setText(value)}
          />
        </label>
        <div class="buttons">
          <button type="submit" class="primary">
            Open
          </button>
          <button type="button" disabled={text.trim() === ''} onClick={() => run(byLabel)}>
            Search labels
          </button>
        </div>
      </form>
      <p role="status" class="hint">
        {found.status}
      </p>
      {found.error !== undefined && <Problem error={found.error} />}
      {found.hits.length > 0 && (
        <ul class="hits" aria-label="Resources">
          {found.hits.map(({ uri, label }) => (
            <li key={uri}>
              <ResourceLink resource={uri} label={label} />
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}

/** Whether a completion is no resource, but a prefix or a function. */
function isIncomplete(name: string): boolean {
  return !name.includes(':') || name.startsWith('fn:');
}
