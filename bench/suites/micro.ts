/** The parts in one thread: look-ups, compiling, parsing, serialising, the journal. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import { type Journal, openJournal } from '../../src/journal/journal.ts';
import { compilePath, compileProgram } from '../../src/ldpath/compile/compiler.ts';
import { parseRdf } from '../../src/rdf/formats/parse-document.ts';
import { serializeRdf } from '../../src/rdf/formats/serialize-quads.ts';
import type { SnapshotReader } from '../../src/snapshot/read/reader.ts';
import {
  acquaintances,
  FOAF,
  GRAPH,
  PATH,
  PERSON,
  PROGRAM,
  personTurtle,
  TRIPLES_A_PERSON,
} from '../data/person-data.ts';
import { randomPersons } from '../data/person-requests.ts';
import { snapshotOf } from '../data/person-snapshot.ts';
import type { Figure, Outcome } from '../report/figure.ts';
import type { Stage } from '../stage.ts';
import { rate } from './in-turn.ts';

/** Of documents that are parsed and written. */
const DOCUMENT_PERSONS = 1_250;
const LOOKUPS = 1_000;
const RECORD_BYTES = 200;
/** Records that are synced together. */
const GROUP = 64;

interface Work {
  readonly id: string;
  readonly name: string;
  readonly unit: string;
  /** Units in one call. */
  readonly units: number;
  readonly call: () => unknown;
}

export async function benchMicro(stage: Stage): Promise<Outcome> {
  const reader = snapshotOf(await readFile(await stage.turtle(), 'utf8')).reader();
  const journal = await openJournal(await openNodeDisk(join(stage.directory, 'journal')));
  const works = [
    ...lookups(reader, stage.options.persons),
    ...compiling(),
    ...documents(),
    appending(journal),
  ];
  const figures: Figure[] = [];
  for (const work of works) figures.push(await measure(stage, work));
  await journal.close();
  return { figures };
}

async function measure({ options }: Stage, { id, name, unit, units, call }: Work): Promise<Figure> {
  const values: number[] = [];
  for (let round = 0; round < options.rounds; round++) {
    values.push((await rate(name, call, Math.min(0.5, options.seconds), round === 0)) * units);
  }
  return { id: `micro.${id}`, name, unit, better: 'more', values };
}

function lookups(reader: SnapshotReader, persons: number): Work[] {
  const chosen = randomPersons(persons, 5, LOOKUPS);
  const texts = chosen.map((i) => `<${PERSON}${i}>`);
  const subjects = texts.map((text) => reader.find(text));
  const objects = chosen.map((i) => reader.find(`<${PERSON}${acquaintances(i, persons)[0]}>`));
  const knows = reader.find(`<${FOAF}knows>`);
  const many = (name: string, id: string, look: (at: number, into: number[]) => boolean): Work => {
    const into: number[] = [];
    const call = () => {
      for (let at = 0; at < LOOKUPS; at++) {
        into.length = 0;
        if (!look(at, into)) throw new Error(`${name}: a wrong answer`);
      }
    };
    return { id, name: `snapshot: ${name}`, unit: 'look-ups/s', units: LOOKUPS, call };
  };
  return [
    many('term by its text', 'find', (at) => reader.find(texts[at]!) === subjects[at]),
    many('objects of subject and predicate', 'objects', (at, into) => {
      reader.objects(subjects[at]!, knows, into);
      return into.length > 0;
    }),
    many('subjects of predicate and object', 'subjects', (at, into) => {
      reader.subjects(knows, objects[at]!, into);
      return into.length > 0;
    }),
    many('whether a triple is there', 'has', (at) => reader.has(subjects[at]!, knows, objects[at]!)),
  ];
}

function compiling(): Work[] {
  const prefixes = { foaf: FOAF };
  const common = { unit: 'sources/s', units: 1 };
  return [
    {
      id: 'compile.path',
      name: 'compile a path of two steps',
      ...common,
      call: () => compilePath(PATH, { prefixes }),
    },
    {
      id: 'compile.program',
      name: 'compile a program of six fields',
      ...common,
      call: () => compileProgram(PROGRAM, { prefixes }),
    },
  ];
}

function documents(): Work[] {
  const turtle = personTurtle(DOCUMENT_PERSONS);
  const triples = DOCUMENT_PERSONS * TRIPLES_A_PERSON;
  const reader = snapshotOf(turtle).reader();
  const graph = reader.find(`<${GRAPH}>`);
  const write = (mediaType: string) => [...serializeRdf(reader.graphCursor(graph), { mediaType })];
  const formats = ['text/turtle', 'application/n-triples', 'application/rdf+xml', 'application/ld+json'];
  return formats.flatMap((mediaType) => {
    const document = mediaType === 'text/turtle' ? Buffer.from(turtle) : Buffer.concat(write(mediaType));
    const common = { unit: 'triples/s', units: triples };
    return [
      {
        id: `parse.${mediaType}`,
        name: `parse ${mediaType}`,
        ...common,
        call: () => {
          const block = parseRdf(document, { mediaType, baseIri: GRAPH });
          if (block.quads.length !== triples * 4) throw new Error(`${block.quads.length / 4} quads`);
        },
      },
      {
        id: `serialize.${mediaType}`,
        name: `serialise ${mediaType}`,
        ...common,
        call: () => {
          if (write(mediaType).length === 0) throw new Error('nothing was written');
        },
      },
    ];
  });
}

function appending(journal: Journal): Work {
  const payload = [Buffer.alloc(RECORD_BYTES, 'x')];
  const call = async () => {
    const next = journal.lastSequence + 1;
    await journal.append(Array.from({ length: GROUP }, (_, i) => ({ sequence: next + i, payload })));
  };
  return {
    id: 'journal',
    name: `journal: records of ${RECORD_BYTES} bytes, ${GROUP} a sync`,
    unit: 'records/s',
    units: GROUP,
    call,
  };
}
