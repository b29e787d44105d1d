import { json } from '../description/bodies.ts';
import type { Operation, Schema } from '../description/described-operation.ts';

const text: Schema = { type: 'string' };

const setting: Schema = {
  title: 'Setting',
  type: 'object',
  required: ['value', 'text', 'source', 'explanation'],
  properties: {
    value: { description: 'Null if nothing is set; a list if it can be given several times.' },
    text: { ...text, description: 'As `pathpool config` prints it.' },
    unit: { enum: ['bytes', 'seconds', 'hours'] },
    source: { enum: ['default', 'file', 'environment', 'flag', 'program'] },
    at: { ...text, description: 'The place in the file, the variable or the flag.' },
    explanation: text,
  },
};

export const readSettings: Operation = {
  tag: 'Server',
  forUsers: true,
  summary: 'Read the settings in force',
  description: 'Secrets are hidden. Where there are credentials, it needs some also with `--public-read`.',
  responses: {
    200: {
      description: 'The settings by the names of their flags.',
      content: json({ title: 'Settings', type: 'object', additionalProperties: setting }),
    },
  },
  problems: ['bad-query', 'not-acceptable'],
  examples: [{ name: 'all', summary: 'All settings', status: 200 }],
};
