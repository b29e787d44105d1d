import { failure, type Result } from '../../errors.ts';

export type QueryForm = 'select' | 'ask' | 'construct' | 'describe';

export interface QueryFacts {
  readonly form: QueryForm | 'update';
  readonly order: readonly string[] | undefined;
  readonly hasFrom: boolean;
}

export function queryFacts(text: string): Result<QueryFacts> {
  const form = /\b(select|ask|construct|describe)\b/i.exec(text)?.[1]?.toLowerCase();
  if (form === undefined) return failure('parse-error', 'This is no query.', { line: 1, column: 1 });
  const hasFrom = /\bfrom\b/i.test(text);
  return { ok: true, value: { form: form as QueryForm, order: undefined, hasFrom } };
}
