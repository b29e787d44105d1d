/**
 * Whether a path is one that monitors ask for: it is open to everybody, under any host name, and
 * also while the server shuts down (http-api G-122). Orchestrators probe a container under any
 * name, and the responses reveal nothing about the data.
 */
export function isProbe(path: string): boolean {
  return path.startsWith('/health/') || path === '/ping';
}
