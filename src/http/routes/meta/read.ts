import type { ErrorData } from '../../../errors.ts';
import { withCharset } from '../../../rdf/media-types/accept.ts';
import { formatByMediaType, RDF_XML, type RdfFormat } from '../../../rdf/media-types/media-types.ts';
import type { ResourceName, ResourceView } from '../../../services/resources/existence.ts';
import type { MetaDocument, MetaInfo } from '../../../services/resources/meta.ts';
import { decideRead } from '../../headers/conditional.ts';
import { formatEntityTag } from '../../headers/entity-tag.ts';
import { fileName } from '../../headers/file-name.ts';
import { formatLastModified } from '../../headers/last-modified.ts';
import { problemReply, refusal } from '../../problem.ts';
import type { Header } from '../../server/header.ts';
import type { HttpReply, HttpRequest } from '../../server/message.ts';
import { ResourceAddress } from '../resources/link.ts';
import { notAcceptableReply } from '../resources/negotiation.ts';
import { contentLink } from '../resources/read.ts';
import { preconditionFailed, resourceNotFound } from '../resources/target.ts';
import type { Meta } from './service.ts';

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
