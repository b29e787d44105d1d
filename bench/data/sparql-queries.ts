/** Queries about the data set. */
import { NUMBER } from '../load/request.ts';
import { EX, FOAF, PERSON } from './person-data.ts';
import { nameOfAcquaintance, randomPersons } from './person-requests.ts';

export const RESULTS_JSON = 'application/sparql-results+json';

/** A query, and a text of every right answer. */
export interface KnownQuery {
  readonly text: string;
  readonly contains: string;
}

const MANY = 1_000;

const lightKinds: Readonly<Record<string, (person: number, persons: number) => KnownQuery>> = {
  ask: (i) => ({ text: `ASK { <${PERSON}${i}> <${FOAF}name> ?name }`, contains: 'true' }),
  hop: (i) => ({
    text: `SELECT ?name { <${PERSON}${i}> <${FOAF}name> ?name }`,
    contains: `"Person ${i}"`,
  }),
  steps: (i, persons) => ({
    text: `SELECT ?name { <${PERSON}${i}> <${FOAF}knows>/<${FOAF}name> ?name }`,
    contains: nameOfAcquaintance(i, persons),
  }),
};

export type LightKind = 'ask' | 'hop' | 'steps';

/** About random persons. */
export function lightQueries(kind: LightKind, persons: number): KnownQuery[] {
  return randomPersons(persons, 11, MANY).map((person) => lightKinds[kind]!(person, persons));
}

export interface HeavyQuery extends KnownQuery {
  readonly id: string;
  readonly name: string;
  readonly accept: string;
}

/** Each looks at all data, or gives a hundred thousand rows. */
export function heavyQueries(persons: number): HeavyQuery[] {
  const names = `?s <${FOAF}name> ?name`;
  const rows = `SELECT ?s ?name { ${names} } LIMIT 100000`;
  const known = `"Person ${persons - 1}"`;
  return [
    {
      id: 'count',
      name: 'COUNT of all triples',
      text: 'SELECT (COUNT(*) AS ?c) { ?s ?p ?o }',
      accept: RESULTS_JSON,
      contains: '"c"',
    },
    {
      id: 'group',
      name: 'COUNT of triples by predicate',
      text: 'SELECT ?p (COUNT(*) AS ?c) { ?s ?p ?o } GROUP BY ?p',
      accept: RESULTS_JSON,
      contains: `"${persons * 5}"`,
    },
    {
      id: 'order',
      name: 'ORDER BY name, LIMIT 10',
      text: `SELECT ?name { ${names} } ORDER BY DESC(STRLEN(STR(?name))) DESC(?name) LIMIT 10`,
      accept: RESULTS_JSON,
      contains: known,
    },
    {
      id: 'construct',
      name: 'CONSTRUCT of 100,000 triples at most as N-Triples',
      text: `CONSTRUCT { ?s <${EX}called> ?name } { ${names} } LIMIT 100000`,
      accept: 'application/n-triples',
      contains: `<${EX}called>`,
    },
    {
      id: 'json',
      name: 'SELECT of 100,000 rows at most as JSON',
      text: rows,
      accept: RESULTS_JSON,
      contains: 'Person ',
    },
    {
      id: 'csv',
      name: 'SELECT of 100,000 rows at most as CSV',
      text: rows,
      accept: 'text/csv',
      contains: 'Person ',
    },
  ];
}

/**
 * Queries without end, of six kinds. Each has a number in the name of a variable, so that no two
 * have the same shape, which would be refused after a few.
 */
export const runawayQueries: readonly string[] = [
  'SELECT (COUNT(*) AS ?n) { ?a ?b ?x . ?d ?e ?y . ?f ?g ?z . FILTER(?x != ?z) }',
  `SELECT (COUNT(*) AS ?n) { ?a <${FOAF}knows>+ ?b . ?b <${FOAF}knows>+ ?d . ?d <${FOAF}knows>+ ?e }`,
  `SELECT ?n { ?n <${FOAF}name> ?x . ?b <${FOAF}name> ?y . ?d <${FOAF}name> ?z . FILTER(CONCAT(STR(?x), STR(?y)) = ?z) }`,
  `ASK { ?n <${FOAF}name> ?x . ?b <${FOAF}name> ?y . ?d <${FOAF}name> ?z . FILTER(REGEX(?x, CONCAT("^(", ?y, "|", ?z, "x)+$"))) }`,
  `SELECT ?n (COUNT(DISTINCT ?z) AS ?c) { ?n ?p ?y . ?z ?q ?w . ?v <${FOAF}knows> ?u } GROUP BY ?n`,
  `ASK { ?a <${EX}age> ?x . ?b <${EX}age> ?y . ?d <${EX}age> ?z . FILTER(?x + ?y + ?z = -1) BIND(?x AS ?n) }`,
].map((text) => text.replaceAll('?n', `?n${NUMBER}`));
