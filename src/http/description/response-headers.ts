/** What the response headers mean that operations name. */
export const responseHeaders = {
  'Accept-Patch': 'Media types of patches that the resource supports.',
  'Accept-Post': 'Media types that can be posted to the container.',
  'Accept-Ranges': 'The unit of ranges that can be requested.',
  Allow: 'Methods that the addressed resource supports.',
  'Content-Disposition': 'A file name for the document.',
  'Content-Location': 'The address of what the body represents.',
  'Content-Range': 'The range that the body holds.',
  ETag: 'Identifies the state and the representation (http-api 1.9).',
  'Last-Modified': 'When the state changed last.',
  Link: 'Related resources, each on a line of its own.',
  Location: 'The address of what was created, or to which the request is redirected.',
  'Memento-Datetime': 'When the state was current that the response has (RFC 7089).',
  'Pathpool-Commit': 'The newest commit, for requests that must see it (http-api G-150).',
  'Pathpool-Unreachable': 'Processes of the cluster whose tasks are missing.',
  'Preference-Applied': 'The preference that the response follows.',
  'Repr-Digest': 'The SHA-256 of the stored bytes.',
  'Retry-After': 'Seconds to wait before the next attempt.',
  Vary: 'Request headers on which the response depends.',
  'WWW-Authenticate': 'How to authenticate.',
} as const;

export type ResponseHeaderName = keyof typeof responseHeaders;
