const probes: ReadonlySet<string> = new Set(['/health/live', '/health/ready', '/ping']);

/**
 * Whether a path is one that monitors ask for: it is open to everybody, under any host name, and
 * also while the server shuts down (http-api G-122). Orchestrators probe a container under any
 * name, and the responses reveal nothing about the data. A slash at the end is ignored, as by the
 * router.
 */
export function isProbe(path: string): boolean {
  return probes.has(path.endsWith('/') ? path.slice(0, -1) : path);
}
