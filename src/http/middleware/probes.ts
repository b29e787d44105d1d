const probes: ReadonlySet<string> = new Set(['/health/live', '/health/ready', '/ping']);
const reports: ReadonlySet<string> = new Set(['/health', '/metrics']);

/**
 * Whether a path is one that monitors ask for: it is open to everybody, under any host name, and
 * also while the server shuts down (http-api G-122). Orchestrators probe a container under any
 * name, and the responses reveal nothing about the data. A slash at the end is ignored, as by the
 * router.
 */
export function isProbe(path: string): boolean {
  return probes.has(withoutSlash(path));
}

/**
 * Whether a path is served from the first to the last moment: also while the data are loading and
 * while the server shuts down (http-api G-93, G-95). The reports are not open to everybody.
 */
export function isMonitoring(path: string): boolean {
  return isProbe(path) || reports.has(withoutSlash(path));
}

/**
 * Whether a path is one of the console, whose files are the same everywhere and say nothing of data
 * or settings. They need no credentials (http-api T-61): the console itself asks for these.
 */
export function isConsole(path: string): boolean {
  return path === '/' || path === '/console' || path.startsWith('/console/');
}

/**
 * Whether a path needs credentials wherever there are any, also where everybody may read the data:
 * it describes the server, not the data (http-api T-51).
 */
export function isForUsers(path: string): boolean {
  return withoutSlash(path) === '/settings';
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
