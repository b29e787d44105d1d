import { useId } from 'preact/hooks';
import type { KnownGraphs } from './target.ts';

/** What the user has chosen; the name of the graph may be unfinished. */
export interface Choice {
  readonly to: 'graph' | 'dataset';
  readonly graph: string;
  readonly replaces: boolean;
}

interface TargetFormProps {
  readonly choice: Choice;
  readonly onChange: (choice: Choice) => void;
  readonly graphs: KnownGraphs | undefined;
  readonly disabled: boolean;
}

/** Where files go, and whether they replace what is there. */
export function TargetForm({ choice, onChange, graphs, disabled }: TargetFormProps) {
  const names = useId();
  const { to, graph, replaces } = choice;
  return (
    <fieldset class="load-target" disabled={disabled}>
      <legend>Where to</legend>
      <Choices
        label="Graphs"
        value={to}
        options={{ graph: 'One graph', dataset: 'The graphs that the file names' }}
        onChange={(value) => onChange({ ...choice, to: value })}
      />
      {to === 'graph' && (
        <label>
          Graph
          <input
            list={names}
            required
            placeholder="http://example.org/graph"
            autocomplete="off"
            spellcheck={false}
            value={graph}
            onInput={({ currentTarget }) => onChange({ ...choice, graph: currentTarget.value.trim() })}
          />
          <datalist id={names}>
            {[...(graphs?.sizes.keys() ?? [])].map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </label>
      )}
      <Choices
        label="What is there already"
        value={replaces ? 'replace' : 'add'}
        options={{ add: 'Keep, and add to it', replace: 'Replace' }}
        onChange={(value) => onChange({ ...choice, replaces: value === 'replace' })}
      />
      <div role="status">
        <Consequence choice={choice} graphs={graphs} />
      </div>
    </fieldset>
  );
}

interface ChoicesProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: Readonly<Record<T, string>>;
  readonly onChange: (value: T) => void;
}

function Choices<T extends string>({ label, value, options, onChange }: ChoicesProps<T>) {
  const name = useId();
  const entries = Object.entries(options) as [T, string][];
  return (
    <div class="choices" role="radiogroup" aria-label={label}>
      {entries.map(([each, title]) => (
        <label key={each}>
          <input type="radio" name={name} checked={each === value} onChange={() => onChange(each)} /> {title}
        </label>
      ))}
    </div>
  );
}

interface ConsequenceProps {
  readonly choice: Choice;
  readonly graphs: KnownGraphs | undefined;
}

/** Says what loading will do to the data. */
function Consequence({ choice: { to, graph, replaces }, graphs }: ConsequenceProps) {
  if (to === 'dataset') {
    return replaces ? (
      <p class="warning">
        All graphs of the server will be removed and replaced by the files, except those of LDP resources.
      </p>
    ) : (
      <p class="hint">Triples without a graph go to the default context.</p>
    );
  }
  if (!graphs || graph === '') return null;
  const size = graphs.sizes.get(graph);
  if (size === undefined) {
    return <p class="hint">{graphs.isComplete ? 'This is a new graph.' : 'The graph may exist already.'}</p>;
  }
  return replaces ? (
    <p class="warning">This graph exists: its {countOf(size)} will be replaced.</p>
  ) : (
    <p class="hint">This graph exists, with {countOf(size)}.</p>
  );
}

export function countOf(triples: number): string {
  return `${triples.toLocaleString('en')} triple${triples === 1 ? '' : 's'}`;
}
