/**
 * Runs in a separate process, so that the load does not disturb the measurement. Receives commands
 * and replies with results.
 */
import type { Command, Report } from './load.ts';
import type { Target } from './request.ts';
import { runLoad } from './run-load.ts';

const targets = new Map<number, Target>();

process.on('message', (command: Command) => {
  if (command.kind === 'target') targets.set(command.name, command.target);
  else void run(command).then((report) => process.send?.(report));
});
process.on('disconnect', () => process.exit());
// Who started it ends it: Ctrl-C reaches the whole group of processes.
process.on('SIGINT', () => {});

async function run({ name, load }: Extract<Command, { kind: 'run' }>): Promise<Report> {
  const target = targets.get(name);
  if (!target) return { error: `There is no target ${name}.` };
  return runLoad(target, load).then(
    (result) => ({ result }),
    (error: Error) => ({ error: error.message }),
  );
}
