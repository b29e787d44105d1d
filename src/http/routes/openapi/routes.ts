import { failure } from '../../../errors.ts';
import { endpoint } from '../../description/endpoint.ts';
import { openApiDocument, type ServerDescription } from '../../description/openapi-document.ts';
import { rejectUnlessJson } from '../../json-response.ts';
import { withQuery } from '../../parameters.ts';
import type { Header } from '../../server/header.ts';
import type { HandlerResult, HttpRequest } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';
import { type StaticBody, staticBody, staticResponse } from '../../static-response.ts';
import { readDocument, readPage, readViewerFile } from './operations.ts';
import { pageOf } from './page.ts';
import { viewerFile } from './viewer-files.ts';

/**
 * Routes for the description of the interface and a page that shows it. `routes`: all routes of the
 * server. They are described when the document is first requested.
 */
export function openApiRoutes(routes: () => readonly Route[], server: ServerDescription): Route[] {
  let known: StaticBody | undefined;
  const read = (request: HttpRequest) => {
    const notJson = rejectUnlessJson(request);
    if (notJson) return notJson;
    known ??= staticBody('application/json', JSON.stringify(openApiDocument(routes(), server)));
    return staticResponse(request, known);
  };
  const page = staticBody('text/html; charset=utf-8', pageOf(server.base));
  const show = (request: HttpRequest) => staticResponse(request, page, pagePolicy);
  const files = new Map<string, StaticBody>();
  const send = async (request: HttpRequest, name: string): Promise<HandlerResult> => {
    let body = files.get(name);
    if (!body) {
      const file = await viewerFile(name);
      if (!file) return noSuchFile;
      body = staticBody(file.type, file.body);
      files.set(name, body);
    }
    return staticResponse(request, body);
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

/** The page loads everything from this server, and executes no text that is in a document. */
const pagePolicy: readonly Header[] = [
  [
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ],
];

const noSuchFile = failure('not-found', 'The page has no file of this name.');
