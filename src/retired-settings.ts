/** A setting of the version before, which is still accepted, but has no effect any more. */
export interface RetiredSetting {
  readonly flag: string;
  readonly argument: string;
  /** What to say instead. */
  readonly advice: string;
}

export const retiredSettings: readonly RetiredSetting[] = [
  { flag: 'record-max', argument: 'SIZE', advice: '--data-max limits the memory of the data' },
];

/** What is said of a retired setting that was given under a name. */
export function retiredWarning(name: string, { advice }: RetiredSetting): string {
  return `${name} has no effect any more, and the next version will not know it: ${advice}.`;
}
