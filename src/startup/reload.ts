import type { ShownSettings } from '../cli/settings/shown-settings.ts';
import type { SettingsInForce } from '../cli/settings/sources.ts';
import { type Config, type SettingName, settings } from '../config.ts';
import type { HttpServer } from '../http/server/server.ts';
import type { Log } from '../log.ts';
import { type AccessControl, readIdentities } from './access-control.ts';

/** Settings that a running server can take over. */
const live: ReadonlySet<SettingName> = new Set([
  ...(['credentials', 'credential', 'tlsCert', 'tlsKey', 'logLevel'] as const),
  ...(['access', 'jwtIssuer', 'jwtAudience', 'jwtJwks', 'jwtRead', 'jwtWrite'] as const),
]);

interface ReloadParts {
  readonly accessControl: AccessControl;
  readonly server: Pick<HttpServer, 'replaceTls'>;
  readonly log: Log;
  readonly shown: ShownSettings;
}

/** `given`: the settings with their sources, if they come from the command line. */
type Reload = (config: Config, given?: SettingsInForce) => Promise<readonly SettingName[]>;

/** Returns `App.reload`. Calls run one after the other. */
export function createReload(started: Config, { accessControl, server, log, shown }: ReloadParts): Reload {
  const { access } = accessControl;
  let { tls } = accessControl;
  const apply: Reload = async (config, given) => {
    const next = await readIdentities(config, log, access.tokens);
    try {
      const isGuarded = next.credentials.length > 0 || next.tokens !== undefined;
      // What else is checked for each request depends on these.
      if (isGuarded !== access.isGuarded) throw needsRestart('whether requests need credentials');
      if (!next.rules !== !access.hasRules) throw needsRestart('whether there are access rules (--access)');
      if (!next.tls !== !tls) throw needsRestart('whether connections are encrypted');
      // Each replacement costs a little memory while connections with the old one are open.
      if (next.tls && next.tls.digest !== tls?.digest) await server.replaceTls(next.tls);
    } catch (error) {
      if (next.tokens?.keys !== access.tokens?.keys) next.tokens?.keys.close();
      throw error;
    }
    tls = next.tls;
    access.replace(next);
    log.level = config.logLevel;
    shown.takeOver(live, config, given);
    return needingRestart(started, config);
  };
  let last: Promise<unknown> = Promise.resolve();
  return (config, given) => {
    const done = last.then(() => apply(config, given));
    // The caller gets the error.
    last = done.catch(() => {});
    return done;
  };
}

function needsRestart(what: string): Error {
  return new Error(`A restart is needed to change ${what}.`);
}

/** Returns the settings that are not in force yet. */
function needingRestart(started: Config, config: Config): SettingName[] {
  const names = (Object.keys(settings) as SettingName[]).filter((name) => !live.has(name));
  return names.filter((name) => JSON.stringify(config[name]) !== JSON.stringify(started[name]));
}
