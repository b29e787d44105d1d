/** The last texts that were run, in this browser. */
interface PastRun {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

const KEY = 'pathpool.sparql.history';
const MAX_RUNS = 50;
/** Characters. Updates may be as long as files. */
const MAX_TEXT = 20_000;

/** Returns the runs, the newest first. */
export function pastRuns(): readonly PastRun[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRun) : [];
  } catch {
    return [];
  }
}

function isRun(value: unknown): value is PastRun {
  const { text, time } = (value ?? {}) as Partial<PastRun>;
  return typeof text === 'string' && typeof time === 'number';
}

export function rememberRun(text: string): void {
  if (text.length > MAX_TEXT) return;
  const others = pastRuns().filter((run) => run.text !== text);
  try {
    localStorage.setItem(KEY, JSON.stringify([{ text, time: Date.now() }, ...others].slice(0, MAX_RUNS)));
  } catch {
    // The browser has no room for more: what is stored stays.
  }
}

export function forgetRuns(): void {
  localStorage.removeItem(KEY);
}
