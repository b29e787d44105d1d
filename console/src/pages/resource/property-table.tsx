import { useState } from 'preact/hooks';
import type { NodeObject } from '../../../../src/library/client/entry.ts';
import { useLoaded } from '../../app/wait.ts';
import { Problem } from '../../components/problem.tsx';
import { NodeView, ResourceLink } from '../../resources/node.tsx';
import type { Direction } from './direction.ts';
import { labelsIn, moreValues, type Property, propertiesOf } from './properties.ts';

interface PropertyTableProps {
  readonly resource: string;
  readonly direction: Direction;
  /** Another number: load again. */
  readonly version: number;
}

const texts = {
  out: { title: 'Properties', none: 'No triple has this resource as its subject.' },
  in: { title: 'Referred to by', none: 'No triple has this resource as its object.' },
} as const;

/** The triples with the resource as subject, or as object, by property. */
export function PropertyTable({ resource, direction, version }: PropertyTableProps) {
  const { value, error } = useLoaded(
    (signal) => propertiesOf(resource, direction, signal),
    [resource, direction, version],
  );
  const properties = value?.properties;
  // They come later than the values, and change only how these are named.
  const labels = useLoaded(
    (signal) => labelsIn(properties?.flatMap(({ values }) => values) ?? [], signal),
    [value],
  );
  const { title, none } = texts[direction];
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {error !== undefined && <Problem error={error} />}
      {error === undefined && !properties && <p class="loading">Loading…</p>}
      {properties?.length === 0 && <p class="hint">{none}</p>}
      {properties && properties.length > 0 && (
        <dl class="properties">
          {properties.map((property) => (
            <PropertyRow
              key={`${property.property} ${version}`}
              resource={resource}
              direction={direction}
              property={property}
              labels={labels.value}
            />
          ))}
        </dl>
      )}
      {value !== undefined && value.omitted > 0 && (
        <p class="hint">{value.omitted} more properties are not shown. The download has all of them.</p>
      )}
    </section>
  );
}

interface PropertyRowProps {
  readonly resource: string;
  readonly direction: Direction;
  readonly property: Property;
  readonly labels: ReadonlyMap<string, string> | undefined;
}

/** Values that are shown at most: a longer list is of no use to a reader, and slows the browser. */
const MAX_SHOWN = 2000;

function PropertyRow({ resource, direction, property, labels }: PropertyRowProps) {
  const [added, setAdded] = useState<readonly NodeObject[]>([]);
  const [addedLabels, setAddedLabels] = useState<ReadonlyMap<string, string>>(new Map());
  const [error, setError] = useState<unknown>();
  const [isLoading, setLoading] = useState(false);
  const { count } = property;
  const values = [...property.values, ...added];
  const load = async () => {
    setLoading(true);
    setError(undefined);
    try {
      const next = { property: property.property, direction, from: values.length };
      const loaded = await moreValues(resource, next);
      const loadedLabels = await labelsIn(loaded);
      setAddedLabels((before) => new Map([...before, ...loadedLabels]));
      setAdded((before) => [...before, ...loaded]);
    } catch (reason) {
      setError(reason);
    }
    setLoading(false);
  };
  return (
    <div class="property">
      <dt>
        <ResourceLink resource={property.property} />
        {count > 1 && <span class="hint"> {count.toLocaleString('en')}</span>}
      </dt>
      <dd>
        <ul>
          {values.map((node) => {
            const name = node.type === 'bnode' ? `_:${node.value}` : node.value;
            return (
              <li key={`${node.type} ${name} ${node.lang ?? node.datatype ?? ''} ${node.direction ?? ''}`}>
                <NodeView node={node} label={addedLabels.get(name) ?? labels?.get(name)} />
              </li>
            );
          })}
        </ul>
        {values.length < count && values.length < MAX_SHOWN && (
          <button type="button" class="small" disabled={isLoading} onClick={() => void load()}>
            More of {count.toLocaleString('en')}
          </button>
        )}
        {values.length < count && values.length >= MAX_SHOWN && <p class="hint">The others are not shown.</p>}
        {error !== undefined && <Problem error={error} />}
      </dd>
    </div>
  );
}
