/** What `npm version` looks at before it makes a release. */
export interface ReleaseFacts {
  readonly before: string;
  readonly version: string;
  readonly changelog: string;
  /** The releases that have a fixture. */
  readonly fixtures: readonly string[];
  /** The formats of files, at the release before and now. */
  readonly formatsBefore: Readonly<Record<string, number>>;
  readonly formats: Readonly<Record<string, number>>;
}

type Step = 'major' | 'minor' | 'patch';

/** Returns why the release must not be made; nothing if it may. */
export function releaseProblems(facts: ReleaseFacts): string[] {
  const { before, version, fixtures } = facts;
  const step = stepBetween(before, version);
  if (!step) return [`${version} is not the next major, minor or patch version after ${before}.`];
  const missing = [before, version].filter((each) => !fixtures.includes(each));
  return [
    ...changelogProblems(facts, step),
    ...missing.map(
      (each) =>
        `test/fixtures/releases/${each} is missing. Make it with the code of that release: node --import tsx test/releases/make-fixture.ts ${each}`,
    ),
    ...formatProblems(facts, step),
  ];
}

/** Returns what of the version rises by one; undefined for every other change. */
export function stepBetween(before: string, version: string): Step | undefined {
  const [old, next] = [numbersOf(before), numbersOf(version)];
  if (!old || !next) return undefined;
  const [major, minor, patch] = old;
  const possible: readonly [Step, string][] = [
    ['major', `${major + 1}.0.0`],
    ['minor', `${major}.${minor + 1}.0`],
    ['patch', `${major}.${minor}.${patch + 1}`],
  ];
  return possible.find(([, name]) => name === version)?.[0];
}

function numbersOf(version: string): [number, number, number] | undefined {
  const [, ...digits] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? [];
  const [major, minor, patch] = digits.map(Number);
  return patch === undefined ? undefined : [major!, minor!, patch];
}

function changelogProblems({ changelog, version }: ReleaseFacts, step: Step): string[] {
  const section = sectionOf(changelog, version);
  if (section === undefined) return [`CHANGELOG.md has no section "## ${version}".`];
  const problems: string[] = [];
  if (!/^- /m.test(section)) problems.push(`The section of ${version} in CHANGELOG.md has no entries.`);
  if (/^- /m.test(sectionOf(changelog, 'Unreleased') ?? '')) {
    problems.push(`CHANGELOG.md still has entries under "Unreleased". Move them to ${version}.`);
  }
  if (step === 'patch' && /^### Removed/m.test(section)) {
    problems.push(`${version} removes something (CHANGELOG.md), so it is not a patch version.`);
  }
  return problems;
}

/** The section whose title begins with a name, without the title. */
function sectionOf(changelog: string, name: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((section) => /^\S+/.exec(section)?.[0] === name);
  return found?.slice(found.indexOf('\n'));
}

function formatProblems({ formats, formatsBefore, before, version }: ReleaseFacts, step: Step): string[] {
  const names = Object.keys({ ...formatsBefore, ...formats });
  return names.flatMap((name) => {
    const [old = 0, now = 0] = [formatsBefore[name], formats[name]];
    if (now < old)
      return [`The format "${name}" was ${old} in ${before} and is ${now} now. It must not decrease.`];
    if (now === old || step !== 'patch') return [];
    return [`The format "${name}" rises from ${old} to ${now}, so ${version} must not be a patch version.`];
  });
}
