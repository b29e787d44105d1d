import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Namespaces } from '../../../resources/prefixes.ts';
import { type Suggestion, searchByLabel, searchByName, startNamedBy } from './search.ts';

interface StartComboboxProps {
  readonly known: Namespaces;
  readonly onChoose: (start: string) => void;
  /** Whether there is room for another start resource. */
  readonly disabled: boolean;
}

/** Milliseconds without typing after which a search begins. */
const DELAY = 150;

/** Finds resources by their IRI, prefixed name or label: a combobox as in the ARIA practices. */
export function StartCombobox({ known, onChoose, disabled }: StartComboboxProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [active, setActive] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const { found, isSearching } = useSearch(text, known);
  const shown = isOpen && text.trim() !== '';
  const choose = ({ iri, name }: Suggestion) => {
    setActive(-1);
    if (iri === undefined) return setText(name);
    onChoose(iri);
    setText('');
    setOpen(false);
  };
  const chooseText = () => {
    const start = startNamedBy(text, known);
    if (start !== undefined) choose({ iri: start, name: start });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextActive(event.key, active, found.length);
    if (next !== undefined) {
      setOpen(true);
      setActive(next);
    } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      const suggestion = shown ? found[active] : undefined;
      if (suggestion) choose(suggestion);
      else chooseText();
    } else if (event.key === 'Escape' && shown) setOpen(false);
    else return;
    event.preventDefault();
  };
  return (
    <div class="combobox">
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label="Add a start resource"
        aria-autocomplete="list"
        aria-expanded={shown && found.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={shown && active >= 0 ? `${id}-${active}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder="IRI, prefixed name or label"
        disabled={disabled}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setActive(-1);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      />
      <div
        role="listbox"
        id={`${id}-list`}
        aria-label="Resources found"
        class="combobox-list"
        hidden={!shown || found.length === 0}
      >
        {found.map((suggestion, i) => (
          <Option
            key={suggestion.name}
            id={`${id}-${i}`}
            suggestion={suggestion}
            isActive={i === active}
            onChoose={() => choose(suggestion)}
          />
        ))}
      </div>
      <p class="visually-hidden" role="status">
        {shown && !isSearching && `${found.length} found`}
      </p>
      {shown && found.length === 0 && (
        <p class="combobox-hint hint">
          {isSearching
            ? 'Searching…'
            : startNamedBy(text, known) === undefined
              ? 'Nothing found.'
              : 'Nothing found. Enter adds it as it is.'}
        </p>
      )}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly suggestion: Suggestion;
  readonly isActive: boolean;
  readonly onChoose: () => void;
}

function Option({ id, suggestion: { name, iri, label }, isActive, onChoose }: OptionProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isActive}
      title={iri}
      // The input keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span>{name}</span>
      <span class="hint">{label ?? (iri === undefined ? 'prefix' : '')}</span>
    </div>
  );
}

function nextActive(key: string, active: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (active + 1) % count;
  if (key === 'ArrowUp') return (active <= 0 ? count : active) - 1;
  return undefined;
}

interface Search {
  readonly found: readonly Suggestion[];
  readonly isSearching: boolean;
}

const nothing: Search = { found: [], isSearching: false };

/** Searches for the text: names come first, and labels when they are found. */
function useSearch(text: string, known: Namespaces): Search {
  const [search, setSearch] = useState(nothing);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === '') {
      setSearch(nothing);
      return;
    }
    setSearch(({ found }) => ({ found, isSearching: true }));
    const abort = new AbortController();
    const timer = setTimeout(() => void searchBoth(wanted), DELAY);
    const searchBoth = async (sought: string) => {
      const labels = searchByLabel(sought, known, abort.signal);
      const named = await searchByName(sought, known, abort.signal).catch(() => []);
      if (abort.signal.aborted) return;
      setSearch({ found: named, isSearching: true });
      const labelled = await labels;
      if (!abort.signal.aborted) setSearch({ found: merged(named, labelled), isSearching: false });
    };
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, known]);
  return search;
}

function merged(named: readonly Suggestion[], labelled: readonly Suggestion[]): readonly Suggestion[] {
  const known = new Set(named.map(({ name }) => name));
  return [...named, ...labelled.filter(({ name }) => !known.has(name))];
}
