import { useEffect, useRef, useState } from 'preact/hooks';
import type { StartSet } from '../../../../src/library/client/entry.ts';
import { client } from '../../app/client.ts';
import { bestLabel } from '../../resources/labels.ts';
import { sizeOfSet } from '../../resources/set-size.ts';

/** A subject of triples of a graph. */
export interface Subject {
  readonly uri: string;
  readonly label: string | undefined;
  readonly types: readonly string[];
}

export interface Subjects {
  readonly rows: readonly Subject[];
  /** Null where it takes too long to count them; undefined until they are counted. */
  readonly total: number | null | undefined;
  readonly isLoading: boolean;
  /** Loads the next page; undefined after the last page. */
  readonly more: (() => void) | undefined;
  readonly error: unknown;
}

const PAGE = 500;
const PROGRAM = `label = ${bestLabel} ; type = rdf:type ;`;

/** The subjects of a graph that are IRIs, page by page. */
export function useSubjects(graph: string): Subjects {
  const [rows, setRows] = useState<readonly Subject[]>([]);
  const [total, setTotal] = useState<number | null>();
  const [cursor, setCursor] = useState<string>();
  const [isLoading, setLoading] = useState(true);
  const [error, setError] = useState<unknown>();
  const controller = useRef(new AbortController());
  const starts = { graph };
  const load = async (from: string | undefined) => {
    const { signal } = controller.current;
    setLoading(true);
    setError(undefined);
    try {
      const page = await pageOfSubjects(starts, from, signal);
      setRows((before) => [...before, ...page.rows]);
      setCursor(page.cursor);
    } catch (reason) {
      if (signal.aborted) return;
      setError(reason);
    }
    setLoading(false);
  };
  useEffect(() => {
    void load(undefined);
    sizeOfSet(starts, controller.current.signal).then(setTotal, () => setTotal(null));
    return () => controller.current.abort();
  }, []);
  const more = cursor === undefined ? undefined : () => void load(cursor);
  return { rows, total, isLoading, more, error };
}

async function pageOfSubjects(starts: StartSet, cursor: string | undefined, signal: AbortSignal) {
  const rows: Subject[] = [];
  const options = { starts, limit: PAGE, ordered: true, signal, ...(cursor !== undefined && { cursor }) };
  const lines = client.ldpath.batch(PROGRAM, options);
  for (;;) {
    const { done, value } = await lines.next();
    if (done) return { rows, cursor: value.cursor };
    const { uri, result } = value;
    const types = result?.['type']?.map((type) => type.value) ?? [];
    rows.push({ uri, label: result?.['label']?.[0]?.value, types });
  }
}
