import { durationText } from '../../components/units.ts';
import { history, type ServerView } from './watch.ts';

/** How the server is, and what it is. */
export function HealthSection({ view: { health, uptime } }: { readonly view: ServerView }) {
  if (!health) return null;
  const { status, reasons, damaged, version, node, front } = health;
  const facts: [string, string | undefined][] = [
    ['Version', version],
    ['Node.js', node],
    ['HTTP front', front],
    ['Running for', uptime === undefined ? undefined : durationText(uptime * 1000)],
    [
      'Damaged content',
      damaged.count === 0 ? 'none' : `${damaged.count} ${damaged.count === 1 ? 'file' : 'files'}`,
    ],
    ...clusterFacts(),
  ];
  return (
    <section aria-labelledby="health-heading">
      <h2 id="health-heading">Health</h2>
      <p role="status" class={`health health-${status}`}>
        {status === 'ready' ? 'Ready' : 'Not ready'}
      </p>
      {reasons.length > 0 && (
        <ul class="reasons">
          {reasons.map(({ reason, detail }) => (
            <li key={reason}>
              <code>{reason}</code> {detail}
            </li>
          ))}
        </ul>
      )}
      <dl class="facts">
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {damaged.digests.length > 0 && (
        <details>
          <summary>Digests of damaged content files</summary>
          <ul>
            {damaged.digests.map((digest) => (
              <li key={digest}>
                <code>{digest}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** What the process knows of its cluster, if it belongs to one with several members. */
function clusterFacts(): [string, string][] {
  const metrics = history.last?.metrics;
  const members = metrics?.sum('pathpool_cluster_members') ?? 1;
  if (!metrics || members <= 1) return [];
  return [
    ['Cluster', `${members} processes`],
    [
      'Executes writes',
      metrics.sum('pathpool_cluster_lease_held') === 1 ? 'yes' : 'no, another process does',
    ],
    ['Commits behind', String(metrics.sum('pathpool_cluster_lag_commits') ?? 0)],
  ];
}
