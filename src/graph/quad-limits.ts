const KIB = 1024;
const MIB = KIB * KIB;

/**
 * Bytes that the four terms of a quad may take together, in canonical form. Other tools read what
 * is exported, and Oxigraph, for one, takes lines of 16 MiB at most. Data of earlier releases may
 * hold longer ones, which can be read and deleted.
 */
export const MAX_QUAD_BYTES = 16 * MIB - 64 * KIB;

/**
 * The same for a quad of a document. It is less, because the name of the graph may come from the
 * request: whatever document is read can be stored.
 */
export const MAX_DOCUMENT_QUAD_BYTES = 15 * MIB;
