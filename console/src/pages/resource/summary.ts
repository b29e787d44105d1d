import { client } from '../../app/client.ts';
import { requestServer } from '../../app/request.ts';
import { bestLabel } from '../../resources/labels.ts';

/** What the head of the page shows of a resource. */
interface Summary {
  readonly label: string | undefined;
  readonly types: readonly string[];
  /** Media type of its content, if it has any, without parameters. */
  readonly contentType: string | undefined;
}

const PROGRAM = `label = ${bestLabel} ; type = rdf:type ;`;

/** @throws PathpoolError with the status 404 for a resource that does not exist */
export async function summaryOf(resource: string, signal: AbortSignal): Promise<Summary> {
  const contentType = contentTypeOf(resource, signal);
  // Its error is the other one without an explanation, since HEAD has no body.
  contentType.catch(() => {});
  const fields = await client.ldpath.program(PROGRAM, resource, { signal });
  const types = fields['type'] ?? [];
  return {
    label: fields['label']?.[0]?.value,
    types: types.filter(({ type }) => type === 'uri').map(({ value }) => value),
    contentType: await contentType,
  };
}

/** The query that names a resource, for `/meta` and `/resource`. */
export function queryFor(resource: string): string {
  return resource.startsWith('_:')
    ? `genid=${encodeURIComponent(resource.slice(2))}`
    : `uri=${encodeURIComponent(resource)}`;
}

async function contentTypeOf(resource: string, signal: AbortSignal): Promise<string | undefined> {
  const init = { method: 'HEAD', signal } as const;
  const { headers } = await requestServer(`meta/text/turtle?${queryFor(resource)}`, init);
  // A browser joins the lines of a header field.
  return /; rel="content"; type="([^"]+)"/.exec(headers.get('Link') ?? '')?.[1];
}
