import { useState } from 'preact/hooks';
import type { NodeObject } from '../../../src/library/client/entry.ts';
import { isWebAddress, pageOf } from './address.ts';
import { usePrefixes } from './prefixes.ts';

interface NodeViewProps {
  readonly node: NodeObject;
  /** Of an IRI or a blank node. */
  readonly label?: string | undefined;
}

/** A value in the data, with a link if it is a resource. */
export function NodeView({ node, label }: NodeViewProps) {
  if (node.type === 'uri') return <ResourceLink resource={node.value} label={label} isOutside />;
  if (node.type === 'bnode') return <ResourceLink resource={`_:${node.value}`} label={label} />;
  if (node.type === 'triple') return <code class="triple-term">{node.value}</code>;
  return <Literal node={node} />;
}

interface ResourceLinkProps {
  /** An IRI, or a blank node as `_:id`. */
  readonly resource: string;
  readonly label?: string | undefined;
  /** Whether there is a link to the IRI itself, too. */
  readonly isOutside?: boolean;
}

/** A link to the page of a resource. */
export function ResourceLink({ resource, label, isOutside = false }: ResourceLinkProps) {
  const name = usePrefixes().shorten(resource);
  const isNew = label !== undefined && !name.endsWith(label);
  return (
    <span class="resource-link">
      <a href={pageOf(resource)} title={resource}>
        {name}
      </a>
      {isNew && (
        <span class="hint">
          {' '}
          <bdi>{label}</bdi>
        </span>
      )}
      {isOutside && isWebAddress(resource) && (
        <a
          class="outside"
          href={resource}
          target="_blank"
          rel="noreferrer noopener"
          aria-label={`Open ${resource} in a new tab`}
        >
          ↗
        </a>
      )}
    </span>
  );
}

const STRING = 'http://www.w3.org/2001/XMLSchema#string';
/** Characters of a text that are shown at first. */
const SHOWN = 1500;

function Literal({ node: { value, lang, direction, datatype } }: { readonly node: NodeObject }) {
  const prefixes = usePrefixes();
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && value.length > SHOWN + 100;
  return (
    <span class="literal">
      <span class="literal-text" dir={direction === 'ltr' || direction === 'rtl' ? direction : 'auto'}>
        {isCut ? `${value.slice(0, SHOWN)}…` : value}
      </span>
      {lang !== undefined && (
        <span class="tag" title="Language">
          {lang}
        </span>
      )}
      {datatype !== undefined && datatype !== STRING && (
        <span class="tag" title={datatype}>
          {prefixes.shorten(datatype)}
        </span>
      )}
      {isCut && (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          Show all {value.length.toLocaleString('en')} characters
        </button>
      )}
    </span>
  );
}
