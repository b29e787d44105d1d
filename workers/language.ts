import { allFunctions } from '../src/ldpath/functions/registry.ts';
import { transformerTypes } from '../src/ldpath/transformer-types.ts';
import type { LanguageDescription } from '../src/pool/messages.ts';

/** What the language offers, as the main thread shows it without having it loaded. */
export function describeLanguage(): LanguageDescription {
  const functions = allFunctions.map(({ name, signature, description }) => ({
    name,
    signature,
    description,
  }));
  return { functions, types: transformerTypes };
}
