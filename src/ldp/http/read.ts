import { seesEverything } from '../../base/graph-access.ts';
import type { Failure } from '../../errors.ts';
import { decideRead, withoutDates } from '../../http/headers/conditional.ts';
import type { DocumentVariants } from '../../http/headers/document-variants.ts';
import { formatEntityTag } from '../../http/headers/entity-tag.ts';
import { hasSettled } from '../../http/headers/last-modified.ts';
import { parsePrefer } from '../../http/headers/prefer.ts';
import { readValidators } from '../../http/routes/meta/read.ts';
import type { Header } from '../../http/server/header.ts';
import { HeaderLines } from '../../http/server/header-lines.ts';
import type { HandlerResult, HttpRequest, PendingResult } from '../../http/server/message.ts';
import type { RdfChoice } from '../../rdf/media-types/accept.ts';
import { holdsEveryGraph, type RdfFormat, readableTypes } from '../../rdf/media-types/media-types.ts';
import type { ShownSource } from '../main/documents.ts';
import { allParts, partsVariant, preferredParts } from '../main/preferred-parts.ts';
import { isContainer, type LdpKind } from '../model/kinds.ts';
import { descriptionOf } from '../model/names.ts';
import type { LdpBinaries } from './binary.ts';
import { missing, notAcceptable, preconditionFailed } from './errors.ts';
import type { LdpHeaders } from './headers.ts';
import { chooseFormat, chooseOtherFormat } from './negotiation.ts';
import { type KnownResponse, LdpResponses } from './response-cache.ts';
import type { Ldp, LiveEntry } from './service.ts';

type Parts = typeof allParts;

/** A requested representation. */
interface Wanted {
  /** The RDF source. */
  readonly uri: string;
  readonly entry: LiveEntry;
  readonly choice: RdfChoice;
  /** The client's preferences; undefined if it sent none. */
  readonly parts: Parts | undefined;
  /** The target of the request, if that is the binary that the RDF source describes. */
  readonly binary?: string;
  /** For a client that does not see everything, when it is known what it sees. */
  readonly shown?: ShownSource;
  /** Formats that can't represent the document. */
  readonly unwritable?: readonly RdfFormat[];
}

/** A requested binary. `choice`: the RDF format for its description, if one is acceptable. */
interface AskedBinary extends Pick<Wanted, 'entry' | 'parts'> {
  readonly choice: RdfChoice | undefined;
}

/**
 * Handles GET and HEAD of LDP resources (http-api 5.4, 5.5). Known representations are served
 * synchronously.
 */
export class LdpReads {
  readonly #ldp: Ldp;
  readonly #headers: LdpHeaders;
  readonly #binaries: LdpBinaries;
  readonly #responses = new LdpResponses();
  readonly #variants: DocumentVariants;

  constructor(ldp: Ldp, headers: LdpHeaders, binaries: LdpBinaries, variants: DocumentVariants) {
    this.#ldp = ldp;
    this.#headers = headers;
    this.#binaries = binaries;
    this.#variants = variants;
  }

  /**
   * Returns a cached response synchronously. `path`: the part of the URI after the root container.
   */
  readKnown(request: HttpRequest, path: string): HandlerResult | undefined {
    // What is cached is for clients that see everything.
    if (!seesEverything(request)) return undefined;
    const choice = chooseFormat(request.header('accept'));
    const known = choice && this.#known(path, variantOf(choice, preferences(request)));
    return known && this.#responseOf(request, known.uri, known);
  }

