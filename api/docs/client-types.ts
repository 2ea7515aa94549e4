import type { SchemaObject as Schema } from 'ajv';
import { type EndpointParameters, type NamedParameter, parametersOf } from '../contract/parameters.ts';
import { OBSERVATIONS } from '../observations/endpoint.ts';
import { DAILY_RECORDS, HOURLY } from '../series/endpoint.ts';
import { STATISTICS } from '../statistics/endpoint.ts';
import { schemas } from './openapi/openapi.ts';

const ANSWERS = [
  ...['ObservationsPage', 'Hour', 'DailyRecord', 'MonthlyRecord', 'NormalsRecord', 'StatisticsAnswer'],
  ...['StationYears', 'Station', 'ArchiveSummary', 'Problem'],
];

const PARAMETER_TYPES: readonly (readonly [name: string, parameters: EndpointParameters])[] = [
  ['ObservationsParameters', OBSERVATIONS.parameters],
  ['HourlyParameters', HOURLY.parameters],
  ['DailyParameters', DAILY_RECORDS.parameters],
  ['StatisticsParameters', STATISTICS.parameters],
];

/** A longer list of names is typed as text, not as a union: for a wrong name, the service suggests the nearest. */
const MOST_NAMES = 10;

/** The types of the client for JavaScript: of the answers in /openapi.json, and of the parameters of requests. */
export function clientTypes(): string {
  const all = schemas() as Readonly<Record<string, Schema>>;
  const types: string[] = [];
  // The loop also visits the names that it adds: those of schemas that a schema refers to.
  const names = new Set(ANSWERS);
  for (const name of names) {
    const schema = all[name] ?? {};
    types.push(`${commentOf(schema)}export type ${name} = ${typeOf(schema, names)};\n`);
  }
  return [...types, ...PARAMETER_TYPES.map(parameterType)].join('\n');
}

/** @param names gets those of the schemas that this one refers to */
function typeOf(schema: Schema, names: Set<string>): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace(/.*\//, '');
    names.add(name);
    return name;
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return unionOf(schema.enum);
  if (schema.items !== undefined) return `${typeOf(schema.items, names)}[]`;
  if (schema.anyOf !== undefined) return schema.anyOf.map((each: Schema) => typeOf(each, names)).join(' | ');
  if (schema.properties === undefined) {
    const types = [schema.type ?? 'unknown'].flat();
    return types.map((type) => (type === 'integer' ? 'number' : type)).join(' | ');
  }
  const members = Object.entries<Schema>(schema.properties).map(([name, member]) => {
    const mark = schema.required?.includes(name) ? '' : '?';
    return `${commentOf(member)}${name}${mark}: ${typeOf(member, names)};\n`;
  });
  if (schema.additionalProperties !== undefined)
    members.push(`[name: string]: ${typeOf(schema.additionalProperties, names)} | undefined;\n`);
  return `{\n${members.join('').replace(/^(?=.)/gm, '  ')}}`;
}

function commentOf({ description, 'x-unit': unit }: Schema): string {
  if (description === undefined) return '';
  return `/** ${description}${unit === undefined ? '' : ` [${unit}]`} */\n`;
}

function parameterType([name, parameters]: readonly [string, EndpointParameters]): string {
  const members = parametersOf(parameters).map((parameter) => {
    const { purpose, description, isRequired } = parameter;
    const type = isRequired ? `: ${valueType(parameter)}` : `?: ${valueType(parameter)} | undefined`;
    return `  /** ${purpose}: ${description}. */\n  readonly ${parameter.name}${type};\n`;
  });
  return `export type ${name} = {\n${members.join('')}};\n`;
}

function valueType({ name, schema }: NamedParameter): string {
  if (name === 'from' || name === 'to') return 'string | Date';
  if (schema.wholeNumber !== undefined || schema.decimalNumber !== undefined) return 'number';
  const { items, enum: names } = schema as Schema;
  return schema.type === 'array' ? `readonly ${oneOf(items?.enum)}[]` : oneOf(names);
}

function oneOf(names: readonly unknown[] = []): string {
  return names.length === 0 || names.length > MOST_NAMES ? 'string' : unionOf(names);
}

function unionOf(values: readonly unknown[]): string {
  return `(${values.map((value) => JSON.stringify(value)).join(' | ')})`;
}
