/** A setting of the previous version that is accepted and ignored. */
export interface RetiredSetting {
  readonly flag: string;
  readonly argument: string;
  /** What to use instead. */
  readonly advice: string;
}

export const retiredSettings: readonly RetiredSetting[] = [
  { flag: 'record-max', argument: 'SIZE', advice: 'use --data-max to limit the memory of the data' },
];

/** Returns the warning about a retired setting that was used under `name`. */
export function retiredWarning(name: string, { advice }: RetiredSetting): string {
  return `${name} is ignored, and the next version will reject it: ${advice}.`;
}
