import { shortened } from '../../../editor/ldpath/known-names.ts';
import { pageOf } from '../../../resources/address.ts';
import type { Namespaces } from '../../../resources/prefixes.ts';
import { MAX_STARTS } from '../address-state.ts';
import { StartCombobox } from './combobox.tsx';

interface StartListProps {
  readonly starts: readonly string[];
  readonly known: Namespaces;
  readonly onChange: (starts: readonly string[]) => void;
}

/** The start resources, and the search for more. */
export function StartList({ starts, known, onChange }: StartListProps) {
  const add = (start: string) => onChange([...new Set([...starts, start])]);
  return (
    <section class="starts" aria-label="Start resources">
      <h2>Start resources</h2>
      {starts.length > 0 && (
        <ul class="start-list">
          {starts.map((start) => (
            <li key={start}>
              <a href={pageOf(start)} title={start}>
                {shortened(start, known)}
              </a>
              <button
                type="button"
                class="quiet"
                aria-label={`Remove ${shortened(start, known)}`}
                onClick={() => onChange(starts.filter((each) => each !== start))}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      <StartCombobox known={known} onChoose={add} disabled={starts.length >= MAX_STARTS} />
    </section>
  );
}
