import { type HttpResponse, isRejection } from '../../server/message.ts';
import type { Content, ContentOptions } from '../content/service.ts';
import { ContentWrites } from '../content/write.ts';
import type { Meta, MetaOptions } from '../meta/service.ts';
import { DescriptionWrites } from '../meta/write.ts';
import type { StoreDirectly } from './write.ts';

/**
 * Returns the handler of PUT at `/resource` in mode `direct`. It acts as if the request had been
 * sent to `Location`, but success is always 200.
 */
export function storeDirectly(
  meta: Meta,
  metaOptions: Pick<MetaOptions, 'base' | 'maxBytes'>,
  content: Content,
  contentOptions: ContentOptions,
): StoreDirectly {
  const descriptions = new DescriptionWrites(meta, metaOptions.maxBytes);
  const contents = new ContentWrites(content, contentOptions);
  return async (request, uri, { rel, mime }) => {
    const result = await (rel === 'meta'
      ? descriptions.replace(request, uri, mime)
      : contents.put(request, uri, mime));
    return !isRejection(result) && result.status === 201 ? withoutLocation(result) : result;
  };
}

function withoutLocation(response: HttpResponse): HttpResponse {
  return { ...response, status: 200, headers: response.headers.filter(([name]) => name !== 'Location') };
}
