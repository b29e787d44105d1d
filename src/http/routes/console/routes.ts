import { failure } from '../../../errors.ts';
import { endpoint } from '../../description/endpoint.ts';
import { acceptedCoding } from '../../headers/accept-encoding.ts';
import { withQuery } from '../../parameters.ts';
import type { Header } from '../../server/header.ts';
import type { HandlerResult, HttpRequest } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';
import { type StaticBody, staticResponse } from '../../static-response.ts';
import { ConsoleFiles, type FileCoding, fileCodings } from './files.ts';
import { openConsole, readConsole, readConsoleFile, readConsolePage } from './operations.ts';

/** Routes for the pages for browsers (http-api 6.12). `base`: the base URL of the server. */
export function consoleRoutes(base: string): Route[] {
  const files = new ConsoleFiles();
  // Without a host, since a browser may know the server by another name than the base.
  const location = `${new URL(base).pathname.replace(/\/$/, '')}/console/`;
  const redirect: HandlerResult = {
    status: 303,
    headers: [
      ['Location', location],
      ['Cache-Control', 'no-cache'],
    ],
  };
  const showPage = (request: HttpRequest) => send(request, (coding) => files.page(coding), pagePolicy);
  const showAsset = (request: HttpRequest, name: string) =>
    send(request, (coding) => files.asset(name, coding));
  return [
    {
      path: '/',
      methods: {
        GET: endpoint(
          withQuery(() => redirect),
          openConsole,
        ),
      },
    },
    {
      path: '/console',
      methods: {
        GET: endpoint(
          // Relative references in the page need the slash.
          withQuery((request) => (request.path.endsWith('/') ? showPage(request) : redirect)),
          readConsole,
        ),
      },
    },
    { path: '/console', tail: 1, methods: { GET: endpoint(withQuery(showPage), readConsolePage) } },
    {
      path: '/console/assets',
      tail: 1,
      methods: {
        GET: endpoint(
          withQuery((request, _query, name) => showAsset(request, name)),
          readConsoleFile,
        ),
      },
    },
  ];
}

async function send(
  request: HttpRequest,
  read: (coding: FileCoding | undefined) => Promise<StaticBody | undefined>,
  more: readonly Header[] = [],
): Promise<HandlerResult> {
  const body = await read(acceptedCoding(request.header('accept-encoding'), fileCodings));
  return body ? staticResponse(request, body, more) : noSuchFile;
}

/** The page loads everything from this server, and executes no text that is in a document. */
const pagePolicy: readonly Header[] = [
  [
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
];

const noSuchFile = failure(
  'not-found',
  'The console has no such file. If it has not been built, run: npm run build',
);
