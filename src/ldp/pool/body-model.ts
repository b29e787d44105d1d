import { AppError } from '../../errors.ts';
import type { InteractionModel } from '../model/kinds.ts';
import { ldp } from '../model/vocabulary.ts';

/** The containers by their types. `ldp:Container`, which all of them have, is not listed. */
const containers: readonly (readonly [kind: string, model: InteractionModel])[] = [
  [ldp.BasicContainer, 'basic'],
  [ldp.DirectContainer, 'direct'],
  [ldp.IndirectContainer, 'indirect'],
];

/**
 * The container types. They are ordinary triples of resources that are not containers (http-api
 * L-53).
 */
export const containerKinds: ReadonlySet<string> = new Set([
  ldp.Container,
  ...containers.map(([kind]) => kind),
]);

/**
 * Returns the model that a body asks for with the LDP types that it states for the new resource
 * (http-api 5.8); null if there is none.
 */
export function modelStated(kinds: ReadonlySet<string>): InteractionModel | null {
  const stated = containers.filter(([kind]) => kinds.has(kind));
  if (stated.length > 1) {
    const names = stated.map(([kind]) => `<${kind}>`).join(' and ');
    throw new AppError('bad-interaction-model', `A resource cannot be both ${names}.`);
  }
  return stated[0]?.[1] ?? (kinds.has(ldp.Container) ? 'basic' : null);
}
