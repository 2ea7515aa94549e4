import type { CloudLayer } from '../../clickhouse/model/fields.ts';
import { digits, isMissing } from './characters.ts';
import type { Draft, Verdict } from './parse-state.ts';

/**
 * Cloud amount and height NsNsNshshshs(CC), vertical visibility VVhshshs, and the words for a sky without
 * cloud (WMO-No. 306 FM 15, 15.9; FMH-1, 12.6.9). Heights are hundreds of feet. An automatic station gives
 * /// for what it cannot tell: the height, the amount, or whether a cloud is convective (ICAO Annex 3, appendix 3).
 */

/** Cloud in the troposphere ends here; a higher base is a slip of the key. */
const HIGHEST_HUNDREDS = 600;

/** The amount that the token begins with. */
function coverOf(token: string): 'FEW' | 'SCT' | 'BKN' | 'OVC' | undefined {
  switch (token[0]) {
    case 'F':
      return token[1] === 'E' && token[2] === 'W' ? 'FEW' : undefined;
    case 'S':
      return token[1] === 'C' && token[2] === 'T' ? 'SCT' : undefined;
    case 'B':
      return token[1] === 'K' && token[2] === 'N' ? 'BKN' : undefined;
    case 'O':
      return token[1] === 'V' && token[2] === 'C' ? 'OVC' : undefined;
    default:
      return undefined;
  }
}

/** Cloud genera behind the height (FEW040CU): Austrian practice; only CB and TCU have a field. */
const GENERA = new Set(['CU', 'SC', 'ST', 'AC', 'AS', 'CI', 'CC', 'CS', 'NS', 'CF', 'SF']);

type CloudType = 'CB' | 'TCU';

/** What stands behind the height: a type, nothing worth keeping (null), or something else altogether. */
const typeFrom = (token: string, start: number): CloudType | null | undefined => {
  const tail = token.slice(start);
  if (tail === 'CB' || tail === 'TCU') return tail;
  if (tail === '' || tail === '///' || GENERA.has(tail)) return null;
  return undefined;
};

export function readCloud(token: string, draft: Draft): Verdict {
  // Of a layer that only its convective type is known of, the height may be left out as well.
  if (token === '///CB' || token === '///TCU') return 'explained';
  const { length } = token;
  if (length < 6 || length > 9) return undefined;
  const cover = coverOf(token);
  const amountMissing = cover === undefined && isMissing(token, 0, 3);
  if (cover === undefined && !amountMissing) return undefined;
  const heightMissing = token[3] === '/' && isMissing(token, 3, 6);
  const hundreds = heightMissing ? -1 : digits(token, 3, 6);
  if (!heightMissing && (hundreds === -1 || hundreds > HIGHEST_HUNDREDS)) return undefined;
  const type = length === 6 ? null : typeFrom(token, 6);
  if (type === undefined) return undefined;
  if (cover === undefined) return 'explained';
  const layer = heightMissing ? { cover } : { cover, base_ft: hundreds * 100 };
  return keep(token, draft, type === null ? layer : { ...layer, type });
}

/** A CB or TCU that was torn from its layer: `SCT015 CB BKN090`. Behind the temperature it is a remark. */
export function readTornType(token: string, draft: Draft): Verdict {
  if ((token !== 'CB' && token !== 'TCU') || draft.temperature !== '') return undefined;
  const { clouds } = draft.fields;
  const last = clouds?.at(-1);
  const previous = draft.tokens[draft.at - 1] ?? '';
  if (clouds === undefined || last?.base_ft === undefined || last.type !== undefined) return undefined;
  if (coverOf(previous) === undefined || previous.length !== 6) return undefined;
  (clouds as CloudLayer[])[clouds.length - 1] = { ...last, type: token };
  return 'explained';
}

export function readVerticalVisibility(token: string, draft: Draft): Verdict {
  if (token[0] !== 'V' || token[1] !== 'V') return undefined;
  if (token.length !== 5 && !(token.length === 8 && isMissing(token, 5, 8))) return undefined;
  const missing = isMissing(token, 2, 5);
  const hundreds = missing ? -1 : digits(token, 2, 5);
  if (!missing && (hundreds === -1 || hundreds > HIGHEST_HUNDREDS)) return undefined;
  const verdict = keep(token, draft, { cover: 'VV' });
  if (verdict === 'explained' && !missing) draft.fields.vvis_ft = hundreds * 100;
  return verdict;
}

export function readClearSky(token: string, draft: Draft): Verdict {
  switch (token) {
    case 'SKC':
    case 'CLR':
    case 'NSC':
    case 'NCD':
      if (draft.sky === token) return 'explained';
      if (draft.sky === 'CAVOK') return 'explained';
      return draft.sky === '' ? keep(token, draft, { cover: token }) : 'contradictory';
    default:
      return undefined;
  }
}

function keep(token: string, draft: Draft, layer: CloudLayer): Verdict {
  // A sky that was called clear, or CAVOK, has no layers.
  if (draft.sky !== '' && draft.sky !== 'LAYERS') return 'contradictory';
  draft.sky = draft.sky === '' && isClear(layer) ? token : 'LAYERS';
  const { clouds } = draft.fields;
  if (clouds === undefined) draft.fields.clouds = [layer];
  else (clouds as CloudLayer[]).push(layer);
  return 'explained';
}

const isClear = ({ cover }: CloudLayer): boolean =>
  cover === 'SKC' || cover === 'CLR' || cover === 'NSC' || cover === 'NCD';
