import { transformerTypes } from '../../ldpath/compile/transformer-types.ts';
import { allFunctions } from '../../ldpath/functions/catalog.ts';
import type { LanguageDescription } from '../messages.ts';

/**
 * Describes the functions and types of the language, so that the main thread does not have to load
 * it.
 */
export function describeLanguage(): LanguageDescription {
  const functions = allFunctions.map(({ name, signature, description }) => ({
    name,
    signature,
    description,
  }));
  return { functions, types: transformerTypes };
}
