import { useState } from 'preact/hooks';
import { addressOf, navigate, usePlace } from '../../app/location.ts';
import { useLoaded } from '../../app/wait.ts';
import { Problem } from '../../components/problem.tsx';
import { ContainerTree } from './container-tree.tsx';
import { Details } from './details.tsx';
import { dropDraft } from './drafts.ts';
import { parentOf, ROOT, readBase } from './requests.ts';
import { useTree } from './tree-state.ts';

export function LdpPage() {
  const path = usePlace().query.get('path');
  const { value: base, error } = useLoaded(readBase, []);
  return (
    <>
      <h1>Containers</h1>
      {error !== undefined && <Problem error={error} />}
      {base === undefined && error === undefined && <p class="loading">Loading…</p>}
      {base !== undefined && <Containers base={base} selected={normalised(path)} />}
    </>
  );
}

/**
 * Paths may be given below `/ldp` or with it, and with a slash at their end. What is no path of an
 * LDP resource is that of the root: an address that somebody has sent must lead to nothing else.
 */
function normalised(path: string | null): string {
  const trimmed = (path ?? '').replace(/^\/*/, '/').replace(/\/+$/, '');
  const below = trimmed === ROOT || trimmed.startsWith(`${ROOT}/`) ? trimmed : ROOT + trimmed;
  // What is parsed differs by segments such as `..`, and by characters that are not in a path.
  const { pathname, search, hash } = new URL(`http://localhost${below}`);
  const isSame = pathname.split('/').length === below.split('/').length && search === '' && hash === '';
  return isSame && !/[\t\n\r\\]/.test(below) ? below : ROOT;
}

interface ContainersProps {
  /** Of the URIs of all resources. */
  readonly base: string;
  /** The path of the resource that is shown. */
  readonly selected: string;
}

function Containers({ base, selected }: ContainersProps) {
  const tree = useTree(base, selected);
  const [notice, setNotice] = useState('');
  const select = (path: string) => {
    setNotice('');
    navigate(addressOf('ldp', { path }));
  };
  const onDeleted = (path: string) => {
    dropDraft(path);
    tree.reload(parentOf(path));
    select(parentOf(path));
    setNotice(`${path} was deleted.`);
  };
  return (
    <div class="ldp">
      <ContainerTree tree={tree} selected={selected} onSelect={select} />
      <div class="ldp-details">
        <p role="status">{notice}</p>
        <Details
          key={selected}
          base={base}
          path={selected}
          onMembersChanged={() => tree.reload(selected)}
          onSelect={select}
          onDeleted={() => onDeleted(selected)}
        />
      </div>
    </div>
  );
}
