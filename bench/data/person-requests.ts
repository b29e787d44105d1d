import type { LoadRequest } from '../load/request.ts';
import { acquaintances, PATH, PERSON, PROGRAM, seededRandom } from './person-data.ts';

const MANY = 10_000;

/** Random persons, the same in every run. */
export function randomPersons(persons: number, seed: number, count = MANY): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => Math.floor(random() * persons));
}

/** `GET /ldpath/path` of two steps from random persons. */
export function pathRequests(persons: number, seed = 7): LoadRequest[] {
  const path = encodeURIComponent(PATH);
  return randomPersons(persons, seed).map((i) => ({
    method: 'GET',
    path: `/ldpath/path?path=${path}&uri=${encodeURIComponent(PERSON + i)}`,
    expect: { status: 200, contains: nameOfAcquaintance(i, persons) },
  }));
}

/**
 * The same by paths of which each is asked for once in ten thousand times, so that the server knows
 * none of them.
 */
export function newPathRequests(persons: number, seed = 7): LoadRequest[] {
  return randomPersons(persons, seed).map((i, index) => ({
    method: 'GET',
    path: `/ldpath/path?path=${encodeURIComponent(`(${PATH}) | <urn:x:${index}>`)}&uri=${encodeURIComponent(PERSON + i)}`,
    expect: { status: 200, contains: nameOfAcquaintance(i, persons) },
  }));
}

/** The same where the data came in sets of `part` persons that share none. */
export function pathRequestsInParts(persons: number, part: number, seed = 7): LoadRequest[] {
  const path = encodeURIComponent(PATH);
  return randomPersons(persons, seed).map((i) => {
    const name = `"Person ${i - (i % part) + acquaintances(i % part, part)[2]!}"`;
    const uri = encodeURIComponent(PERSON + i);
    return {
      method: 'GET',
      path: `/ldpath/path?path=${path}&uri=${uri}`,
      expect: { status: 200, contains: name },
    };
  });
}

/** `POST /ldpath/program` of six fields from random persons. */
export function programRequests(persons: number, seed = 7): LoadRequest[] {
  return randomPersons(persons, seed).map((i) => ({
    method: 'POST',
    path: `/ldpath/program?uri=${encodeURIComponent(PERSON + i)}`,
    body: PROGRAM,
    expect: { status: 200, contains: nameOfAcquaintance(i, persons) },
  }));
}

/** What every answer about the names of acquaintances has in it. */
export function nameOfAcquaintance(i: number, persons: number): string {
  return `"Person ${acquaintances(i, persons)[2]}"`;
}
