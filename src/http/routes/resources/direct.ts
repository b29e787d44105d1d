import type { HttpReply } from '../../server/message.ts';
import type { Content, ContentOptions } from '../content/service.ts';
import { putContent } from '../content/write.ts';
import type { Meta, MetaOptions } from '../meta/service.ts';
import { replaceDescription } from '../meta/write.ts';
import type { StoreDirectly } from './write.ts';

/**
 * Returns the handler of PUT at `/resource` in mode `direct`. It acts as if the request had been
 * sent to `Location`, but success is always 200.
 */
export function storeDirectly(
  meta: Meta,
  metaOptions: MetaOptions,
  content: Content,
  contentOptions: ContentOptions,
): StoreDirectly {
  return async (request, uri, { rel, mime }) => {
    const reply =
      rel === 'meta'
        ? await replaceDescription(meta, metaOptions.maxBytes, request, uri, mime)
        : await putContent(content, contentOptions, request, uri, mime);
    return reply.status === 201 ? withoutLocation(reply) : reply;
  };
}

function withoutLocation(reply: HttpReply): HttpReply {
  return { ...reply, status: 200, headers: reply.headers.filter(([name]) => name !== 'Location') };
}
