import { useEffect, useState } from 'preact/hooks';
import type {
  DeclaredStarts,
  ListedProgram,
  StoredProgram,
} from '../../../../../src/library/client/entry.ts';
import { client } from '../../../app/client.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { Problem } from '../../../components/problem.tsx';

interface OpenDialogProps {
  readonly onOpen: (stored: StoredProgram) => void;
  readonly onClose: () => void;
}

/** Lists the programs that the server keeps, and opens one. */
export function OpenDialog({ onOpen, onClose }: OpenDialogProps) {
  const [programs, setPrograms] = useState<readonly ListedProgram[]>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    client.programs.list().then(setPrograms, setError);
  }, []);
  const open = (name: string) => client.programs.get(name).then(onOpen, setError);
  return (
    <Dialog title="Open a stored program" onClose={onClose}>
      {error !== undefined && <Problem error={error} />}
      {programs === undefined && error === undefined && <p class="loading">Loading…</p>}
      {programs?.length === 0 && <p>The server keeps no programs yet. Save one to find it here.</p>}
      {programs !== undefined && programs.length > 0 && (
        <ul class="program-list">
          {programs.map(({ name, starts, modified }) => (
            <li key={name}>
              <button type="button" class="link" onClick={() => void open(name)}>
                {name}
              </button>
              <span class="hint">
                {describedStarts(starts)}; changed {new Date(modified).toLocaleString()}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function describedStarts(starts: DeclaredStarts | null): string {
  if (starts === null || 'subjects' in starts) return 'all subjects';
  return 'type' in starts ? `instances of ${starts.type}` : `subjects in ${starts.graph}`;
}

/**
 * The text of a stored program with its own prefixes as declarations, so that it means the same
 * here.
 */
export function textOf({ program, namespaces }: StoredProgram): string {
  const declarations = Object.entries(namespaces).map(
    ([prefix, namespace]) => `@prefix ${prefix}: <${namespace}> ;\n`,
  );
  return declarations.join('') + program;
}
