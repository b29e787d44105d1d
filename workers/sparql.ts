import { workerData } from 'node:worker_threads';
import { Runner } from '../src/sparql/engine/runner.ts';
import type { PackedBatch, PackedOutput, SparqlOutcome, SparqlThreadData } from '../src/sparql/messages.ts';
import { unpackJobs } from '../src/sparql/packed-batch.ts';
import { packOutput } from '../src/sparql/packed-output.ts';
import type { SparqlEffects } from '../src/sparql/request.ts';
import { ThreadStatus } from '../src/sparql/thread-status.ts';
import { ownThread, ownThreadId, stepBack, stepForward } from '../src/system-thread.ts';
import { leaving, leavingBlock } from './outcome.ts';

const data = workerData as SparqlThreadData;
const status = new ThreadStatus(data.status);
const thread = data.standsBack ? ownThread() : undefined;
const runner = new Runner(data);
status.threadId = ownThreadId();

/** Runs one batch in a SPARQL thread. */
export default function runBatch(batch: PackedBatch): PackedOutput {
  if (thread) (status.hostBusy ? stepForward : stepBack)(thread);
  return packOutput(runner.run({ ...batch, jobs: unpackJobs(batch.jobs) }), leavingResult);
}

function leavingResult(result: SparqlOutcome): SparqlOutcome {
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
