/**
 * npm run test:mutants: changes the source in one place at a time, in a copy, and runs the tests
 * that reach it until one fails. Changes that no test notices are listed in `results/seed-N.md`. A
 * stopped run can be continued.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../support/project.ts';
import { Baseline } from './baseline.ts';
import { Compiler } from './compiler.ts';
import { Copy } from './copy.ts';
import { name, Report } from './report.ts';
import { type Selection, selectMutants } from './selection.ts';
import { sourceFiles, TestFinder } from './tests.ts';
import { Trial } from './trial.ts';

const HELP = `npm run test:mutants -- [options]
  --count N      mutants that the compiler accepts (300)
  --seed N       another seed, other mutants (1)
  --only PREFIX  of files with this beginning, such as src/ldpath/
  --budget N     seconds of tests for each mutant (60)
  --minutes N    starts no more mutants after so many minutes
  --jobs N       mutants tried at a time (1)
  --survivors    tries those again that survived before
  --list         only prints the mutants`;

const results = join(projectRoot, 'test/mutants/results');

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    budget: { type: 'string', default: '60' },
    minutes: { type: 'string', default: 'Infinity' },
    jobs: { type: 'string', default: '1' },
    survivors: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else await main();

async function main(): Promise<void> {
  const selection = select();
  if (values.list) return console.log(selection.mutants.map(name).join('\n'));
  const report = new Report(results, Number(values.seed), selection);
  await tryAll(report);
  console.log(report.summary());
}

function select(): Selection {
  const files = ['src', 'workers']
    .flatMap((folder) => sourceFiles(projectRoot, folder))
    .filter((file) => file.startsWith(values.only));
  const compiler = new Compiler(projectRoot);
  try {
    return selectMutants(projectRoot, files, compiler, {
      seed: Number(values.seed),
      count: Number(values.count),
    });
  } finally {
    compiler.close();
  }
}

async function tryAll(report: Report): Promise<void> {
  const until = performance.now() + 60_000 * Number(values.minutes);
  const baseline = new Baseline(join(results, 'tests.json'));
  const trial = new Trial(projectRoot, new TestFinder(projectRoot), baseline, Number(values.budget));
  const remaining = report.remaining(values.survivors);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => remaining.splice(0));
  }
  const work = async (): Promise<void> => {
    const copy = new Copy(projectRoot);
    try {
      for (let mutant = remaining.shift(); mutant && performance.now() < until; mutant = remaining.shift()) {
        const outcome = await trial.run(mutant, copy);
        report.add(outcome);
        console.log(`${name(mutant)}: ${outcome.status} (${outcome.seconds.toFixed(1)} s)`, outcome.by ?? '');
      }
    } finally {
      copy.remove();
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
}
