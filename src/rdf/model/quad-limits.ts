const KIB = 1024;
const MIB = KIB * KIB;

/**
 * The most bytes of the four terms of a quad together, in canonical form. Other tools read exported
 * data, and Oxigraph, for example, accepts lines of at most 16 MiB. Data of earlier releases may
 * contain longer ones, which can be read and deleted.
 */
export const MAX_QUAD_BYTES = 16 * MIB - 64 * KIB;

/**
 * The same for a quad of a document. It is less, because the name of the graph may come from the
 * request: every document that was read can be stored.
 */
export const MAX_DOCUMENT_QUAD_BYTES = 15 * MIB;
