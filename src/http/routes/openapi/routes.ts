import { createHash } from 'node:crypto';
import { failure } from '../../../errors.ts';
import { endpoint } from '../../description/endpoint.ts';
import { openApiDocument, type ServerDescription } from '../../description/openapi-document.ts';
import { matchesTag, namesTag } from '../../headers/conditional.ts';
import { rejectUnlessJson } from '../../json-response.ts';
import { withQuery } from '../../parameters.ts';
import type { Header } from '../../server/header.ts';
import type { HandlerResult, HttpRequest } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';
import { readDocument, readPage, readViewerFile } from './operations.ts';
import { pageOf } from './page.ts';
import { viewerFile } from './viewer-files.ts';

/**
 * Routes for the description of the interface and a page that shows it. `routes`: all routes of the
 * server. They are described when the document is first requested.
 */
export function openApiRoutes(routes: () => readonly Route[], server: ServerDescription): Route[] {
  let known: TaggedBody | undefined;
  const read = (request: HttpRequest) => {
    const notJson = rejectUnlessJson(request);
    if (notJson) return notJson;
    known ??= tagged('application/json', JSON.stringify(openApiDocument(routes(), server)));
    return respond(request, known);
  };
  const page = tagged('text/html; charset=utf-8', pageOf(server.base));
  const show = (request: HttpRequest) => respond(request, page, pagePolicy);
  const files = new Map<string, TaggedBody>();
  const send = async (request: HttpRequest, name: string): Promise<HandlerResult> => {
    let body = files.get(name);
    if (!body) {
      const file = await viewerFile(name);
      if (!file) return noSuchFile;
      body = tagged(file.type, file.body);
      files.set(name, body);
    }
    return respond(request, body);
  };
  return [
    { path: '/openapi.json', methods: { GET: endpoint(withQuery(read), readDocument) } },
    { path: '/openapi', methods: { GET: endpoint(withQuery(show), readPage) } },
    {
      path: '/openapi',
      tail: 1,
      methods: {
        GET: endpoint(
          withQuery((request, _query, name) => send(request, name)),
          readViewerFile,
        ),
      },
    },
  ];
}

/** A body that changes only with the software and its settings. */
interface TaggedBody {
  readonly body: string | Uint8Array;
  readonly entityTag: string;
  readonly headers: readonly Header[];
}

function tagged(type: string, body: string | Uint8Array): TaggedBody {
  const entityTag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const headers: Header[] = [
    ['Content-Type', type],
    ['ETag', entityTag],
    ['Cache-Control', 'no-cache'],
  ];
  return { body, entityTag, headers };
}

function respond(
  request: HttpRequest,
  { body, entityTag, headers }: TaggedBody,
  more: readonly Header[] = [],
): HandlerResult {
  const match = request.header('if-match');
  if (match !== undefined && !matchesTag(match, entityTag)) return hasChanged;
  const noneMatch = request.header('if-none-match');
  if (noneMatch !== undefined && namesTag(noneMatch, entityTag)) {
    return { status: 304, headers: headers.slice(1) };
  }
  return { status: 200, headers: [...headers, ...more], body };
}

/** The page loads everything from this server, and executes no text that is in a document. */
const pagePolicy: readonly Header[] = [
  [
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ],
];

const hasChanged = failure('precondition-failed', 'The text has none of the entity tags in If-Match.');
const noSuchFile = failure('not-found', 'The page has no file of this name.');
