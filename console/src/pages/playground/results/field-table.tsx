import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Fields, NodeObject } from '../../../../../src/library/client/entry.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { Problem } from '../../../components/problem.tsx';
import { VirtualTable } from '../../../components/virtual-table.tsx';
import { shortened } from '../../../editor/ldpath/known-names.ts';
import type { Namespaces } from '../../../resources/prefixes.ts';
import { pageOf } from '../../../resources/address.ts';
import type { Outcome } from '../evaluation.ts';
import { NodeValue } from './node-value.tsx';

interface ResultTableProps {
  readonly outcomes: readonly Outcome[];
  readonly known: Namespaces;
}

/** Values of a field that are shown at first. */
const MAX_VALUES = 25;

/** The results by field, with a dialog for fields that have many values. */
export function ResultTable(props: ResultTableProps) {
  const [opened, setOpened] = useState<FieldValues>();
  return (
    <>
      <FieldTable {...props} onOpen={setOpened} />
      {opened && <ValuesDialog {...opened} known={props.known} onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** What one field has selected. */
interface FieldValues {
  readonly field: string;
  readonly nodes: readonly NodeObject[];
}

interface FieldTableProps extends ResultTableProps {
  readonly onOpen: (values: FieldValues) => void;
}

/** A row for each field, and a column for each start resource. */
function FieldTable({ outcomes, known, onOpen }: FieldTableProps) {
  const fields = [...new Set(outcomes.flatMap(({ traced }) => Object.keys(traced?.result ?? {})))];
  const skipped = outcomes.some(({ traced }) => traced && traced.skipped.length > 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse it scrolls only when focused
    <section class="result-table" aria-label="Results by field" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            {outcomes.map(({ start }) => (
              <th key={start} scope="col">
                <a href={pageOf(start)} title={start}>
                  {shortened(start, known)}
                </a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {outcomes.some(({ error }) => error !== undefined) && (
            <Row title="Error" outcomes={outcomes} cellOf={({ error }) => error !== undefined && <Problem error={error} />} />
          )}
          {fields.map((field) => (
            <Row
              key={field}
              title={field}
              outcomes={outcomes}
              cellOf={({ traced }) =>
                traced && (
                  <Values field={field} nodes={valuesOf(traced.result, field)} known={known} onOpen={onOpen} />
                )
              }
            />
          ))}
          {skipped && <Row title="Skipped" outcomes={outcomes} cellOf={Skipped} />}
          {outcomes.some(({ traced }) => traced?.filter !== undefined) && (
            <Row title="@filter" outcomes={outcomes} cellOf={({ traced }) => String(traced?.filter ?? '')} />
          )}
          {outcomes.some(({ traced }) => traced?.boost !== undefined) && (
            <Row title="@boost" outcomes={outcomes} cellOf={({ traced }) => String(traced?.boost ?? '')} />
          )}
        </tbody>
        <tfoot>
          <Row title="Cost" outcomes={outcomes} cellOf={Cost} />
        </tfoot>
      </table>
    </section>
  );
}

/** A field may be named as a member that all objects have, such as `constructor`. */
function valuesOf(result: Fields, field: string): readonly NodeObject[] {
  return Object.hasOwn(result, field) ? (result[field] ?? []) : [];
}

interface RowProps {
  readonly title: string;
  readonly outcomes: readonly Outcome[];
  readonly cellOf: (outcome: Outcome) => ComponentChildren;
}

function Row({ title, outcomes, cellOf }: RowProps) {
  return (
    <tr>
      <th scope="row">{title}</th>
      {outcomes.map((outcome) => (
        <td key={outcome.start}>{cellOf(outcome)}</td>
      ))}
    </tr>
  );
}

interface ValuesProps extends FieldValues {
  readonly known: Namespaces;
  readonly onOpen: (values: FieldValues) => void;
}

function Values({ field, nodes, known, onOpen }: ValuesProps) {
  if (nodes.length === 0) return <span class="hint">no value</span>;
  return (
    <>
      <ul class="values">
        {nodes.slice(0, MAX_VALUES).map((node, i) => (
          <li key={i}>
            <NodeValue node={node} known={known} />
          </li>
        ))}
      </ul>
      {nodes.length > MAX_VALUES && (
        <button type="button" class="link" onClick={() => onOpen({ field, nodes })}>
          Show all {nodes.length.toLocaleString('en')}
        </button>
      )}
    </>
  );
}

interface ValuesDialogProps extends FieldValues {
  readonly known: Namespaces;
  readonly onClose: () => void;
}

const columns = [{ title: 'No.', width: '5rem' }, { title: 'Value' }];

function ValuesDialog({ field, nodes, known, onClose }: ValuesDialogProps) {
  return (
    <Dialog title={`${field}: ${nodes.length.toLocaleString('en')} values`} onClose={onClose}>
      <VirtualTable
        label={`Values of ${field}`}
        columns={columns}
        rowCount={nodes.length}
        cellsOf={(row) => [row + 1, <NodeValue key={row} node={nodes[row]!} known={known} />]}
      />
    </Dialog>
  );
}

/** Values that did not convert to the type of their field, and what functions could not use. */
function Skipped({ traced }: Outcome) {
  return (
    <ul class="values">
      {traced?.skipped.slice(0, MAX_VALUES).map(({ field, message }, i) => (
        <li key={i}>
          <strong>{field}</strong>: {message}
        </li>
      ))}
    </ul>
  );
}

function Cost({ traced }: Outcome) {
  if (!traced) return null;
  const { steps, milliseconds, budget } = traced.trace;
  return (
    <span class="cost">
      {steps.toLocaleString('en')} of {budget.steps.toLocaleString('en')} steps
      <br />
      {milliseconds.toFixed(1)} ms of {(budget.milliseconds / 1000).toLocaleString('en')} s
    </span>
  );
}
