import type { Failure } from '../../../errors.ts';
import { chosenFormat, negotiate, type RdfChoice } from '../../../rdf/media-types/accept.ts';
import { formatByMediaType, holdsEveryGraph } from '../../../rdf/media-types/media-types.ts';
import type { ResourceName } from '../../../services/resources/existence.ts';
import type { MetaDocument, MetaInfo } from '../../../services/resources/meta.ts';
import { decideRead } from '../../headers/conditional.ts';
import type { DocumentVariants } from '../../headers/document-variants.ts';
import { formatEntityTag } from '../../headers/entity-tag.ts';
import { fileName } from '../../headers/file-name.ts';
import { formatLastModified } from '../../headers/last-modified.ts';
import type { Header } from '../../server/header.ts';
import type { HandlerResult, HttpRequest } from '../../server/message.ts';
import { ResourceAddress } from '../resources/link.ts';
import { notAcceptableResponse } from '../resources/negotiation.ts';
import { contentLink } from '../resources/read.ts';
import { preconditionFailed, resourceNotFound } from '../resources/target.ts';
import type { Meta, MetaOptions } from './service.ts';

/** Handles GET and HEAD of descriptions. */
export class DescriptionReads {
  readonly #meta: Meta;
  readonly #base: string;
  readonly #variants: DocumentVariants;

  constructor(meta: Meta, { base, variants }: Pick<MetaOptions, 'base' | 'variants'>) {
    this.#meta = meta;
    this.#base = base;
    this.#variants = variants;
  }

  /** `mime`: the type in the path. */
  async read(request: HttpRequest, resource: ResourceName, mime: string): Promise<HandlerResult> {
    const view = this.#meta.view(resource, request);
    if (!view) return resourceNotFound(resource);
    const choice = formatInPath(request, mime);
    if (!choice) return notAcceptableResponse(view.contentType);
    const { format } = choice;
    // That of the snapshot that is read.
    const variant = this.#variants.variantOf(format);
    const withoutDocument = request.method === 'HEAD' && holdsEveryGraph(format.mediaType);
    const found = await (withoutDocument
      ? this.#meta.info(resource, request)
      : this.#meta.read(resource, format.mediaType, request));
    const reject = (failure: Failure) =>
      failure.error.code === 'not-acceptable'
        ? notAcceptableResponse(view.contentType, format.mediaType)
        : failure;
    if (!found.ok) return reject(found);
    const info: MetaInfo = found.value;
    const entityTag = formatEntityTag(info.state, variant);
    const validators = readValidators(entityTag, info.modified);
    if (isJsonLd(mime)) validators.push(['Vary', 'Accept']);
    const decision = decideRead(request, entityTag, info);
    if (decision === 'not-modified') return { status: 304, headers: validators };
    if (decision === 'precondition-failed') return preconditionFailed(resource);
    const headers = [
      ...validators,
      ...describeDocument(resource, choice),
      ...this.#linkToContent(resource, view.contentType),
    ];
    if (withoutDocument) return { status: 200, headers };
    const document = await (found.value as MetaDocument).open(request);
    return document.ok ? { status: 200, headers, body: document.value } : reject(document);
  }

  #linkToContent(resource: ResourceName, contentType: string | undefined): Header[] {
    if (contentType === undefined) return [];
    return [contentLink(new ResourceAddress(resource, this.#base), contentType)];
  }
}

/**
 * Returns the format of the type in the path. A client that was redirected here repeats its
 * `Accept`, which may name a form of JSON-LD.
 */
function formatInPath(request: HttpRequest, mime: string): RdfChoice | undefined {
  const format = formatByMediaType(mime, 'rdfjson', 'output');
  if (!format) return undefined;
  const type = isJsonLd(mime) ? mime.toLowerCase() : mime;
  const accepted = isJsonLd(mime) ? negotiate(request.header('accept'), [{ type }]) : undefined;
  return chosenFormat(format, { ...accepted, type });
}

function isJsonLd(mime: string): boolean {
  return mime.toLowerCase() === 'application/ld+json';
}

function describeDocument(resource: ResourceName, { format, contentType }: RdfChoice): Header[] {
  const name = fileName(resource.kind === 'uri' ? resource.uri : resource.label, format.extension);
  return [
    ['Content-Type', contentType],
    ['Content-Disposition', `attachment; filename="${name}"`],
  ];
}

/** Returns the headers that a 304 also has (G-74). */
export function readValidators(entityTag: string, modified: number): Header[] {
  return [
    ['ETag', entityTag],
    ['Last-Modified', formatLastModified(modified)],
    ['Cache-Control', 'no-cache'],
  ];
}
