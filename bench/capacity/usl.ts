/** Throughput at a number of threads. */
export interface ScalingPoint {
  readonly threads: number;
  readonly throughput: number;
}

/**
 * The universal scalability law (Gunther): X(n) = rate n / (1 + contention (n - 1) + coherence n (n
 * - 1)). `contention` is the share of work that only one thread can do at a time, `coherence` the
 * cost of each pair of threads.
 */
export interface ScalingLaw {
  /** Throughput of one thread. */
  readonly rate: number;
  readonly contention: number;
  readonly coherence: number;
  /** Share of the throughputs' variance that the law explains. */
  readonly explained: number;
}

export type Fit = { readonly law: ScalingLaw; readonly caution?: string } | { readonly none: string };

const PARAMETERS = 3;

export function throughputAt(
  { rate, contention, coherence }: Omit<ScalingLaw, 'explained'>,
  threads: number,
): number {
  return (rate * threads) / (1 + contention * (threads - 1) + coherence * threads * (threads - 1));
}

/** Threads beyond which throughput falls by the law; infinite where pairs cost nothing. */
export function peak({ contention, coherence }: Pick<ScalingLaw, 'contention' | 'coherence'>): number {
  return coherence > 0 ? Math.sqrt(Math.max(0, 1 - contention) / coherence) : Number.POSITIVE_INFINITY;
}

/** Least squares of the relative errors, no parameter below 0. */
export function fitScaling(points: readonly ScalingPoint[]): Fit {
  const good = points.filter(({ threads, throughput }) => threads >= 1 && throughput > 0);
  const counts = new Set(good.map(({ threads }) => threads)).size;
  if (counts < PARAMETERS) {
    return { none: `${counts} numbers of threads are too few for a law of three parameters` };
  }
  const law = { ...bestLaw(good), explained: 0 };
  const fitted = { law: { ...law, explained: explainedShare(good, law) } };
  if (counts > PARAMETERS) return fitted;
  return { ...fitted, caution: 'three numbers of threads fix the law, but leave nothing to check it by' };
}

/**
 * n / X(n) is linear in its unknowns: a + b (n - 1) + c n (n - 1), with a = 1 / rate, b = a
 * contention and c = a coherence. If the best b or c would be negative, it is 0 in the best valid
 * law, so all choices of zeros are tried.
 */
function bestLaw(points: readonly ScalingPoint[]): Omit<ScalingLaw, 'explained'> {
  const choices = [[0, 1, 2], [0, 1], [0, 2], [0]];
  const laws = choices.map((used) => lawOf(points, used)).filter((law) => law !== undefined);
  return laws.reduce((best, law) => (lossOf(points, law) < lossOf(points, best) ? law : best));
}

function lawOf(
  points: readonly ScalingPoint[],
  used: readonly number[],
): Omit<ScalingLaw, 'explained'> | undefined {
  const rows = points.map(({ threads: n, throughput }) => {
    // Divided by n / X, so that errors count in relation to what was measured.
    const scale = throughput / n;
    const terms = [1, n - 1, n * (n - 1)];
    return used.map((index) => terms[index]! * scale);
  });
  const solution = leastSquares(
    rows,
    rows.map(() => 1),
  );
  if (!solution) return undefined;
  const [a = 0, b = 0, c = 0] = [0, 1, 2].map((index) => solution[used.indexOf(index)] ?? 0);
  if (!(a > 0) || b < 0 || c < 0) return undefined;
  return { rate: 1 / a, contention: b / a, coherence: c / a };
}

function lossOf(points: readonly ScalingPoint[], law: Omit<ScalingLaw, 'explained'>): number {
  const errors = points.map(({ threads, throughput }) => throughput / throughputAt(law, threads) - 1);
  return errors.reduce((sum, error) => sum + error * error, 0);
}

function explainedShare(points: readonly ScalingPoint[], law: ScalingLaw): number {
  const mean = points.reduce((sum, { throughput }) => sum + throughput, 0) / points.length;
  const squares = (of: (point: ScalingPoint) => number) =>
    points.reduce((sum, point) => sum + of(point) ** 2, 0);
  const left = squares(({ threads, throughput }) => throughput - throughputAt(law, threads));
  const all = squares(({ throughput }) => throughput - mean);
  return all === 0 ? 1 : 1 - left / all;
}

/** Solves the normal equations; undefined where the rows do not determine a solution. */
function leastSquares(rows: readonly (readonly number[])[], values: readonly number[]): number[] | undefined {
  const size = rows[0]!.length;
  const indexes = Array.from({ length: size }, (_, i) => i);
  const matrix = indexes.map((i) => [
    ...indexes.map((j) => rows.reduce((sum, row) => sum + row[i]! * row[j]!, 0)),
    rows.reduce((sum, row, at) => sum + row[i]! * values[at]!, 0),
  ]);
  return eliminate(matrix, size);
}

/** Gauss-Jordan with pivots. */
function eliminate(matrix: number[][], size: number): number[] | undefined {
  for (let column = 0; column < size; column++) {
    const below = matrix.slice(column);
    const pivot = below.reduce((best, row) =>
      Math.abs(row[column]!) > Math.abs(best[column]!) ? row : best,
    );
    if (Math.abs(pivot[column]!) < 1e-12) return undefined;
    const at = matrix.indexOf(pivot);
    [matrix[column], matrix[at]] = [pivot, matrix[column]!];
    for (const row of matrix) {
      if (row === pivot) continue;
      const factor = row[column]! / pivot[column]!;
      for (let i = column; i <= size; i++) row[i]! -= factor * pivot[i]!;
    }
  }
  return matrix.map((row, i) => row[size]! / row[i]!);
}
