import { AppError } from '../../errors.ts';
import type { SparqlInstance } from '../instance.ts';
import type { SparqlEffects, SparqlUpdate } from '../request.ts';
import type { EngineSettings } from './settings.ts';

/** What an update does to the data of an instance. */
export function evaluateUpdate(
  _instance: SparqlInstance,
  _update: SparqlUpdate,
  _settings: EngineSettings,
): SparqlEffects {
  throw new AppError('unsupported-sparql', 'Updates are not supported yet.');
}
