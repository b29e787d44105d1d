import type { Outcome } from './results.ts';

const MANUAL = 'has no code: a person has to look';
const STORED = 'expects the server to reject a property, but it stores all properties';
/** They pass on the member, see `isUnexpectedSkip`. */
const CONTAINER = 'does not try to replace the triples of a container';

/** Tests that can neither pass nor fail on any server (http-api 5.13), and why. */
const skippable: Readonly<Record<string, string>> = {
  testIsHttp11Manual: MANUAL,
  testReUseVocabularies: MANUAL,
  testUseStandardVocabularies: MANUAL,
  testRestrictClientInference: MANUAL,
  testPublishConstraintsUnknownProp: STORED,
  testPutPropertiesNotPersisted: STORED,
  testResponsePropertiesNotPersisted: STORED,
  testPutReplacesResource: CONTAINER,
  testPutSimpleUpdate: CONTAINER,
  testRelativeUriResolutionPut: CONTAINER,
};

/** `also`: further tests that may be skipped. */
export function isUnexpectedSkip({ test, on, status }: Outcome, also: readonly string[] = []): boolean {
  if (status !== 'skip' || also.includes(test)) return false;
  return skippable[test] === undefined || (skippable[test] === CONTAINER && !on.endsWith('Container'));
}
