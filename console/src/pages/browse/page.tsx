import { useState } from 'preact/hooks';
import { navigate, usePlace } from '../../app/location.ts';
import { FindResource } from './find-resource.tsx';
import { GraphList } from './graph-list.tsx';
import { GraphView } from './graph-view.tsx';

export function BrowsePage() {
  const graph = usePlace().query.get('graph');
  const [notice, setNotice] = useState('');
  const onDeleted = (uri: string) => {
    setNotice(`The graph ${uri} was deleted.`);
    navigate('browse');
  };
  return (
    <div class="browse">
      <h1>Browse</h1>
      <FindResource />
      <p role="status">{notice}</p>
      {graph === null ? <GraphList /> : <GraphView key={graph} uri={graph} onDeleted={onDeleted} />}
    </div>
  );
}
