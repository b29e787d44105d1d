import { serverUrl } from '../../app/location.ts';

const links = [
  { path: 'openapi', title: 'The HTTP interface', text: 'every path, with a form to try it' },
  { path: 'openapi.json', title: 'openapi.json', text: 'the same in OpenAPI 3.1, for programs' },
  { path: 'metrics', title: 'Metrics', text: 'in the text format of Prometheus' },
  { path: 'health', title: 'Health', text: 'as JSON' },
];

const documents = [
  { file: 'docs/http-api.md', text: 'the rules of the HTTP interface' },
  { file: 'docs/ldpath.md', text: 'the path language' },
  { file: 'docs/settings.md', text: 'all settings' },
  { file: 'docs/operations.md', text: 'starting, watching and repairing a server' },
  { file: 'docs/monitoring.md', text: 'metrics, alerts and a dashboard' },
];

/** Where to read more. */
export function LinksSection() {
  return (
    <section aria-labelledby="links-heading">
      <h2 id="links-heading">Documents</h2>
      <ul>
        {links.map(({ path, title, text }) => (
          <li key={path}>
            <a href={new URL(path, serverUrl).href} target="_blank" rel="noreferrer noopener">
              {title}
            </a>
            : {text}
          </li>
        ))}
      </ul>
      <p>The package of the server has these documents:</p>
      <ul>
        {documents.map(({ file, text }) => (
          <li key={file}>
            <code>{file}</code>: {text}
          </li>
        ))}
      </ul>
    </section>
  );
}
