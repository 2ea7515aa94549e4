import type { CloudLayer } from '../../../clickhouse/model/fields.ts';
import { digits, isMissing } from '../characters.ts';
import { isWithinLimits, LIMITS } from '../limits.ts';
import { type ParseState, type Verdict, withGroup } from '../parse-state.ts';

/**
 * Cloud amount and height NsNsNshshshs(CC), vertical visibility VVhshshs, and the words for a sky without
 * cloud (WMO-No. 306 FM 15, 15.9; FMH-1, 12.6.9). Heights are hundreds of feet. An automatic station gives
 * /// for what it cannot tell: the height, the amount, or whether a cloud is convective (ICAO Annex 3, appendix 3).
 */

function coverOf(token: string) {
  if (token.startsWith('FEW')) return 'FEW';
  if (token.startsWith('SCT')) return 'SCT';
  if (token.startsWith('BKN')) return 'BKN';
  return token.startsWith('OVC') ? 'OVC' : undefined;
}

/** Cloud genera after the height (FEW040CU): Austrian practice; only CB and TCU have a field. */
const GENERA = new Set(['CU', 'SC', 'ST', 'AC', 'AS', 'CI', 'CC', 'CS', 'NS', 'CF', 'SF']);

type CloudType = 'CB' | 'TCU';

/** What follows the height: a type, nothing worth keeping (null), or something else (undefined). */
const typeFrom = (token: string, start: number): CloudType | null | undefined => {
  const tail = token.slice(start);
  if (tail === 'CB' || tail === 'TCU') return tail;
  if (tail === '' || tail === '///' || GENERA.has(tail)) return null;
  return undefined;
};

export function readCloud(token: string, state: ParseState): Verdict {
  // The height may also be missing.
  if (token === '///CB') return keepUnknownAmount('CB', '', state);
  if (token === '///TCU') return keepUnknownAmount('TCU', '', state);
  const { length } = token;
  if (length < 6 || length > 9) return undefined;
  const cover = coverOf(token);
  if (cover === undefined && !isMissing(token, 0, 3)) return undefined;
  const heightMissing = token[3] === '/' && isMissing(token, 3, 6);
  const base_ft = digits(token, 3, 6) * 100;
  if (!heightMissing && !isWithinLimits(LIMITS.cloudBase, base_ft)) return undefined;
  const type = length === 6 ? null : typeFrom(token, 6);
  if (type === undefined) return undefined;
  if (type === null && cover !== undefined)
    return keepUnlessClear(token, state, heightMissing ? { cover } : { cover, base_ft });
  const verdict =
    cover === undefined || type === null
      ? keepUnknownAmount(type, heightMissing ? '' : token, state)
      : keepUnlessClear(token, state, heightMissing ? { cover, type } : { cover, base_ft, type });
  if (heightMissing || type === null) return verdict;
  return isWithinLimits(LIMITS.convectiveCloudBase, base_ft) ? verdict : 'contradictory';
}

/**
 * Automatic stations detect a layer or convective cloud without its amount (`///015`, `//////CB`; ICAO Annex 3, table
 * A3-2). CB outranks TCU. `layer` is the group if it gives a height.
 */
function keepUnknownAmount(type: CloudType | null, layer: string, state: ParseState): Verdict {
  const { fields } = state;
  if (type !== null && fields.convective !== 'CB') fields.convective = type;
  if (layer === '') return 'explained';
  fields.clouds_unknown = withGroup(fields.clouds_unknown, layer.replace(/\/{3}$/, ''));
  state.sky ||= 'LAYERS';
  return state.sky === 'LAYERS' ? 'explained' : 'contradictory';
}

/** A CB or TCU split from its layer: `SCT015 CB BKN090`. After the temperature it is a remark. */
export function readTornType(token: string, state: ParseState): Verdict {
  if ((token !== 'CB' && token !== 'TCU') || state.temperature !== '') return undefined;
  const { clouds } = state.fields;
  const last = clouds?.at(-1);
  if (clouds === undefined || last?.base_ft === undefined || last.type !== undefined) return undefined;
  if (!isLayerWithoutType(state) || !isWithinLimits(LIMITS.convectiveCloudBase, last.base_ft))
    return undefined;
  (clouds as CloudLayer[])[clouds.length - 1] = { ...last, type: token };
  return 'explained';
}

/** The layer directly precedes it, in one piece (`SCT015`) or two (`SCT 015`). */
function isLayerWithoutType({ tokens, at }: ParseState): boolean {
  const previous = tokens[at - 1] ?? '';
  if (previous.length === 3)
    return digits(previous, 0, 3) !== -1 && coverOf(tokens[at - 2] ?? '') !== undefined;
  return previous.length === 6 && coverOf(previous) !== undefined;
}

export function readVerticalVisibility(token: string, state: ParseState): Verdict {
  if (!/^VV...(?:\/{3})?$/.test(token)) return undefined;
  const missing = isMissing(token, 2, 5);
  const vvis_ft = digits(token, 2, 5) * 100;
  if (!missing && !isWithinLimits(LIMITS.cloudBase, vvis_ft)) return undefined;
  const verdict = keepUnlessClear(token, state, { cover: 'VV' });
  if (missing || verdict !== 'explained') return verdict;
  state.fields.vvis_ft ??= vvis_ft;
  return state.fields.vvis_ft === vvis_ft ? 'explained' : 'contradictory';
}

export function readClearSky(token: string, state: ParseState): Verdict {
  if (!isClear(token)) return undefined;
  if (state.sky === token) return 'explained';
  // `CAVOK 33/19 Q1006 NOSIG SKC`: after NOSIG only what repeats it.
  if (state.noChange && state.sky !== 'CAVOK') return undefined;
  if (state.sky === 'CAVOK' || state.plainLanguage) return 'explained';
  // After the pressure Indonesia sends NSC for NOSIG.
  if (token === 'NSC' && (state.hectopascals !== '' || state.inches !== '')) return 'explained';
  return state.sky === '' ? keepUnlessClear(token, state, { cover: token }) : 'contradictory';
}

function keepUnlessClear(token: string, state: ParseState, layer: CloudLayer): Verdict {
  if (state.sky === 'CAVOK' && isAboveCavok(layer, state)) return keepLayer(layer, state);
  // A sky reported as clear or CAVOK has no layers.
  if (state.sky !== '' && state.sky !== 'LAYERS') return 'contradictory';
  state.sky = state.sky === '' && isClear(layer.cover) ? token : 'LAYERS';
  return keepLayer(layer, state);
}

function keepLayer(layer: CloudLayer, { fields }: ParseState): Verdict {
  if (fields.clouds === undefined) fields.clouds = [layer];
  else (fields.clouds as CloudLayer[]).push(layer);
  return 'explained';
}

/** 15.10: CAVOK allows cloud at or above 5,000 feet; Guatemala reports it after the temperature. */
const isAboveCavok = ({ base_ft, type }: CloudLayer, { temperature }: ParseState): boolean =>
  temperature !== '' && type === undefined && base_ft !== undefined && base_ft >= 5000;

const isClear = (cover: string): cover is 'SKC' | 'CLR' | 'NSC' | 'NCD' =>
  cover === 'SKC' || cover === 'CLR' || cover === 'NSC' || cover === 'NCD';
