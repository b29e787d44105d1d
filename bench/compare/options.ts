import { ArgumentError, type BenchOptions, readBenchArguments } from '../options.ts';

export type CompareRequest =
  | { readonly kind: 'help' }
  /** `options` as read from `args`, with the defaults of comparisons. */
  | { readonly kind: 'run'; readonly ref: string; readonly options: BenchOptions };

export const COMPARE_HELP = `npm run bench:compare -- REF [options of npm run bench]

Builds another revision (a branch, a tag, a commit) in a temporary worktree, measures it and this working tree in turn,
suite by suite, with the benchmarks of this working tree, and prints the ratios with their spread. Defaults: --size 100k,
--rounds 6, --seconds 2; other engines are left out. A round runs each suite once on each side, so --only saves much time.
Fewer than 6 rounds prove nothing.
`;

export function readCompareArguments(args: readonly string[]): CompareRequest {
  if (args.includes('--help') || args.includes('-h')) return { kind: 'help' };
  const [ref, ...rest] = args;
  if (ref === undefined || ref.startsWith('-'))
    throw new ArgumentError('Expected a revision first (see --help).');
  const request = readBenchArguments(['--size', '100k', '--rounds', '6', '--no-peers', ...rest]);
  if (request.kind === 'help') return request;
  const { options } = request;
  const suites = options.suites.filter((suite) => suite !== 'peers');
  if (suites.length === 0) throw new ArgumentError('--only: other engines cannot be compared by revision.');
  return { kind: 'run', ref, options: { ...options, suites, peers: false } };
}
