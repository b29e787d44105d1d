import { AppError } from '../../errors.ts';
import type { LdpModel } from '../model/kinds.ts';
import { ldp } from '../model/vocabulary.ts';

/** The containers by their types; the type that is true of all of them last. */
const containers: readonly (readonly [kind: string, model: LdpModel])[] = [
  [ldp.BasicContainer, 'basic'],
  [ldp.DirectContainer, 'direct'],
  [ldp.IndirectContainer, 'indirect'],
];

/** The container types, which are ordinary triples of what is no container (http-api L-53). */
export const containerKinds: ReadonlySet<string> = new Set([
  ldp.Container,
  ...containers.map(([kind]) => kind),
]);

/** The model that a body asks for by the LDP types that it states of the new resource (http-api 5.8); null for none. */
export function modelStated(kinds: ReadonlySet<string>): LdpModel | null {
  const stated = containers.filter(([kind]) => kinds.has(kind));
  if (stated.length > 1) {
    const names = stated.map(([kind]) => `<${kind}>`).join(' and ');
    throw new AppError('bad-interaction-model', `A resource can not be ${names} at once.`);
  }
  return stated[0]?.[1] ?? (kinds.has(ldp.Container) ? 'basic' : null);
}
