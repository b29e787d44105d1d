import { useState } from 'preact/hooks';
import { Tabs } from '../../components/tabs.tsx';
import { Chart } from './chart.tsx';
import type { Result } from './execution.ts';
import { GraphView, TurtleView } from './graph-result.tsx';
import { ResultDownload } from './result-download.tsx';
import { SolutionTable } from './solution-table.tsx';
import type { Solutions } from './solutions.ts';

interface ResultViewProps {
  readonly result: Result;
  /** The query that has this result. */
  readonly query: string;
  readonly milliseconds: number;
}

export function ResultView({ result, query, milliseconds }: ResultViewProps) {
  const isTable = result.kind === 'solutions' || result.kind === 'boolean';
  return (
    <>
      <div class="result-head">
        <p role="status">
          <strong>{summaryOf(result)}</strong> <span class="hint">{shownTime(milliseconds)}</span>
        </p>
        {result.kind !== 'update' && <ResultDownload query={query} kind={isTable ? 'table' : 'graph'} />}
      </div>
      {result.kind === 'solutions' && <SolutionsView solutions={result.solutions} />}
      {result.kind === 'graph' && <GraphResult turtle={result.turtle} query={query} />}
    </>
  );
}

function summaryOf(result: Result): string {
  if (result.kind === 'solutions') return counted(result.solutions.count, 'row');
  if (result.kind === 'boolean') return result.value ? 'Yes (true)' : 'No (false)';
  if (result.kind === 'graph') return 'A graph';
  return `The update is stored${result.commit === undefined ? '' : ` (commit ${result.commit})`}. The server does not count what it changed.`;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

function shownTime(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

const tableTabs = [
  { name: 'table', title: 'Table' },
  { name: 'chart', title: 'Chart' },
];

function SolutionsView({ solutions }: { readonly solutions: Solutions }) {
  const [shown, setShown] = useState('table');
  if (solutions.count === 0) return <p>Nothing in the data fits the query.</p>;
  return (
    <Tabs label="Forms of the result" tabs={tableTabs} shown={shown} onShow={setShown}>
      {shown === 'table' ? <SolutionTable solutions={solutions} /> : <Chart solutions={solutions} />}
    </Tabs>
  );
}

const graphTabs = [
  { name: 'turtle', title: 'Turtle' },
  { name: 'graph', title: 'Graph' },
];

interface GraphResultProps {
  readonly turtle: string;
  readonly query: string;
}

function GraphResult({ turtle, query }: GraphResultProps) {
  const [shown, setShown] = useState('turtle');
  return (
    <Tabs label="Forms of the result" tabs={graphTabs} shown={shown} onShow={setShown}>
      {shown === 'turtle' ? <TurtleView text={turtle} /> : <GraphView query={query} />}
    </Tabs>
  );
}
