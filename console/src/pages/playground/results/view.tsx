import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Problem } from '../../../components/problem.tsx';
import { Tabs } from '../../../components/tabs.tsx';
import type { Namespaces } from '../../../resources/prefixes.ts';
import type { Evaluation } from '../evaluation.ts';
import { TraceView } from '../trace/view.tsx';
import { ResultJson } from './json-view.tsx';
import { ResultTable } from './field-table.tsx';

interface ResultsProps {
  readonly evaluation: Evaluation | undefined;
  readonly isRunning: boolean;
  readonly known: Namespaces;
}

const tabs = [
  { name: 'table', title: 'Table' },
  { name: 'json', title: 'JSON' },
  { name: 'graph', title: 'Graph' },
];

export function Results({ evaluation, isRunning, known }: ResultsProps) {
  const [tab, setTab] = useState('table');
  return (
    <section class="results" aria-label="Results" aria-busy={isRunning}>
      <div class="results-head">
        <h2>Results</h2>
        <p class="hint" role="status">
          {isRunning ? 'Running…' : evaluation && summaryOf(evaluation)}
        </p>
      </div>
      {evaluation?.error !== undefined && <Problem error={evaluation.error} />}
      {evaluation === undefined && !isRunning && (
        <p>Choose a start resource and run the program to see what it collects.</p>
      )}
      {evaluation && evaluation.outcomes.length > 0 && (
        <Tabs label="Views of the results" tabs={tabs} shown={tab} onShow={setTab}>
          {viewOf(tab, evaluation, known)}
        </Tabs>
      )}
    </section>
  );
}

function viewOf(tab: string, { outcomes }: Evaluation, known: Namespaces): ComponentChildren {
  if (tab === 'json') return <ResultJson outcomes={outcomes} />;
  if (tab === 'graph') return <TraceView outcomes={outcomes} known={known} />;
  return <ResultTable outcomes={outcomes} known={known} />;
}

function summaryOf({ outcomes, milliseconds }: Evaluation): string {
  const values = outcomes
    .flatMap(({ traced }) => Object.values(traced?.result ?? {}))
    .reduce((sum, { length }) => sum + length, 0);
  const resources = outcomes.filter(({ traced }) => traced).length;
  return `${counted(values, 'value')} for ${counted(resources, 'resource')}, in ${milliseconds.toFixed(0)} ms`;
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
