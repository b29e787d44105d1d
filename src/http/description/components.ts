import { STATUS_CODES } from 'node:http';
import { errorCodes } from '../../errors.ts';
import type { ExampleRequest, Parameter, Schema } from './described-operation.ts';
import { type ResponseHeaderName, responseHeaders } from './response-headers.ts';

/** A part of the document. */
export type Json = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };

/** The members of an error response (http-api 1.10). */
const problem: Schema = {
  title: 'Problem',
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
  properties: {
    type: { const: 'about:blank' },
    title: { ...text, description: 'Reason phrase of the status.' },
    status: { type: 'integer' },
    detail: { ...text, description: 'What is wrong with this request.' },
    instance: { ...text, description: 'Path and query, as sent.' },
    code: { title: 'ErrorCode', enum: errorCodes },
    requestId: text,
    uri: { ...text, description: 'The resource or graph concerned.' },
    line: { type: 'integer', minimum: 1 },
    column: { type: 'integer', minimum: 1 },
    source: { enum: ['body', 'path', 'program'] },
    properties: { type: 'array', items: text },
    available: { type: 'array', items: text, description: 'Types or codings that would work.' },
    retryAfter: { type: 'integer', description: 'Seconds.' },
  },
};

/** The headers of error responses by their status. */
const headersOfStatus: Readonly<Record<number, ResponseHeaderName>> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  429: 'Retry-After',
  503: 'Retry-After',
};

/** Returns the descriptions of response headers. */
export function headersOf(names: readonly ResponseHeaderName[]): Json {
  const described = names.map(
    (name) => [name, { description: responseHeaders[name], schema: text }] as const,
  );
  return Object.fromEntries(described);
}

/** The parts of the document to which operations refer by name. */
export class Components {
  readonly #schemas: Record<string, Json> = {};
  readonly #responses: Record<string, Json> = {};
  readonly #parameters: Record<string, Json> = {};

  /** Returns a schema in which each one with a title is a reference. */
  schema(schema: Schema): Json {
    const { title } = schema;
    if (typeof title !== 'string') return this.#withReferences(schema);
    if (!(title in this.#schemas)) {
      // Entered before its parts are.
      this.#schemas[title] = {};
      this.#schemas[title] = this.#withReferences(schema);
    }
    return { $ref: `#/components/schemas/${title}` };
  }

  parameter(parameter: Parameter, examples: readonly ExampleRequest[]): Json {
    const { name, schema } = parameter;
    const shown = examples.flatMap((example) => {
      const value = example.parameters?.[name];
      return value === undefined ? [] : [[example.name, { summary: example.summary, value }] as const];
    });
    return {
      ...parameter,
      schema: this.schema(schema),
      ...(shown.length > 0 && { examples: Object.fromEntries(shown) }),
    };
  }

  /** Returns a reference to a parameter that many operations have. */
  shared(parameter: Parameter): Json {
    this.#parameters[parameter.name] ??= this.parameter(parameter, []);
    return { $ref: `#/components/parameters/${parameter.name}` };
  }

  /** Returns a reference to the response with one of these codes, all of which have the status. */
  problem(status: number, codes: readonly string[]): Json {
    const name = `Problem.${status}.${codes.join('.')}`;
    this.#responses[name] ??= this.#problemResponse(status, codes);
    return { $ref: `#/components/responses/${name}` };
  }

  /** Returns a response that may also be an error with one of these codes. */
  alsoProblem(response: Json, status: number, codes: readonly string[]): Json {
    const problem = this.#problemResponse(status, codes);
    return {
      description: `${response['description']} Or ${problem.description}`,
      headers: { ...problem.headers, ...(response['headers'] as Json | undefined) },
      content: { ...problem.content, ...(response['content'] as Json | undefined) },
    };
  }

  toJson(): Json {
    return {
      schemas: this.#schemas,
      responses: this.#responses,
      parameters: this.#parameters,
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'Name and password (RFC 7617).' },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: '`name.password`, or a JSON Web Token (RFC 6750).',
        },
      },
    };
  }

  #problemResponse(status: number, codes: readonly string[]) {
    const schema = { allOf: [this.schema(problem), { properties: { code: { enum: codes } } }] };
    const header = headersOfStatus[status];
    return {
      description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
      headers: header ? headersOf([header]) : {},
      content: { 'application/problem+json': { schema }, 'text/plain': { schema: text } },
    };
  }

  #withReferences(schema: Schema): Json {
    const members = Object.entries(schema).map(([keyword, value]) => [keyword, this.#part(keyword, value)]);
    return Object.fromEntries(members) as Json;
  }

  #part(keyword: string, value: unknown): unknown {
    if (Array.isArray(value)) {
      return subschemas.has(keyword) ? value.map((each) => this.schema(each as Schema)) : value;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (keyword !== 'properties') return this.schema(value as Schema);
    const members = Object.entries(value).map(([name, each]) => [name, this.schema(each as Schema)]);
    return Object.fromEntries(members);
  }
}

/** Keywords whose value is an array of schemas. */
const subschemas: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);
