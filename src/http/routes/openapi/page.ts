/** Returns the page that shows the document. `base`: the base URL of the server. */
export function pageOf(base: string): string {
  const place = `${new URL(base).pathname.replace(/\/$/, '')}/openapi`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pathpool: HTTP interface</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${place}/swagger-ui.css">
<script src="${place}/swagger-ui-bundle.js" defer></script>
<script src="${place}/start.js" defer></script>
</head>
<body>
<noscript>The page needs JavaScript. The document itself is <a href="${place}.json">openapi.json</a>.</noscript>
<main id="interface"></main>
</body>
</html>
`;
}

/**
 * Starts the viewer. Requests of the page go to the host from which it was loaded, since the
 * browser and the page's policy allow no other one. HEAD and OPTIONS would double the list.
 */
export const startScript = `'use strict';
const base = new URL('..', document.currentScript.src);
const place = document.getElementById('interface');
fetch(new URL('openapi.json', base))
  .then((response) => {
    if (!response.ok) throw new Error(response.status + ' ' + response.statusText);
    return response.json();
  })
  .then((spec) => {
    spec.servers = [{ url: base.href.replace(/\\/$/, '') }];
    for (const item of Object.values(spec.paths)) {
      delete item.head;
      delete item.options;
    }
    SwaggerUIBundle({ spec, domNode: place, deepLinking: true, docExpansion: 'none', validatorUrl: null });
  })
  .catch((error) => {
    place.textContent = 'The description could not be loaded: ' + error.message;
  });
`;
