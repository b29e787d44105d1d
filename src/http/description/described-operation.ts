import type { ErrorCode } from '../../errors.ts';
import type { Tag } from './operation-tags.ts';
import type { ResponseHeaderName } from './response-headers.ts';

/** A JSON Schema (draft 2020-12). One with a `title` becomes a component of the document. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** The schema of a body for each media type that it may have. */
export type Content = Readonly<Record<string, Schema>>;

/** A parameter, in the notation of OpenAPI. */
export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path';
  readonly description: string;
  readonly required?: boolean;
  readonly explode?: boolean;
  readonly schema: Schema;
}

export interface DescribedBody {
  readonly description?: string;
  readonly required?: boolean;
  readonly content: Content;
}

/** A response that reports no error. */
export interface DescribedResponse {
  readonly description: string;
  readonly headers?: readonly ResponseHeaderName[];
  readonly content?: Content;
}

/**
 * A whole request, whose status a test checks against a server with the data that the tests of the
 * document describe.
 */
export interface ExampleRequest {
  /** Letters and digits; unique among the examples of the operation. */
  readonly name: string;
  readonly summary: string;
  /** Values by the names of parameters. */
  readonly parameters?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: { readonly type: string; readonly text: string };
  readonly status: number;
  /** The body of the response: its text, or the value of its JSON. */
  readonly response?: { readonly type: string; readonly value: unknown };
}

/** What one method of a route does, for the document that describes the interface. */
export interface Operation {
  readonly tag: Tag;
  /** Whether it needs no credentials, under any host name, also while the server shuts down. */
  readonly open?: boolean;
  /** Whether it needs no credentials, and heeds no commit that a request names. */
  readonly unguarded?: boolean;
  /** Whether it needs credentials also where everybody may read, if there are any. */
  readonly forUsers?: boolean;
  readonly summary: string;
  readonly description?: string;
  /**
   * What follows the path of the route, in the notation of OpenAPI (`/{uuid}`). By default nothing:
   * a route with a tail needs them.
   */
  readonly tails?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly body?: DescribedBody;
  /** By status. */
  readonly responses: Readonly<Record<number, DescribedResponse>>;
  /** The error codes besides those that every request can have. Their statuses follow from them. */
  readonly problems: readonly ErrorCode[];
  readonly examples?: readonly ExampleRequest[];
}
