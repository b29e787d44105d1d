import { type Setting, settings, shownDefault, type ValueSchema } from '../../config.ts';

/** The key by which a file names its schema. It is no setting. */
export const SCHEMA_KEY = '$schema';

/** Returns the JSON Schema of a config file, for editors. */
export function configSchema(): object {
  const inFile = Object.values<Setting<unknown>>(settings).filter((setting) => !setting.environmentOnly);
  const properties = inFile.map((setting) => [setting.flag, propertySchema(setting)]);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Settings of Pathpool',
    type: 'object',
    properties: { [SCHEMA_KEY]: { type: 'string' }, ...Object.fromEntries(properties) },
    additionalProperties: false,
  };
}

/** Returns what the value of a setting may be; of a list, each item. */
export function valueSchema({ schema, argument }: Setting<unknown>): ValueSchema {
  return schema ?? (argument === undefined ? { type: 'boolean' } : { type: 'string', minLength: 1 });
}

function propertySchema(setting: Setting<unknown>): object {
  const description = `${setting.explanation} Default: ${shownDefault(setting)}.`;
  const value = valueSchema(setting);
  return setting.repeatable ? { description, type: 'array', items: value } : { description, ...value };
}
