import { spawnSync } from 'node:child_process';

/**
 * A command that runs the one behind it in a container of its own, as far as process numbers and
 * the host name go.
 */
export function inContainer(hostName: string): string[] {
  const script = `hostname ${hostName} && exec "$@"`;
  return [...unshare, 'sh', '-c', script, 'sh'];
}

/** Processes in it are numbered from 1 on, and end with the command. */
const unshare = ['unshare', '--pid', '--fork', '--kill-child', '--uts', '--mount-proc'];

/** Why a test is left out here; false where containers can be made. */
export const withoutContainers: string | false = canUnshare()
  ? false
  : 'unshare(1) is not there, or not allowed to make PID and UTS namespaces';

function canUnshare(): boolean {
  const [command = '', ...args] = inContainer('test');
  return spawnSync(command, [...args, 'true']).status === 0;
}
