/**
 * The folder with `src/` and `workers/`: that of the project when it runs from source, or else
 * `dist/`. This file alone knows its own place: the build bundles others into files elsewhere.
 */
export const codeRoot = new URL('../../', import.meta.url);

/** The compiler does not rewrite URLs. */
export const runsFromSource = import.meta.url.endsWith('.ts');
