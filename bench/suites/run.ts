import type { Outcome } from '../report/figure.ts';
import type { Stage } from '../stage.ts';
import { benchAffected } from './affected.ts';
import { benchBatch } from './batch.ts';
import { benchBulk } from './bulk.ts';
import { benchCluster } from './cluster/suite.ts';
import { benchContext } from './context.ts';
import { benchDurability } from './durability.ts';
import { benchEvaluation } from './evaluation.ts';
import { benchFormats } from './formats.ts';
import { benchFronts } from './fronts.ts';
import { benchIndexing } from './indexing/suite.ts';
import { benchLdp } from './ldp.ts';
import { benchMicro } from './micro.ts';
import type { SuiteName } from './names.ts';
import { benchNoisyNeighbour } from './noisy.ts';
import { benchPath } from './path.ts';
import { benchPause } from './pause.ts';
import { benchPeers } from './peers.ts';
import { benchProgram } from './program.ts';
import { benchResources } from './resources.ts';
import { benchScale } from './scale.ts';
import { benchSparql } from './sparql/suite.ts';

const suites: Readonly<Record<SuiteName, (stage: Stage) => Promise<Outcome>>> = {
  evaluation: benchEvaluation,
  micro: benchMicro,
  affected: benchAffected,
  formats: benchFormats,
  bulk: benchBulk,
  path: benchPath,
  fronts: benchFronts,
  program: benchProgram,
  batch: benchBatch,
  indexing: benchIndexing,
  resources: benchResources,
  context: benchContext,
  ldp: benchLdp,
  durability: benchDurability,
  pause: benchPause,
  noisy: benchNoisyNeighbour,
  sparql: benchSparql,
  peers: benchPeers,
  cluster: benchCluster,
  scale: benchScale,
};

/**
 * Runs one suite. If it can't be measured, returns the reason, so that the other suites are not
 * lost.
 */
export async function runSuite(name: SuiteName, stage: Stage): Promise<Outcome> {
  if (name === 'peers' && !stage.options.peers) return { figures: [] };
  return suites[name](stage).catch((error: Error) => {
    return { figures: [], skipped: [{ id: name, reason: error.message }] };
  });
}
