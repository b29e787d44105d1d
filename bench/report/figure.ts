import { ratioSpread, type Spread, spread } from '../measure/statistics.ts';

/** One measured figure beside its reference point of the same run. */
export interface Figure {
  /** Stays the same from revision to revision, so that they can be compared. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly unit: string;
  /** Which way is good. */
  readonly better: 'more' | 'less';
  /** One value a round. */
  readonly values: readonly number[];
  /** With as many values, each was measured just before that of the same round. */
  readonly reference?: { readonly name: string; readonly values: readonly number[] };
  /**
   * The goal for the ratio to the reference (`ratio`) or the value itself (`value`): a minimum, or
   * a maximum if lower is better.
   */
  readonly goal?: { readonly of: 'ratio' | 'value'; readonly bound: number };
  readonly note?: string;
  /** What else is known, for machines. */
  readonly details?: Readonly<Record<string, number | string>>;
}

/** Why a figure is not there. */
export interface Skipped {
  readonly id: string;
  readonly reason: string;
}

export interface Outcome {
  readonly figures: readonly Figure[];
  readonly skipped?: readonly Skipped[];
  readonly plots?: readonly Plot[];
}

/** Lines over a common axis. */
export interface Plot {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
}

export interface Axis {
  readonly label: string;
  readonly scale: 'linear' | 'log';
}

export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [number, number])[];
  /** `dots` for what was measured where a line is what was fitted. Default `line`. */
  readonly as?: 'line' | 'dots';
}

/** Of the values to the reference's, round by round. */
export function ratio({ values, reference }: Figure): Spread | undefined {
  return reference && ratioSpread(values, reference.values);
}

/** Whether the goal is reached; undefined without one. */
export function reached(figure: Figure): boolean | undefined {
  const { goal, better } = figure;
  if (!goal) return undefined;
  const value = goal.of === 'ratio' ? ratio(figure)?.median : spread(figure.values).median;
  if (value === undefined) return undefined;
  return better === 'more' ? value >= goal.bound : value <= goal.bound;
}

/** For a run that has nothing to do with what the goal is for. */
export function withoutGoal<T extends Figure>({ goal: _, ...figure }: T): Omit<T, 'goal'> {
  return figure;
}
