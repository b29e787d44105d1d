import type { CompiledField, CompiledProgram } from '../compile/compiler.ts';
import { csv, tsv } from './cell-writer.ts';
import { DEFAULT_SEPARATOR, type ShapeOptions } from './format.ts';
import { IndexShape } from './index-shape.ts';
import { JsonLdShape } from './json-ld-shape.ts';
import type { ResultShape } from './result-shape.ts';
import { pathField, type ShapedField, shapedField } from './shaped-field.ts';
import { TableShape } from './table-shape.ts';
import { ValuesShape } from './values-shape.ts';

/** The shapes of one program or path. */
export interface Shapes {
  /** For one start resource that the request names. */
  readonly alone: ResultShape;
  /** For each of several. */
  readonly listed: ResultShape;
}

/** Returns the shapes of a path, whose values are a field `value` where a format needs a name. */
export function pathShapes(options: ShapeOptions): Shapes {
  return shapesOf([pathField], true, options);
}

/** @throws LdPathError bad-arguments for a field whose name the format needs for itself */
export function programShapes({ fields, boost }: CompiledProgram, options: ShapeOptions): Shapes {
  for (const name of reservedNames(options.format, boost !== undefined)) refuseField(name, fields, options);
  const shaped = fields.map(({ name, type, configuration }) => shapedField(name, type, configuration));
  return shapesOf(shaped, false, options);
}

function reservedNames(format: ShapeOptions['format'], hasBoost: boolean): string[] {
  const names: string[] = [];
  const isSolr = format === 'solr' || format === 'solr-documents';
  const isBulk = format === 'bulk' || format === 'bulk-documents';
  if (isSolr) names.push('id');
  if ((isSolr || isBulk) && hasBoost) names.push('boost');
  return names;
}

function refuseField(name: string, fields: readonly CompiledField[], { format }: ShapeOptions): void {
  const site = fields.find((field) => field.name === name)?.site;
  if (!site) return;
  const message = `The format '${format}' has a field '${name}' of its own: give this field another name`;
  throw site.source.error('bad-arguments', message, site.span.start);
}

function shapesOf(fields: readonly ShapedField[], isPath: boolean, options: ShapeOptions): Shapes {
  if (options.format === 'values') {
    return {
      alone: new ValuesShape(fields, { isPath, alone: true }),
      listed: new ValuesShape(fields, { isPath, alone: false }),
    };
  }
  const shape = documentShape(fields, options.format, options.separator ?? DEFAULT_SEPARATOR);
  return { alone: shape, listed: shape };
}

function documentShape(
  fields: readonly ShapedField[],
  format: Exclude<ShapeOptions['format'], 'values'>,
  separator: string,
): ResultShape {
  switch (format) {
    case 'csv':
      return new TableShape(fields, csv, separator);
    case 'tsv':
      return new TableShape(fields, tsv, separator);
    case 'solr':
    case 'bulk':
    case 'solr-documents':
    case 'bulk-documents':
      return new IndexShape(fields, format);
    case 'jsonld':
      return new JsonLdShape(fields);
  }
}
