import {
  CLOUD_COVERS,
  DECODED_FIELDS,
  type Decoded,
  type Field,
  RVR_MODS,
} from '../../../clickhouse/model/fields.ts';

/** Fields of one value that many reports give. */
export const COMMON_FIELDS = [
  'temp_c',
  'dewp_c',
  'wspd_kt',
  'visib_m',
  'visib_sm',
  'altim_inhg',
  'wx',
  'fltcat',
] as const;
const COMMON: ReadonlySet<string> = new Set([...COMMON_FIELDS, 'clouds']);

/** Decoded fields of a report: every field may be there. */
export function randomDecoded(random: () => number): Decoded {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const some = <T>(make: () => T) => Array.from({ length: Math.floor(random() * 3) }, make);
  const randomValue = ({ name, type }: Field): unknown => {
    if (name === 'rvr')
      return some(() => ({
        rwy: '04',
        ...pick([
          { min_m: 350 + 50 * Math.floor(random() * 20) },
          { min_ft: 100 * Math.floor(random() * 60) },
          {},
        ]),
        ...(random() < 0.2 && { mod: pick(RVR_MODS) }),
      }));
    if (name === 'clouds')
      return some(() => ({
        cover: pick(CLOUD_COVERS),
        ...(random() < 0.9 && { base_ft: 100 * Math.floor(random() * 60) }),
      }));
    if (name === 'clouds_unknown') return pick(['///015', '///002 ///030CB', '///090 ///040']);
    if (name === 'cavok') return random() < 0.3;
    if (Array.isArray(type)) return pick(type as readonly string[]);
    switch (type) {
      case 'true':
        return true;
      case 'String':
        return pick(['RA', '-RA BR', 'FG', '+TSRA BR', '%', "it's", '1215', '\\%', 'é', 'x_y']);
      case 'Temperature':
        return random() < 0.05 ? '-0' : String(Math.round((random() * 60 - 30) * 10) / 10);
      case 'UInt8':
        return Math.floor(random() * 9);
      case 'Float32':
        return pick([29.92, 30.01, 0.25, 0.1, 3, 1013.2, 7.5, 0]);
      default:
        return pick([0, 12, 20, 100, 800, 1500, 5000]);
    }
  };
  const given = DECODED_FIELDS.filter(
    ({ name }) => name === 'cavok' || random() < (COMMON.has(name) ? 0.8 : 0.15),
  );
  return Object.fromEntries(given.map((field) => [field.name, randomValue(field)])) as Decoded;
}
