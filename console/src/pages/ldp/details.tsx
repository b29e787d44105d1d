import { useState } from 'preact/hooks';
import { PathpoolError } from '../../../../src/library/client/entry.ts';
import { useLoaded } from '../../app/wait.ts';
import { Problem } from '../../components/problem.tsx';
import { pageOf } from '../../resources/address.ts';
import { BinaryPanel } from './binary-panel.tsx';
import { DeleteResourceDialog } from './delete-dialog.tsx';
import { MembersPanel } from './members-panel.tsx';
import { readHead } from './requests.ts';
import { TurtlePanel } from './turtle-panel.tsx';

interface DetailsProps {
  readonly base: string;
  readonly path: string;
  /** Members were created in this container. */
  readonly onMembersChanged: () => void;
  readonly onSelect: (path: string) => void;
  readonly onDeleted: () => void;
}

/** One LDP resource, and what can be done with it. */
export function Details({ base, path, onMembersChanged, onSelect, onDeleted }: DetailsProps) {
  const [version, setVersion] = useState(0);
  const { value: head, error } = useLoaded((signal) => readHead(path, signal), [version]);
  const [isDeleting, setDeleting] = useState(false);
  const uri = base + path;
  return (
    <section aria-labelledby="ldp-heading">
      <h2 id="ldp-heading" class="iri">
        {path}
      </h2>
      {error !== undefined && <Problem error={explained(error)} />}
      {!head && error === undefined && <p class="loading">Loading…</p>}
      {head && (
        <>
          <div class="buttons">
            <a class="button" href={pageOf(uri)}>
              Its page as a resource
            </a>
            {head.allowed.includes('DELETE') && (
              <button type="button" class="danger" onClick={() => setDeleting(true)}>
                Delete
              </button>
            )}
          </div>
          {head.kind === 'container' && (
            <MembersPanel base={base} path={path} onCreated={onMembersChanged} onSelect={onSelect} />
          )}
          {head.kind === 'binary' ? (
            <BinaryPanel
              key={head.tag}
              path={path}
              head={head}
              onReplaced={() => setVersion((before) => before + 1)}
            />
          ) : (
            <TurtlePanel uri={uri} path={path} />
          )}
        </>
      )}
      {isDeleting && (
        <DeleteResourceDialog path={path} onClose={() => setDeleting(false)} onDeleted={onDeleted} />
      )}
    </section>
  );
}

function explained(error: unknown): unknown {
  if (!(error instanceof PathpoolError)) return error;
  if (error.status === 404) return new Error('There is no such resource.');
  return error.status === 410 ? new Error('This resource was deleted. Its name is not used again.') : error;
}
