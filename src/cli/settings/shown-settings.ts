import type { Config, SettingName } from '../../config.ts';
import { settingsJson } from './overview.ts';
import { givenByProgram, type SettingsInForce } from './sources.ts';

/** The settings in force, as `GET /settings` shows them. */
export class ShownSettings {
  #inForce: SettingsInForce;

  /** `given`: with their sources, if they come from the command line. */
  constructor(config: Config, given: SettingsInForce = givenByProgram(config)) {
    this.#inForce = given;
  }

  /** Call it when the running server has taken over some settings. */
  takeOver(
    names: Iterable<SettingName>,
    config: Config,
    given: SettingsInForce = givenByProgram(config),
  ): void {
    const taken = Array.from(names, (name) => [name, given[name]] as const);
    this.#inForce = { ...this.#inForce, ...Object.fromEntries(taken) };
  }

  toJson(): string {
    return settingsJson(this.#inForce);
  }
}
