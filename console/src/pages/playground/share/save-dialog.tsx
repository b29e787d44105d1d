import { useState } from 'preact/hooks';
import {
  type DeclaredStarts,
  PathpoolError,
  type StoredProgram,
} from '../../../../../src/library/client/entry.ts';
import { client } from '../../../app/client.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { Problem } from '../../../components/problem.tsx';

/** The stored program that the editor shows, as it was when it was read or saved. */
export type OpenedProgram = Pick<StoredProgram, 'name' | 'starts' | 'tag'>;

interface SaveDialogProps {
  readonly program: string;
  readonly opened: OpenedProgram | undefined;
  readonly onSaved: (saved: OpenedProgram) => void;
  readonly onClose: () => void;
}

type StartKind = 'subjects' | 'type' | 'graph';

const NAME_PATTERN = '[A-Za-z0-9_\\-][A-Za-z0-9._\\-]{0,127}';

/** Saves the program on the server, without overwriting what the user has not seen. */
export function SaveDialog({ program, opened, onSaved, onClose }: SaveDialogProps) {
  const [name, setName] = useState(opened?.name ?? '');
  const [kind, setKind] = useState<StartKind>(kindOf(opened?.starts ?? null));
  const [iri, setIri] = useState(iriOf(opened?.starts ?? null));
  const [error, setError] = useState<unknown>();
  const [conflict, setConflict] = useState<string>();
  const save = async (isOverwriting: boolean) => {
    setError(undefined);
    setConflict(undefined);
    const starts = startsOf(kind, iri.trim());
    try {
      const seen = isOverwriting ? (await client.programs.get(name)).tag : tagOf(opened, name);
      const condition = seen === undefined ? { ifNoneMatch: '*' } : { ifMatch: seen };
      const { tag } = await client.programs.put(name, { program, starts }, condition);
      onSaved({ name, starts, tag });
    } catch (reason) {
      if (reason instanceof PathpoolError && reason.status === 412) setConflict(conflictText(opened, name));
      else setError(reason);
    }
  };
  const submit = (event: Event) => {
    event.preventDefault();
    void save(false);
  };
  return (
    <Dialog title="Save on the server" onClose={onClose}>
      <form onSubmit={submit}>
        <label>
          Name
          <input
            value={name}
            required
            pattern={NAME_PATTERN}
            title="Letters, digits, and . _ -"
            onInput={(event) => {
              setName(event.currentTarget.value);
              setConflict(undefined);
            }}
          />
        </label>
        <label>
          Meant for
          <select value={kind} onChange={(event) => setKind(event.currentTarget.value as StartKind)}>
            <option value="subjects">all subjects</option>
            <option value="type">the instances of a class</option>
            <option value="graph">the subjects in a graph</option>
          </select>
        </label>
        {kind !== 'subjects' && (
          <label>
            {kind === 'type' ? 'IRI of the class' : 'IRI of the graph'}
            <input type="url" value={iri} required onInput={(event) => setIri(event.currentTarget.value)} />
          </label>
        )}
        {error !== undefined && <Problem error={error} />}
        {conflict !== undefined && (
          <div class="problem" role="alert">
            {conflict}
            <div class="buttons">
              <button type="button" class="danger" onClick={() => void save(true)}>
                Replace it
              </button>
            </div>
          </div>
        )}
        <div class="buttons">
          <button type="submit" class="primary">
            Save
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function tagOf(opened: OpenedProgram | undefined, name: string): string | undefined {
  return opened?.name === name ? opened.tag : undefined;
}

function conflictText(opened: OpenedProgram | undefined, name: string): string {
  return opened?.name === name
    ? `Someone has changed or deleted ${name} since you opened it.`
    : `There is a program named ${name} already.`;
}

function startsOf(kind: StartKind, iri: string): DeclaredStarts | null {
  if (kind === 'type') return { type: iri };
  return kind === 'graph' ? { graph: iri } : null;
}

function kindOf(starts: DeclaredStarts | null): StartKind {
  if (starts === null || 'subjects' in starts) return 'subjects';
  return 'type' in starts ? 'type' : 'graph';
}

function iriOf(starts: DeclaredStarts | null): string {
  if (starts === null || 'subjects' in starts) return '';
  return 'type' in starts ? starts.type : starts.graph;
}
