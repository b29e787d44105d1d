import { type RdfOptions, TURTLE } from './graph-calls.ts';
import type { Body, CallOptions, Conditions, Sender } from './sender.ts';

export interface Creation {
  readonly uri: string;
  /** False if the resource existed. */
  readonly created: boolean;
}

/** Numbers of triples. */
export interface DescriptionChange {
  readonly uri: string;
  readonly added: number;
  readonly removed: number;
  /** Triples that are not about the resource, and were not stored. */
  readonly ignored: number;
}

export interface ContentOptions extends Conditions {
  /** Media type of the content. */
  readonly type: string;
}

/** Resources with their descriptions and their content (http-api 3). */
export class ResourceCalls {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Creates a resource. Without a URI, the server chooses one. */
  async create(uri?: string, options?: CallOptions): Promise<Creation> {
    // Followed by fetch, the redirect to a resource that exists would read that resource.
    const request = {
      method: 'POST',
      redirect: 'manual',
      expected: [302],
      ...(uri !== undefined && { parameters: { uri } }),
    } as const;
    const response = await this.#sender.send('/resource', request, options);
    if (response.status === 201) return { uri: await response.text(), created: true };
    return { uri: uri ?? (await response.text()), created: false };
  }

  async exists(uri: string, options?: CallOptions): Promise<boolean> {
    // A redirect to a representation says that the resource exists.
    const request = {
      method: 'HEAD',
      parameters: { uri },
      redirect: 'manual',
      expected: [303, 404],
    } as const;
    return (await this.#sender.status('/resource', request, options)) !== 404;
  }

  /** Deletes the resource, with all triples that mention it. */
  async delete(uri: string, options?: Conditions): Promise<void> {
    await this.#sender.status('/resource', { method: 'DELETE', parameters: { uri } }, options);
  }

  /**
   * Returns the response with the description in RDF. Its status is 304 if `ifNoneMatch` names its
   * entity tag.
   */
  description(uri: string, { type = TURTLE, ...options }: RdfOptions = {}): Promise<Response> {
    const request = { parameters: { uri }, accept: type, expected: [304] };
    return this.#sender.send(`/meta/${pathOf(type)}`, request, options);
  }

  /** Replaces the description. */
  putDescription(
    uri: string,
    rdf: Body,
    { type = TURTLE, ...options }: RdfOptions = {},
  ): Promise<DescriptionChange> {
    const request = { method: 'PUT', parameters: { uri }, type, body: rdf };
    return this.#sender.json(`/meta/${pathOf(type)}`, request, options);
  }

  async deleteDescription(uri: string, options?: Conditions): Promise<void> {
    await this.#sender.status('/meta', { method: 'DELETE', parameters: { uri } }, options);
  }

  /** Returns the response with the bytes that were stored, whatever their type. */
  content(uri: string, options?: CallOptions): Promise<Response> {
    return this.#sender.send('/content', { parameters: { uri } }, options);
  }

  /** Stores content. Returns true if there was none before. */
  async putContent(uri: string, bytes: Body, { type, ...options }: ContentOptions): Promise<boolean> {
    const request = { method: 'PUT', parameters: { uri }, type, body: bytes };
    return (await this.#sender.status(`/content/${pathOf(type)}`, request, options)) === 201;
  }

  async deleteContent(uri: string, options?: Conditions): Promise<void> {
    await this.#sender.status('/content', { method: 'DELETE', parameters: { uri } }, options);
  }
}

/** A media type as part of a path, without the parameters: those are for header fields. */
function pathOf(type: string): string {
  return type.split(';')[0]!.trim();
}
