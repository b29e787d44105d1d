/** What updates do where their text leaves it open, and how much they may do. */
export interface UpdateSettings {
  /**
   * Which graphs are the default graph where neither text nor request names any: all that clients see, or the graph
   * `defaultGraph` alone.
   */
  readonly defaultGraphIs: 'union' | 'default';
  /** Name of the graph that takes triples for which no graph is named, and is what `DEFAULT` means. It always exists. */
  readonly defaultGraph: string;
  /** Of the LDP space, which updates do not change. Without a slash at its end. */
  readonly ldpSpace: string;
  /** Quads that an update may add and remove, those of graphs that go as a whole not counted. */
  readonly maxChanges: number;
}