  read(request: HttpRequest, uri: string): PendingResult {
    const path = uri.slice(this.#ldp.space.root.length);
    const response = this.readKnown(request, path);
    if (response) return response;
    const choice = chooseFormat(request.header('accept'));
    const parts = preferences(request);
    const entry = this.#ldp.space.shown(uri, request);
    if (entry === undefined || entry === 'gone') return missing(this.#ldp.space, uri, request);
    if (entry.kind === 'binary') return this.#readBinary(request, uri, { entry, choice, parts });
    if (!choice) return notAcceptable(uri, readableTypes);
    return this.#send(request, { uri, entry, choice, parts }, path);
  }

  /** Serves the bytes, or the description if only that is acceptable. */
  #readBinary(request: HttpRequest, binary: string, { entry, choice, parts }: AskedBinary): PendingResult {
    const { space } = this.#ldp;
    if (this.#binaries.isAcceptable(request, binary)) return this.#binaries.read(request, binary, entry);
    const uri = descriptionOf(binary);
    const description = space.shown(uri, request);
    if (!choice || description === undefined || description === 'gone') {
      return this.#binaries.notAcceptable(binary);
    }
    return this.#send(request, { uri, entry: description, choice, parts, binary }, undefined);
  }

  #known(path: string, variant: string): KnownResponse | undefined {
    const known = this.#responses.get(path, variant);
    if (known === undefined || !hasSettled(known.modified)) return undefined;
    const { space } = this.#ldp;
    const { version } = space;
    if (known.version === version) return known;
    const entry = space.entry(known.uri);
    if (entry === undefined || entry === 'gone' || entry.sequence !== known.sequence) return undefined;
    if (known.prefixes !== this.#variants.documentVariant) return undefined;
    known.version = version;
    return known;
  }

  /** Returns undefined if the document is needed and not cached. */
  #responseOf(request: HttpRequest, uri: string, known: KnownResponse): HandlerResult | undefined {
    const head = seesEverything(request) ? request : withoutDates(request);
    const decision = decideRead(head, known.entityTag, known);
    if (decision === 'not-modified') return known.notModified;
    if (decision === 'precondition-failed') return preconditionFailed(uri);
    if (known.full || request.method !== 'HEAD' || !known.isCertain) return known.full;
    return { status: 200, headers: none, lines: known.lines };
  }

  async #send(request: HttpRequest, wanted: Wanted, path: string | undefined): Promise<HandlerResult> {
    const isPartial = !seesEverything(request);
    if (isPartial && !wanted.shown) return this.#sendShown(request, wanted);
    const known = this.#describe(wanted);
    const variant = variantOf(wanted.choice, wanted.parts);
    // Without a date that stays the same, the response is not kept.
    const kept = hasSettled(known.modified) && !isPartial ? path : undefined;
    if (kept !== undefined) this.#responses.put(kept, variant, known);
    const response = this.#responseOf(request, wanted.binary ?? wanted.uri, known);
    if (response) return response;
    const { uri, choice, parts = allParts, shown } = wanted;
    const source = { uri, parts, ...(shown && { snapshot: shown.snapshot }) };
    const document = await this.#ldp.documents.read(source, choice.format.mediaType, request);
    if (!document.ok) return this.#withoutDocument(request, wanted, path, document);
    const { lines } = known;
    if (!(document.value instanceof Uint8Array)) {
      return { status: 200, headers: none, lines, body: document.value };
    }
    // Copied, because the buffer of these bytes may be much longer.
    const full = { status: 200, headers: none, lines, body: new Uint8Array(document.value) };
    // Put a new entry, because its size has changed.
    if (kept !== undefined) this.#responses.put(kept, variant, { ...known, full });
    return full;
  }

  /** Serves what a client sees that does not see everything, with a tag of that alone. */
  async #sendShown(request: HttpRequest, wanted: Wanted): Promise<HandlerResult> {
    const shown = await this.#ldp.documents.shown(wanted.uri, request);
    return shown.ok ? this.#send(request, { ...wanted, shown: shown.value }, undefined) : shown;
  }

  /**
   * Serves a document that a format can't represent in another acceptable one (http-api G-54).
   */
  #withoutDocument(
    request: HttpRequest,
    wanted: Wanted,
    path: string | undefined,
    failure: Failure,
  ): PendingResult {
    const { error } = failure;
    if (error.code !== 'not-acceptable') return failure;
    const unwritable = [...(wanted.unwritable ?? []), wanted.choice.format];
    const choice = chooseOtherFormat(request.header('accept'), unwritable);
    if (choice) return this.#send(request, { ...wanted, choice, unwritable }, path);
    const refused = unwritable.map(({ mediaType }) => mediaType);
    const available = readableTypes.filter((type) => !refused.includes(type));
    return { ok: false, error: { ...error, details: { uri: wanted.binary ?? wanted.uri, available } } };
  }

  #describe({ uri, entry, choice, parts, binary, shown }: Wanted): KnownResponse {
    const { space } = this.#ldp;
    const { sequence, modified } = entry;
    const state = shown ? shown.state : space.state(entry);
    const variant = this.#variants.variantOf(choice.format) + (parts ? partsVariant(parts) : '');
    const entityTag = formatEntityTag(state, variant);
    const target = binary ?? uri;
    const kind: LdpKind = binary === undefined ? entry.kind : 'binary';
    const vary: Header = ['Vary', isContainer(kind) ? 'Accept, Prefer' : 'Accept'];
    // Hidden members change the date.
    const dated = readValidators(entityTag, modified).filter(([name]) => !shown || name !== 'Last-Modified');
    const validators = [...dated, vary];
    const headers: Header[] = [
      ...validators,
      ...this.#headers.all(target, kind),
      ['Content-Type', choice.contentType],
    ];
    if (parts) headers.push(['Preference-Applied', 'return=representation']);
    if (binary !== undefined) headers.push(['Content-Location', uri]);
    const kept = new HeaderLines([...validators, ...this.#headers.links(target, kind)]);
    const notModified = { status: 304, headers: none, lines: kept };
    const lines = new HeaderLines(headers);
    const { version } = space;
    const isCertain = holdsEveryGraph(choice.format.mediaType);
    const prefixes = this.#variants.documentVariant;
    const known = { uri, sequence, version, prefixes, entityTag, state, modified };
    return { ...known, notModified, lines, isCertain, full: undefined };
  }
}

const none: readonly Header[] = [];

/** Returns the parts that the client prefers, or undefined if it does not state a preference. */
function preferences(request: HttpRequest): Parts | undefined {
  const prefer = request.header('prefer');
  const preference = prefer === undefined ? undefined : parsePrefer(prefer);
  return preference && preferredParts(preference);
}

function variantOf({ contentType }: RdfChoice, parts: Parts | undefined): string {
  return parts ? `${contentType}!${partsVariant(parts)}` : contentType;
}
