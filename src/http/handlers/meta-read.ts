import type { ErrorData } from '../../errors.ts';
import { withCharset } from '../../rdf/accept.ts';
import { formatByMediaType, RDF_XML, type RdfFormat } from '../../rdf/media-types.ts';
import type { MetaDocument, MetaInfo } from '../../services/meta.ts';
import type { ResourceName, ResourceView } from '../../services/resource-index.ts';
import { decideRead } from '../conditional.ts';
import { formatEntityTag } from '../entity-tag.ts';
import { fileName } from '../file-name.ts';
import { formatLastModified } from '../last-modified.ts';
import type { Header, HttpReply, HttpRequest } from '../message.ts';
import { problemReply, refusal } from '../problem.ts';
import type { Meta } from './meta-service.ts';
import { ResourceAddress } from './resource-link.ts';
import { notAcceptableReply } from './resource-negotiation.ts';
import { contentLink } from './resource-read.ts';
import { preconditionFailed, resourceNotFound } from './resource-target.ts';

/** Handles GET and HEAD of a description. `mime`: the type in the path. */
export async function readDescription(
  meta: Meta,
  base: string,
  request: HttpRequest,
  resource: ResourceName,
  mime: string,
): Promise<HttpReply> {
  const view = meta.view(resource);
  if (!view) return problemReply(resourceNotFound(resource), request);
  const format = formatByMediaType(mime, 'rdfjson', 'output');
  if (!format) return notAcceptableReply(view.contentType);
  const withoutDocument = request.method === 'HEAD' && format.mediaType !== RDF_XML;
  const found = await (withoutDocument
    ? meta.info(resource, request)
    : meta.read(resource, format.mediaType, request));
  const refuse = (error: ErrorData) =>
    error.code === 'not-acceptable'
      ? notAcceptableReply(view.contentType, format.mediaType)
      : refusal(error, request);
  if (!found.ok) return refuse(found.error);
  const info: MetaInfo = found.value;
  const entityTag = formatEntityTag(info.state, format.shortName);
  const validators = readValidators(entityTag, info.modified);
  const decision = decideRead(request, entityTag, info);
  if (decision === 'not-modified') return { status: 304, headers: validators };
  if (decision === 'precondition-failed') return problemReply(preconditionFailed(resource), request);
  const headers = [...validators, ...describing(resource, view, format, mime, base)];
  if (withoutDocument) return { status: 200, headers };
  const document = await (found.value as MetaDocument).open(request);
  return document.ok ? { status: 200, headers, body: document.value } : refuse(document.error);
}

function describing(
  resource: ResourceName,
  { contentType }: ResourceView,
  format: RdfFormat,
  mime: string,
  base: string,
): Header[] {
  const name = fileName(resource.kind === 'uri' ? resource.uri : resource.label, format.extension);
  const headers: Header[] = [
    ['Content-Type', withCharset(mime)],
    ['Content-Disposition', `attachment; filename="${name}"`],
  ];
  if (contentType !== undefined) {
    headers.push(['Link', contentLink(new ResourceAddress(resource, base), contentType)]);
  }
  return headers;
}

/** Returns the headers that a 304 also has (G-74). */
export function readValidators(entityTag: string, modified: number): Header[] {
  return [
    ['ETag', entityTag],
    ['Last-Modified', formatLastModified(modified)],
    ['Cache-Control', 'no-cache'],
  ];
}
