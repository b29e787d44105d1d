import { journalUrl } from '../../cluster/journal-url.ts';
import type { ClusterSettings } from '../../cluster/settings.ts';
import { settings } from '../../config.ts';
import type { ClusterRequest } from '../data-commands.ts';
import type { WorkDisplay } from '../work-display.ts';
import { backupCluster } from './shared-backup.ts';
import { checkCluster } from './shared-check.ts';
import { importCluster } from './shared-import.ts';
import { inspectCluster } from './shared-inspection.ts';
import { Stages } from './stages.ts';

/** What a command prints, and whether it has found damage. */
interface Outcome {
  readonly text: string;
  readonly damaged: boolean;
}

/** Runs a command for the data of a cluster. `notice` receives messages for the operator. */
export async function runClusterCommand(
  request: ClusterRequest,
  display: WorkDisplay,
  notice: (message: string) => void,
): Promise<Outcome> {
  const report = { notice, stages: new Stages(display) };
  const { cluster } = request;
  switch (request.kind) {
    case 'inspect-cluster':
      return inspectCluster(cluster);
    case 'check-cluster': {
      const { lines, damaged } = await checkCluster(cluster, report);
      return { text: `${lines.join('\n')}\n`, damaged };
    }
    case 'backup-cluster': {
      const sequence = await backupCluster(cluster, request.target, report);
      return done(`copied the log ${cluster.name} to ${request.target}, up to commit ${sequence}`);
    }
    case 'import': {
      const sequence = await importCluster(request.directory, cluster, report);
      return done(
        `imported ${request.directory} up to commit ${sequence}. Start servers with ${argumentsFor(cluster)}`,
      );
    }
  }
}

/** Processes have to ask for the copies that there are. */
function argumentsFor(cluster: ClusterSettings): string {
  const journal = `--journal ${journalUrl(cluster)}`;
  const { flag, default: usual } = settings.clusterReplicas;
  return cluster.replicas === usual ? journal : `${journal} --${flag} ${cluster.replicas}`;
}

function done(line: string): Outcome {
  return { text: `${line}\n`, damaged: false };
}
