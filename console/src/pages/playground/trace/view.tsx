import { useMemo, useState } from 'preact/hooks';
import type { Trace, TracedNode, TraceEdge } from '../../../../../src/library/client/entry.ts';
import { Problem } from '../../../components/problem.tsx';
import { VirtualTable } from '../../../components/virtual-table.tsx';
import { shortened } from '../../../editor/ldpath/known-names.ts';
import type { Texts } from '../../../graph/layout.ts';
import { cutLabel } from '../../../graph/model.ts';
import { useDrawing } from '../../../graph/use-drawing.ts';
import type { Namespaces } from '../../../resources/prefixes.ts';
import type { Outcome } from '../evaluation.ts';
import { NodeValue } from '../results/node-value.tsx';
import { TracePicture } from './picture.tsx';
import { ALL_FIELDS, edgesOf, type PictureEdge, type PictureNode, pictureOf } from './selection.ts';

interface TraceViewProps {
  readonly outcomes: readonly Outcome[];
  readonly known: Namespaces;
}

/** How a result came about, for a start resource and a field of the user's choice. */
export function TraceView({ outcomes, known }: TraceViewProps) {
  const traced = outcomes.filter((outcome) => outcome.traced);
  const [start, setStart] = useState('');
  const [field, setField] = useState(ALL_FIELDS);
  const [isWhole, setWhole] = useState(true);
  const shown = traced.find((each) => each.start === start) ?? traced[0];
  const trace = shown?.traced?.trace;
  if (!shown || !trace) return <p>There is no result to draw.</p>;
  const fields = [
    ...new Set([...trace.fields.map(({ name }) => name), ...trace.edges.map((each) => each.field)]),
  ];
  const shownField = fields.includes(field) ? field : ALL_FIELDS;
  return (
    <>
      <div class="trace-choices">
        {traced.length > 1 && (
          <label>
            Start resource
            <select value={shown.start} onChange={(event) => setStart(event.currentTarget.value)}>
              {traced.map((each) => (
                <option key={each.start} value={each.start}>
                  {shortened(each.start, known)}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          Field
          <select value={shownField} onChange={(event) => setField(event.currentTarget.value)}>
            <option value={ALL_FIELDS}>all fields</option>
            {fields.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="inline">
          <input type="checkbox" checked={isWhole} onChange={() => setWhole(!isWhole)} /> Also what led to no
          result
        </label>
      </div>
      <TracedField trace={trace} field={shownField} isWhole={isWhole} known={known} />
    </>
  );
}

interface TracedFieldProps {
  readonly trace: Trace;
  readonly field: string;
  readonly isWhole: boolean;
  readonly known: Namespaces;
}

function TracedField({ trace, field, isWhole, known }: TracedFieldProps) {
  const edges = useMemo(() => edgesOf(trace, field, isWhole), [trace, field, isWhole]);
  const picture = useMemo(() => pictureOf(trace, field, edges), [trace, field, edges]);
  const texts = useMemo(() => textsWith(known), [known]);
  const { drawing, error } = useDrawing(picture, texts);
  const made = trace.fields.filter(
    ({ name, values }) => values.length > 0 && (field === ALL_FIELDS || name === field),
  );
  return (
    <>
      {error !== undefined && <Problem error={error} />}
      {drawing && <TracePicture drawing={drawing} label="Picture of the triples that were read" />}
      {trace.truncated && (
        <p class="hint">
          The trace is not complete: the evaluation read more than a trace can hold. The results are complete.
        </p>
      )}
      {picture.omitted > 0 && (
        <p class="hint">
          {picture.omitted.toLocaleString('en')} of {edges.length.toLocaleString('en')} edges are not drawn;
          the list has all.
        </p>
      )}
      {made.map(({ name, values }) => (
        <p key={name}>
          <strong>{name}</strong> has values that are not in the data:{' '}
          {values.slice(0, 10).map((value, i) => (
            <span key={i}>
              {i > 0 && ', '}
              <NodeValue node={value} known={known} />
            </span>
          ))}
          {values.length > 10 && ` and ${values.length - 10} more`}
        </p>
      ))}
      <h3>Edges</h3>
      <EdgeTable trace={trace} edges={edges} known={known} />
    </>
  );
}

interface EdgeTableProps {
  readonly trace: Trace;
  readonly edges: readonly TraceEdge[];
  readonly known: Namespaces;
}

const columns = [
  { title: 'Field', width: '15%' },
  { title: 'Subject' },
  { title: 'Property' },
  { title: 'Object' },
  { title: 'Read in', width: '27%' },
];

/** The picture as text: a triple in each row. */
function EdgeTable({ trace, edges, known }: EdgeTableProps) {
  if (edges.length === 0) return <p>No triple was read.</p>;
  const cellsOf = (row: number) => {
    const { from, to, inverse, predicate, field, step, used } = edges[row]!;
    const [subject, object] = inverse ? [to, from] : [from, to];
    const place = trace.places[step];
    return [
      field,
      <NodeValue key="subject" node={trace.nodes[subject]!} known={known} />,
      shortened(predicate, known),
      <NodeValue key="object" node={trace.nodes[object]!} known={known} />,
      `${place ? `line ${place.line}, ` : ''}${used ? 'led to a result' : place?.test ? 'test' : 'tried'}`,
    ];
  };
  return (
    <VirtualTable
      label="Triples that were read"
      columns={columns}
      rowCount={edges.length}
      cellsOf={cellsOf}
    />
  );
}

function textsWith(known: Namespaces): Texts<PictureNode, PictureEdge> {
  return {
    ofNode: (node) => cutLabel(nodeText(node, known)),
    ofEdge: ({ predicates }) => predicates.map((each) => cutLabel(shortened(each, known))).join(', '),
  };
}

function nodeText({ node, count }: PictureNode, known: Namespaces): string {
  return node ? termText(node, known) : `and ${count.toLocaleString('en')} more`;
}

function termText({ type, value, lang }: TracedNode, known: Namespaces): string {
  if (type === 'uri') return shortened(value, known);
  if (type === 'bnode') return `_:${value}`;
  return type === 'triple' ? value : `“${value.replace(/\s+/g, ' ')}”${lang ? ` @${lang}` : ''}`;
}
