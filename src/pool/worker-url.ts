/** `.ts` when run from source, `.js` when compiled: the compiler does not rewrite URLs. */
const suffix = import.meta.url.slice(-3);

/** Entry file of a thread: `workers/<name>`, beside `src`. */
export function workerUrl(name: 'job' | 'store' | 'pieces'): URL {
  return new URL(`../../workers/${name}${suffix}`, import.meta.url);
}
