import { after } from 'node:test';

/** What ends at some time, and releases then what it was given: a case, or a whole `describe`. */
export interface Scope {
  after(release: () => unknown): void;
}

/** The scope of the `describe` in whose body this is called. It releases in reverse order. */
export function suiteScope(): Scope {
  const releases: (() => unknown)[] = [];
  after(async () => {
    for (const release of releases.toReversed()) await release();
  });
  return { after: (release) => releases.push(release) };
}
