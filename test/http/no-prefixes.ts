import type { DocumentVariants } from '../../src/http/headers/document-variants.ts';

/** The variants of a server that keeps no prefixes. */
export const plainVariants: DocumentVariants = {
  variantOf: ({ variant }) => variant,
  documentVariant: '',
};
