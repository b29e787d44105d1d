import { requestServer } from '../../app/request.ts';

export type Namespaces = Readonly<Record<string, string>>;

let loading: Promise<Namespaces> | undefined;

/** Returns the prefixes that the server knows; they are read once. */
export function serverNamespaces(): Promise<Namespaces> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Namespaces> {
  try {
    const response = await requestServer('ldpath/util/namespaces');
    const { fn: _, ...namespaces } = (await response.json()) as Record<string, string>;
    return namespaces;
  } catch {
    // Queries work without them. The next caller tries again.
    loading = undefined;
    return {};
  }
}
