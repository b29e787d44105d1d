/**
 * The knowledge that clients have of an LDP space from their responses: the plain model that the
 * server is checked against.
 */

export type Model = 'rdf-source' | 'basic' | 'direct' | 'indirect' | 'binary';

/** `maybe`: the server was killed before it answered. */
export type Certainty = 'yes' | 'no' | 'maybe';

export interface Known {
  readonly uri: string;
  readonly model: Model;
  readonly parent: string;
  /** The IRI that an Indirect Container finds in it; null for none. */
  readonly topic: string | null;
  deleted: Certainty;
  /** Each value that a PUT was acknowledged for, and the one that it replaced. */
  readonly replaced: Map<string, string>;
  /** PUTs without an answer: value and the one that it would have replaced. */
  readonly unanswered: Map<string, string>;
  /** PATCHes that were acknowledged, each of which counts up by one. */
  counted: number;
  /** PATCHes without an answer. */
  countedMaybe: number;
}

export class Book {
  readonly root: string;
  readonly #known = new Map<string, Known>();
  /** Creations without an answer: their URIs are not known. */
  lostCreations = 0;

  constructor(root: string) {
    this.root = root;
  }

  add(uri: string, model: Model, parent: string, topic: string | null): void {
    if (this.#known.has(uri)) throw new Error(`${uri} was created twice.`);
    this.#known.set(uri, {
      uri,
      model,
      parent,
      topic,
      deleted: 'no',
      replaced: new Map(),
      unanswered: new Map(),
      counted: 0,
      countedMaybe: 0,
    });
  }

  get(uri: string): Known | undefined {
    return this.#known.get(uri);
  }

  all(): Known[] {
    return [...this.#known.values()];
  }

  /** One of all that were ever created; undefined for none. */
  pick(number: number): Known | undefined {
    return this.all()[number % Math.max(1, this.#known.size)];
  }

  /** The root or one of the containers. */
  pickContainer(number: number): string {
    const containers = this.all().filter(({ model }) => isContainer(model));
    return containers[number % (containers.length + 1)]?.uri ?? this.root;
  }

  liveChildren(container: string): Known[] {
    return this.all().filter(({ parent, deleted }) => parent === container && deleted === 'no');
  }
}

export function isContainer(model: Model): boolean {
  return model === 'basic' || model === 'direct' || model === 'indirect';
}
