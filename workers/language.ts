import { allFunctions } from '../src/ldpath/functions/registry.ts';
import { transformerTypes } from '../src/ldpath/transformer-types.ts';
import type { LanguageDescription } from '../src/pool/messages.ts';

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
