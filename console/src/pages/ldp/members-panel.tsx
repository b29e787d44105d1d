import { useState } from 'preact/hooks';
import { Problem } from '../../components/problem.tsx';
import { type Creation, create } from './requests.ts';
import { UploadList } from './upload-list.tsx';

interface MembersPanelProps {
  readonly base: string;
  readonly path: string;
  readonly onCreated: () => void;
  readonly onSelect: (path: string) => void;
}

/** Creates members of a container. */
export function MembersPanel({ base, path, onCreated, onSelect }: MembersPanelProps) {
  const [slug, setSlug] = useState('');
  const [kind, setKind] = useState<Creation['kind']>('container');
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const created = await create(path, { kind, slug: slug.trim() }, base);
      onCreated();
      onSelect(created);
    } catch (reason) {
      setError(reason);
      setBusy(false);
    }
  };
  return (
    <section aria-label="New members">
      <h3>New members</h3>
      <form
        class="ldp-create"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label>
          Kind
          <select
            value={kind}
            onChange={({ currentTarget: { value } }) => setKind(value === 'rdf' ? 'rdf' : 'container')}
          >
            <option value="container">Container</option>
            <option value="rdf">RDF source</option>
          </select>
        </label>
        <label>
          Name <span class="hint">(empty: the server chooses)</span>
          <input value={slug} onInput={({ currentTarget: { value } }) => setSlug(value)} />
        </label>
        <button type="submit" disabled={isBusy}>
          Create
        </button>
      </form>
      {error !== undefined && <Problem error={error} />}
      <UploadList path={path} onUploaded={onCreated} />
    </section>
  );
}
