import { workerData } from 'node:worker_threads';
import { lowerPriority, ownThread, ownThreadId, restorePriority } from '../src/base/thread-priority.ts';
import { shareOrCopy, shareOrCopyBlock } from '../src/pool/worker/transfer.ts';
import type { PackedBatch, PackedOutput, SparqlOutcome, SparqlThreadData } from '../src/sparql/messages.ts';
import { unpackJobs } from '../src/sparql/packed-batch.ts';
import { packOutput } from '../src/sparql/packed-output.ts';
import type { SparqlEffects } from '../src/sparql/request.ts';
import { Runner } from '../src/sparql/thread/runner.ts';
import { ThreadStatus } from '../src/sparql/thread-status.ts';

const data = workerData as SparqlThreadData;
const status = new ThreadStatus(data.status);
const thread = data.lowPriority ? ownThread() : undefined;
const runner = new Runner(data);
status.threadId = ownThreadId();

/** Runs one batch in a SPARQL thread. */
export default function runBatch(microBatch: PackedBatch): PackedOutput {
  if (thread) (status.hostBusy ? restorePriority : lowerPriority)(thread);
  return packOutput(runner.run({ ...microBatch, jobs: unpackJobs(microBatch.jobs) }), shareOrCopyResult);
}

function shareOrCopyResult(result: SparqlOutcome): SparqlOutcome {
  if (!result.ok) return result;
  const { value } = result;
  return {
    ok: true,
    value: 'body' in value ? { ...value, body: shareOrCopy(value.body) } : shareOrCopyEffects(value),
  };
}

function shareOrCopyEffects(effects: SparqlEffects): SparqlEffects {
  const { additions, removals } = effects;
  return { ...effects, additions: shareOrCopyBlock(additions), removals: shareOrCopyBlock(removals) };
}
