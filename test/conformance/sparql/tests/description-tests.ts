import { Store } from 'n3';
import { type Described, instancesOf, localName } from '../manifests/described.ts';
import { readQuads } from '../manifests/files.ts';
import type { ManifestTest } from '../manifests/manifest.ts';
import { failed, type Outcome, passed } from '../outcome.ts';

const SD = 'http://www.w3.org/ns/sparql-service-description#';
const languages = ['SPARQL10Query', 'SPARQL11Query', 'SPARQL11Update'];
const features = [
  ...['DereferencesURIs', 'UnionDefaultGraph', 'RequiresDataset', 'EmptyGraphs', 'BasicFederatedQuery'],
];

/** What each test of the suite requires; the manifest states it only in prose. */
const checks: Readonly<Record<string, (services: readonly Described[], endpoint: string) => boolean>> = {
  'returns-rdf': (services) => services.length > 0,
  'has-endpoint-triple': (services, endpoint) =>
    services.some((service) => service.all('sd:endpoint').some(({ value }) => value === endpoint)),
  'conforms-to-schema': (services) => services.length > 0 && services.every(isService),
};

/** `ServiceDescriptionTest`. */
export async function runDescriptionTest(url: string, test: ManifestTest): Promise<Outcome> {
  const endpoint = `${url}/sparql`;
  const response = await fetch(endpoint, { headers: { Accept: 'text/turtle' } });
  const text = await response.text();
  if (response.status !== 200) return failed(test.name, `${response.status}: ${text}`);
  const services = instancesOf(new Store(readQuads(text, '.ttl', endpoint)), 'sd:Service');
  const check = checks[localName(test.name)];
  return check?.(services, endpoint) ? passed(test.name) : failed(test.name, text);
}

/** Properties of the vocabulary have values of their ranges. */
function isService(service: Described): boolean {
  const isOne = (property: string, names: readonly string[]) =>
    service.all(property).every(({ value }) => names.some((name) => value === SD + name));
  const isIri = (property: string) =>
    service.all(property).every(({ term }) => term.termType === 'NamedNode');
  const dataset = service.one('sd:defaultDataset');
  return (
    service.all('sd:endpoint').length === 1 &&
    isOne('sd:supportedLanguage', languages) &&
    isOne('sd:feature', features) &&
    ['sd:endpoint', 'sd:resultFormat', 'sd:inputFormat'].every(isIri) &&
    (dataset === undefined || dataset.types.includes('Dataset'))
  );
}
