import { useState } from 'preact/hooks';
import { client } from '../../app/client.ts';
import { useLoaded } from '../../app/wait.ts';
import { Download } from '../../components/download.tsx';
import { Problem } from '../../components/problem.tsx';
import { VirtualTable } from '../../components/virtual-table.tsx';
import { pageOf } from '../../resources/address.ts';
import { ResourceLink } from '../../resources/node.tsx';
import { usePrefixes } from '../../resources/prefixes.ts';
import { rdfFormats } from '../../resources/rdf-formats.ts';
import { DeleteGraphDialog } from './delete-dialog.tsx';
import { findGraph } from './graph-pages.ts';
import { type Subjects, useSubjects } from './subjects.ts';

interface GraphViewProps {
  readonly uri: string;
  readonly onDeleted: (uri: string) => void;
}

/** One graph: its subjects, and what can be done with it. */
export function GraphView({ uri, onDeleted }: GraphViewProps) {
  const { value: graph, error } = useLoaded((signal) => existing(uri, signal), [uri]);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <section aria-labelledby="graph-heading">
      <p>
        <a href="browse">All graphs</a>
      </p>
      <h2 id="graph-heading" class="iri">
        {uri}
      </h2>
      {error !== undefined && <Problem error={error} />}
      {graph && (
        <>
          <div class="browse-controls">
            <p>
              {graph.size.toLocaleString('en')} triples · <a href={pageOf(uri)}>its page as a resource</a>
            </p>
            <Download formats={rdfFormats} source={uri} read={(type) => client.graphs.get(uri, { type })} />
            <button type="button" class="danger" onClick={() => setDeleting(true)}>
              Delete the graph
            </button>
          </div>
          <SubjectTable graph={uri} />
        </>
      )}
      {!graph && error === undefined && <p class="loading">Loading…</p>}
      {isDeleting && graph && (
        <DeleteGraphDialog
          graph={graph}
          onClose={() => setDeleting(false)}
          onDeleted={() => onDeleted(uri)}
        />
      )}
    </section>
  );
}

async function existing(uri: string, signal: AbortSignal) {
  const graph = await findGraph(uri, signal);
  if (!graph) throw new Error('The server has no such graph. It may have been deleted.');
  return graph;
}

const columns = [{ title: 'Subject' }, { title: 'Label', width: '30%' }, { title: 'Types', width: '30%' }];

function SubjectTable({ graph }: { readonly graph: string }) {
  const subjects = useSubjects(graph);
  const prefixes = usePrefixes();
  const { rows, error, more, isLoading } = subjects;
  return (
    <>
      <p role="status" class="hint">
        {describe(subjects)}
      </p>
      {error !== undefined && <Problem error={error} />}
      <VirtualTable
        label="Subjects"
        columns={columns}
        rowCount={rows.length}
        cellsOf={(row) => {
          const { uri, label, types } = rows[row]!;
          return [
            <ResourceLink key="uri" resource={uri} />,
            label,
            types.map((type) => prefixes.shorten(type)).join(', '),
          ];
        }}
      />
      {more && (
        <div class="buttons">
          <button type="button" disabled={isLoading} onClick={more}>
            More subjects
          </button>
        </div>
      )}
    </>
  );
}

function describe({ rows, total, isLoading, more }: Subjects): string {
  const shown = rows.length.toLocaleString('en');
  const loading = isLoading ? ', loading…' : '';
  if (!more && !isLoading) return `${shown} subjects. Blank nodes are not listed.`;
  const all = typeof total === 'number' ? `of ${total.toLocaleString('en')} ` : '';
  return `The first ${shown} ${all}subjects${loading || '.'} Blank nodes are not listed.`;
}
