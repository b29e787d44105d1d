import { parseMediaRange } from './media-range.ts';

/** One row of the table of RDF formats (http-api 1.6). */
export interface RdfFormat {
  readonly shortName: string;
  /**
   * Identifies the bytes of this format in entity tags (G-71). A release that writes the same state
   * differently must change it, since states outlive restarts.
   */
  readonly variant: string;
  /** Canonical media type. */
  readonly mediaType: string;
  readonly inputAliases: readonly string[];
  readonly outputAliases: readonly string[];
  /** Names for the parameter `format`. */
  readonly shortNames: readonly string[];
  /** File name extension, without the dot. */
  readonly extension: string;
  /** True if the format names a graph for each quad. */
  readonly quads: boolean;
  /** The server's own preference, 0 to 1. */
  readonly quality: number;
}

/** The meaning of `application/json` at an endpoint (G-43). */
export type JsonMeaning = 'rdfjson' | 'jsonld';

type Aliases = Pick<RdfFormat, 'inputAliases' | 'outputAliases'>;

function both(...types: string[]): Aliases {
  return { inputAliases: types, outputAliases: types };
}

/** In the order in which they win ties (G-52). */
export const formats: readonly RdfFormat[] = [
  {
    shortName: 'turtle',
    variant: 'turtle.2',
    mediaType: 'text/turtle',
    ...both('application/x-turtle', 'application/turtle'),
    shortNames: ['turtle', 'ttl'],
    extension: 'ttl',
    quads: false,
    quality: 1,
  },
  {
    shortName: 'jsonld',
    variant: 'jsonld.2',
    mediaType: 'application/ld+json',
    ...both(),
    shortNames: ['jsonld', 'json-ld'],
    extension: 'jsonld',
    quads: true,
    quality: 0.9,
  },
  {
    shortName: 'nt',
    variant: 'nt',
    mediaType: 'application/n-triples',
    inputAliases: ['text/plain'],
    outputAliases: [],
    shortNames: ['nt', 'ntriples', 'n-triples'],
    extension: 'nt',
    quads: false,
    quality: 0.85,
  },
  {
    shortName: 'rdfxml',
    variant: 'rdfxml',
    mediaType: 'application/rdf+xml',
    ...both('application/xml', 'text/xml'),
    shortNames: ['rdfxml', 'rdf', 'xml'],
    extension: 'rdf',
    quads: false,
    quality: 0.8,
  },
  {
    shortName: 'n3',
    variant: 'n3.2',
    mediaType: 'text/n3',
    ...both('text/rdf+n3'),
    shortNames: ['n3'],
    extension: 'n3',
    quads: false,
    quality: 0.7,
  },
  {
    shortName: 'nq',
    variant: 'nq',
    mediaType: 'application/n-quads',
    ...both('text/x-nquads', 'text/nquads'),
    shortNames: ['nq', 'nquads', 'n-quads'],
    extension: 'nq',
    quads: true,
    quality: 0.6,
  },
  {
    shortName: 'trig',
    variant: 'trig.2',
    mediaType: 'application/trig',
    ...both('application/x-trig'),
    shortNames: ['trig'],
    extension: 'trig',
    quads: true,
    quality: 0.6,
  },
  {
    shortName: 'rdfjson',
    variant: 'rdfjson',
    mediaType: 'application/rdf+json',
    ...both(),
    shortNames: ['rdfjson', 'rj'],
    extension: 'rj',
    quads: false,
    quality: 0.5,
  },
];

/** The format of a response without negotiation. */
export const turtle = formats[0]!;

export const RDF_XML = 'application/rdf+xml';
export const JSON_LD = 'application/ld+json';
export const RDF_JSON = 'application/rdf+json';

const partial: ReadonlySet<string> = new Set([RDF_XML, JSON_LD, RDF_JSON]);

/** Whether a format can represent every graph; for others each quad must be checked. */
export function holdsEveryGraph(mediaType: string): boolean {
  return !partial.has(mediaType);
}

/** Canonical types that can be read, for `available` and `Accept` of a 415 (G-105). */
export const readableTypes: readonly string[] = formats.map((format) => format.mediaType);

const byShortName = new Map(formats.flatMap((format) => format.shortNames.map((name) => [name, format])));
const byInputType = indexByType('inputAliases');
const byOutputType = indexByType('outputAliases');

function indexByType(aliases: keyof Aliases): ReadonlyMap<string, RdfFormat> {
  return new Map(
    formats.flatMap((format) => [format.mediaType, ...format[aliases]].map((type) => [type, format])),
  );
}

/**
 * Returns the format with this name for the parameter `format`; `jsonMeans` decides about `json`.
 */
export function formatByShortName(name: string, jsonMeans: JsonMeaning): RdfFormat | undefined {
  const key = name.toLowerCase();
  return byShortName.get(key === 'json' ? jsonMeans : key);
}

/**
 * Returns the format of a media type (`type/subtype` without parameters, case-insensitive),
 * canonical name or alias.
 */
export function formatByMediaType(
  mediaType: string,
  jsonMeans: JsonMeaning,
  direction: 'input' | 'output',
): RdfFormat | undefined {
  const key = mediaType.toLowerCase();
  if (key === 'application/json') return byShortName.get(jsonMeans);
  return (direction === 'input' ? byInputType : byOutputType).get(key);
}

export interface ContentType {
  /** `type/subtype` in lower case. */
  readonly mediaType: string;
  /** As written, not yet looked up. */
  readonly charset?: string;
  /** The part of a resource that is meant, `meta` or `content`, in lower case. */
  readonly rel?: string;
}

/** Reads a `Content-Type` header; returns undefined if there is none or it is not a media type. */
export function parseContentType(header: string | undefined): ContentType | undefined {
  const range = parseMediaRange(header ?? '');
  if (range === undefined || range.type === '*' || range.subtype === '*') return undefined;
  return {
    mediaType: `${range.type}/${range.subtype}`,
    ...(range.charset !== undefined && { charset: range.charset }),
    ...(range.rel !== undefined && { rel: range.rel }),
  };
}
