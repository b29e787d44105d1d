import { changesUpToNow, followedChanges, type ReachedPosition } from './change-lines.ts';
import { type GraphName, parametersOf } from './graph-calls.ts';
import type { LiveOptions } from './live-events.ts';
import type { CallOptions, Sender } from './sender.ts';

/** Numbers of triples that a commit has changed. */
export interface ChangeCounts {
  readonly added: number;
  readonly removed: number;
}

/** A commit, or with `rows` a part of one. */
export interface Commit {
  /** Where to go on after it. */
  readonly position: string;
  readonly commit: number;
  /** ISO 8601. */
  readonly time: string;
  /** Not with a part that others follow. */
  readonly graphs?: readonly ({ readonly graph: string } & ChangeCounts)[];
  /** With `rows`: the changed triples, as lines of RDF Patch. */
  readonly patch?: string;
  /** With `rows`: counts from 1; `more`: another part follows. */
  readonly part?: number;
  readonly more?: true;
}

/** A commit that has changed what is watched. */
export interface WatchedChange extends ChangeCounts {
  /** Where to go on after it. */
  readonly position: string;
  /** ISO 8601. */
  readonly time: string;
  /** There are no triples any more. */
  readonly deleted?: true;
}

export interface CommitOptions {
  /** Whether to return the changed triples, too. */
  readonly rows?: boolean;
  /** Only commits that change this graph. */
  readonly graph?: string;
}

export interface CommitsOptions extends CommitOptions, CallOptions {
  /** A position, or `0` for the oldest that is kept. */
  readonly since: string;
  /** Maximum number of commits. */
  readonly limit?: number;
  /** How long the server waits if there is nothing to report, in seconds; 60 at most. */
  readonly wait?: number;
}

/** What commits have changed (http-api 7). Calls throw `ResyncError` where that is not known. */
export class ChangeCalls {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Returns the position of now. */
  async position(options?: CallOptions): Promise<string> {
    const request = { accept: 'application/x-ndjson' };
    const { position } = await this.#sender.json<ReachedPosition>('/changes', request, options);
    return position;
  }

  /**
   * Yields the commits after a position, up to now. If the last one does not tell what was reached,
   * the position follows.
   */
  commits({ signal, ...parameters }: CommitsOptions): AsyncGenerator<Commit | ReachedPosition, void> {
    return changesUpToNow(this.#sender, '/changes', parameters, signal);
  }

  /**
   * Yields the commits as they happen, until its signal, and connects again when the connection is
   * lost. The first item is the position at which it begins; where nothing else is to be told, one
   * comes every 15 seconds.
   */
  followCommits({
    rows,
    graph,
    ...options
  }: CommitOptions & LiveOptions = {}): AsyncGenerator<Commit | ReachedPosition, void> {
    return followedChanges(this.#sender, '/changes', { rows, graph }, options);
  }

  /** Yields the changes of a graph that exists, as `followCommits` does. */
  followGraph(
    graph: GraphName,
    options: LiveOptions = {},
  ): AsyncGenerator<WatchedChange | ReachedPosition, void> {
    return followedChanges(this.#sender, '/context', { ...parametersOf(graph), watch: true }, options);
  }

  /** Yields the changes of triples with a resource as subject, as `followCommits` does. */
  followResource(
    uri: string,
    options: LiveOptions = {},
  ): AsyncGenerator<WatchedChange | ReachedPosition, void> {
    return followedChanges(this.#sender, '/resource', { uri, watch: true }, options);
  }
}
