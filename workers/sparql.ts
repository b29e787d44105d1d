import { workerData } from 'node:worker_threads';
import type { Result } from '../src/errors.ts';
import { Runner } from '../src/sparql/engine/runner.ts';
import type { SparqlBatch, SparqlOutput, SparqlThreadData } from '../src/sparql/messages.ts';
import type { SparqlAnswer, SparqlEffects } from '../src/sparql/request.ts';
import { ThreadStatus } from '../src/sparql/thread-status.ts';
import { ownThread, ownThreadId, stepBack, stepForward } from '../src/system-thread.ts';
import { leaving, leavingBlock } from './outcome.ts';

const data = workerData as SparqlThreadData;
const status = new ThreadStatus(data.status);
const thread = data.standsBack ? ownThread() : undefined;
const runner = new Runner(data);
status.threadId = ownThreadId();

/** What a SPARQL thread does with each batch. */
export default function runBatch(batch: SparqlBatch): SparqlOutput {
  if (thread) (status.hostBusy ? stepForward : stepBack)(thread);
  const output = runner.run(batch);
  return { ...output, results: output.results.map(leavingResult) };
}

function leavingResult(result: Result<SparqlAnswer | SparqlEffects>): Result<SparqlAnswer | SparqlEffects> {
  if (!result.ok) return result;
  const { value } = result;
  return {
    ok: true,
    value: 'body' in value ? { ...value, body: leaving(value.body) } : leavingEffects(value),
  };
}

function leavingEffects(effects: SparqlEffects): SparqlEffects {
  const { additions, removals } = effects;
  return { ...effects, additions: leavingBlock(additions), removals: leavingBlock(removals) };
}
