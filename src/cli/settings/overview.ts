import { type Setting, type SettingName, settings, shownDefault } from '../../config.ts';
import type { Given, SettingsInForce } from './sources.ts';

/** Stands for the value of a setting that is secret. */
const HIDDEN = '(hidden)';

/** Returns the settings in force and their sources as a table, a line per value. */
export function overviewText(given: SettingsInForce): string {
  const rows = entriesOf(given).flatMap(([setting, { value, source }]) =>
    textsOf(setting, value).map((text) => [setting.flag, text, source.at ?? source.kind] as const),
  );
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map(([flag, text, source]) =>
    [flag.padEnd(widths[0]!), text.padEnd(widths[1]!), source].join('  '),
  );
  return `${lines.join('\n')}\n`;
}

/** Returns the same as JSON: by name, `value`, `source`, and `at` unless it is the default. */
export function overviewJson(given: SettingsInForce): string {
  const entries = entriesOf(given).map(([setting, { value, source }]) => {
    const { kind, at } = source;
    return [setting.flag, { value: jsonOf(setting, value), source: kind, ...(at !== undefined && { at }) }];
  });
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}

/** Returns it for a page of settings: also with `text`, `unit` and `explanation`. */
export function settingsJson(given: SettingsInForce): string {
  const entries = entriesOf(given).map(([setting, { value, source }]) => {
    const { unit, explanation } = setting;
    const { kind, at } = source;
    const texts = { value: jsonOf(setting, value), text: textsOf(setting, value).join(', ') };
    return [
      setting.flag,
      { ...texts, ...(unit && { unit }), source: kind, ...(at !== undefined && { at }), explanation },
    ];
  });
  return JSON.stringify(Object.fromEntries(entries));
}

function entriesOf(given: SettingsInForce): [Setting<unknown>, Given][] {
  return (Object.keys(settings) as SettingName[]).map((name) => [settings[name], given[name]]);
}

function textsOf(setting: Setting<unknown>, value: unknown): string[] {
  if (value === undefined) return [shownDefault(setting)];
  if (!Array.isArray(value)) return [shown(setting, value)];
  return value.length === 0 ? ['none'] : value.map((item: unknown) => shown(setting, item));
}

function shown(setting: Setting<unknown>, item: unknown): string {
  if (setting.secret) return HIDDEN;
  return setting.show?.(item) ?? String(item);
}

/** A size is its number of bytes. */
function jsonOf(setting: Setting<unknown>, value: unknown): unknown {
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map((item: unknown) => shown(setting, item));
  return setting.secret ? HIDDEN : value;
}
