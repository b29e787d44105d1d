import { type Command, InvalidArgumentError } from 'commander';
import { SettingError } from '../../config.ts';
import { iriError } from '../../rdf/model/iri.ts';
import { parseStartSet, type StartSet } from '../../rdf/model/resources/start-set.ts';
import type { Starts } from './options.ts';

/** The options that choose the start resources. */
export interface GivenStarts {
  readonly uris?: string;
  readonly type?: string;
  readonly graph?: string;
  readonly subjects?: true;
  readonly startPath?: string;
  readonly from?: readonly string[];
}

export function addStartsOptions(command: Command): Command {
  return command
    .option('--uris <FILE>', 'File of start resources, one per line.')
    .option('--type <IRI>', 'Start at the instances of this class.', readIri)
    .option('--graph <IRI>', 'Start at the subjects in this context.', readIri)
    .option('--subjects', 'Start at all subjects.')
    .option('--start-path <PATH>', 'Start at what this path selects from the resources of --from.')
    .option('--from <IRI...>', 'Where --start-path begins.');
}

/** Returns the chosen start resources; undefined if none are. Throws SettingError. */
export function startsOf({ uris, from, ...others }: GivenStarts): Starts | undefined {
  const { type, graph, subjects, startPath } = others;
  const given = [uris, type, graph, subjects, startPath].filter((one) => one !== undefined);
  if (given.length > 1)
    throw new SettingError('eval: --uris, --type, --graph, --subjects and --start-path exclude each other');
  if ((startPath === undefined) !== (from === undefined))
    throw new SettingError('eval: --start-path and --from belong together');
  if (uris !== undefined) return { kind: 'file', file: uris };
  const set = setOf(others, from);
  return set && { kind: 'set', set };
}

function setOf(
  { type, graph, subjects, startPath }: GivenStarts,
  from: readonly string[] | undefined,
): StartSet | undefined {
  if (type !== undefined) return { kind: 'type', iri: type };
  if (graph !== undefined) return { kind: 'graph', iri: graph };
  if (subjects) return { kind: 'subjects' };
  if (startPath === undefined) return undefined;
  const set = parseStartSet({ path: startPath, from });
  if (!set.ok) throw new SettingError(`eval: ${set.message}`);
  return set.value;
}

function readIri(given: string): string {
  const error = iriError(given);
  if (error !== undefined) throw new InvalidArgumentError(`${error}.`);
  return given;
}
