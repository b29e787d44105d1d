/** The parts of an OpenAPI document that tests read. */
export interface OpenApiDocument {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly security: readonly object[];
  readonly components: {
    readonly responses: Readonly<Record<string, OpenApiResponse>>;
    readonly schemas: Readonly<Record<string, { readonly required?: readonly string[] }>>;
  };
}

export interface OpenApiOperation {
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
  /** By default that of the document. */
  readonly security?: readonly object[];
  /** Statuses by the names of examples. */
  readonly 'x-example-statuses'?: Readonly<Record<string, number>>;
}

interface OpenApiParameter {
  readonly name: string;
  readonly in: string;
  readonly examples?: Examples;
}

export interface OpenApiResponse {
  readonly $ref?: string;
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema?: unknown; readonly examples?: Examples }>>;
type Examples = Readonly<Record<string, { readonly value: unknown }>>;

export interface ExampleCall {
  readonly title: string;
  readonly path: string;
  /** In lower case. */
  readonly method: string;
  readonly target: string;
  readonly init: RequestInit;
  readonly status: number;
  /** The expected body, if the document states it. */
  readonly body: unknown;
}

/** Writes come first, since others read what they store, and deletions last. */
const order = ['put', 'post', 'get', 'patch', 'delete'];

/** Returns the examples of a document as requests, in an order in which each one can succeed. */
export function examplesOf({ paths }: OpenApiDocument): ExampleCall[] {
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => callsOf(path, method, operation)),
  );
  const rank = ({ method, path }: ExampleCall) =>
    method === 'put' && path === '/dataset' ? -1 : order.indexOf(method);
  return calls.toSorted((a, b) => rank(a) - rank(b));
}

function callsOf(path: string, method: string, operation: OpenApiOperation): ExampleCall[] {
  return Object.entries(operation['x-example-statuses'] ?? {}).map(([name, status]) => {
    const init = { method: method.toUpperCase(), ...bodyOf(name, operation) };
    const query = new URLSearchParams();
    const headers = new Headers(init.headers);
    let target = path;
    for (const { name: parameter, in: place, examples = {} } of operation.parameters ?? []) {
      for (const value of [examples[name]?.value ?? []].flat() as string[]) {
        if (place === 'query') query.append(parameter, value);
        else if (place === 'header') headers.set(parameter, value);
        else target = target.replace(`{${parameter}}`, value);
      }
    }
    return {
      title: `${init.method} ${path}, ${name}`,
      path,
      method,
      target: query.size > 0 ? `${target}?${query}` : target,
      init: { ...init, headers },
      status,
      body: exampleIn(operation.responses[status]?.content, name)?.value,
    };
  });
}

function bodyOf(name: string, { requestBody }: OpenApiOperation): RequestInit {
  const example = exampleIn(requestBody?.content, name);
  if (!example) return {};
  const { type, value } = example;
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  return { body: Buffer.from(body), headers: type === '*/*' ? {} : { 'Content-Type': type } };
}

function exampleIn(content: Content | undefined, name: string) {
  return Object.entries(content ?? {})
    .flatMap(([type, { examples }]) => (examples && name in examples ? [{ type, ...examples[name]! }] : []))
    .at(0);
}
