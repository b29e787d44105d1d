import { useEffect, useState } from 'preact/hooks';
import { PathpoolError } from '../../../../src/library/client/entry.ts';
import { addressOf, usePlace } from '../../app/location.ts';
import { requestServer } from '../../app/request.ts';
import { useLoaded } from '../../app/wait.ts';
import { Download } from '../../components/download.tsx';
import { Problem } from '../../components/problem.tsx';
import { isWebAddress } from '../../resources/address.ts';
import { ResourceLink } from '../../resources/node.tsx';
import { usePrefixes } from '../../resources/prefixes.ts';
import { rdfFormats } from '../../resources/rdf-formats.ts';
import { ContentPanel } from './content-panel.tsx';
import { GraphsPanel } from './graphs-panel.tsx';
import { PropertyTable } from './property-table.tsx';
import { queryFor, summaryOf } from './summary.ts';
import { WatchButton } from './watch-button.tsx';

export function ResourcePage() {
  const { query } = usePlace();
  const genid = query.get('genid');
  const resource = query.get('uri') ?? (genid === null ? null : `_:${genid.replace(/^_:/, '')}`);
  if (resource === null || resource === '') {
    return (
      <>
        <h1>Resource</h1>
        <p>
          No resource is chosen. <a href="browse">Find one</a>.
        </p>
      </>
    );
  }
  return <Resource key={resource} resource={resource} />;
}

function Resource({ resource }: { readonly resource: string }) {
  // Rises when the resource has changed, and makes everything load again.
  const [version, setVersion] = useState(0);
  const { value: summary, error } = useLoaded((signal) => summaryOf(resource, signal), [version]);
  const prefixes = usePrefixes();
  const name = prefixes.shorten(resource);
  const title = summary?.label ?? name;
  useEffect(() => {
    document.title = `${title} · Pathpool`;
  }, [title]);
  if (error !== undefined && !summary) {
    return (
      <>
        <h1 class="iri">{name}</h1>
        <Missing error={error} />
      </>
    );
  }
  return (
    <article class="resource">
      <h1 class="iri">{title}</h1>
      <Identity resource={resource} name={name} types={summary?.types ?? []} />
      {error !== undefined && <Problem error={error} />}
      {summary ? (
        <>
          <Actions resource={resource} onChange={() => setVersion((before) => before + 1)} />
          {summary.contentType !== undefined && (
            <ContentPanel
              key={`${summary.contentType} ${version}`}
              uri={resource}
              type={summary.contentType}
            />
          )}
          <PropertyTable resource={resource} direction="out" version={version} />
          <PropertyTable resource={resource} direction="in" version={version} />
          {!resource.startsWith('_:') && <GraphsPanel uri={resource} version={version} />}
        </>
      ) : (
        <p class="loading">Loading…</p>
      )}
    </article>
  );
}

interface IdentityProps {
  readonly resource: string;
  readonly name: string;
  readonly types: readonly string[];
}

function Identity({ resource, name, types }: IdentityProps) {
  return (
    <p class="iri identity">
      <code>{resource}</code>
      {name !== resource && <code class="hint">{name}</code>}
      {isWebAddress(resource) && (
        <a href={resource} target="_blank" rel="noreferrer noopener">
          Open the IRI ↗
        </a>
      )}
      {resource.startsWith('_:') && <span class="hint">a blank node</span>}
      {types.length > 0 && (
        <span>
          <span class="hint">is a </span>
          {types.map((type, i) => (
            <span key={type}>
              {i > 0 && ', '}
              <ResourceLink resource={type} />
            </span>
          ))}
        </span>
      )}
    </p>
  );
}

interface ActionsProps {
  readonly resource: string;
  readonly onChange: () => void;
}

function Actions({ resource, onChange }: ActionsProps) {
  const read = (type: string) => requestServer(`meta/${type}?${queryFor(resource)}`);
  return (
    <div class="buttons">
      <Download formats={rdfFormats} source={resource} read={read} />
      <a class="button" href={addressOf('playground', {}, { start: resource })}>
        Open in the playground
      </a>
      {!resource.startsWith('_:') && <WatchButton uri={resource} onChange={onChange} />}
    </div>
  );
}

function Missing({ error }: { readonly error: unknown }) {
  if (!(error instanceof PathpoolError) || error.status !== 404) return <Problem error={error} />;
  return (
    <>
      <div class="problem" role="alert">
        The server does not know this resource: no triple mentions it, and it has no content.
      </div>
      <p>
        <a href="browse">Find another resource</a>
      </p>
    </>
  );
}
