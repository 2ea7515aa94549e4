import { readFileSync } from 'node:fs';
import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import { OPTIONS } from './options.ts';

/** Reads codes that are separated by white space, commas or line ends; `#` starts a comment. */
export function readStationFile(
  option: 'stations-file' | 'priority-file',
  path: string,
  errors: string[],
): readonly string[] {
  const codes = codesIn(option, path, errors);
  const wrong = codes.filter((code) => !ICAO_CODE.test(code)).map((code) => JSON.stringify(code));
  if (wrong.length > 0)
    errors.push(`${path} must hold ${OPTIONS.stations.description}; found ${wrong.join(', ')}`);
  return codes;
}

function codesIn(option: string, path: string, errors: string[]): readonly string[] {
  try {
    const text = readFileSync(path, 'utf8').replace(/#.*/g, '');
    const codes = [...new Set(text.split(/[\s,]+/).filter((code) => code !== ''))];
    if (codes.length === 0) errors.push(`--${option} ${path} holds no stations`);
    return codes;
  } catch (error) {
    errors.push(`--${option} ${path} is not readable: ${(error as Error).message}`);
    return [];
  }
}
