import { type ParseState, type Verdict, withGroup } from '../parse-state.ts';
import { isWeatherElsewhere } from '../plain-language.ts';

/**
 * Present weather w'w' (WMO-No. 306 FM 15, 15.8, code table 4678; FMH-1, 12.6.8) and recent weather REw'w'
 * (15.13.2). A group is an optional intensity or vicinity, descriptors, then phenomena, two letters each.
 */

const DESCRIPTOR = 1;
const PHENOMENON = 2;

const pair = (first: number, second: number): number => (first - 65) * 26 + second - 65;

/** Indexed by letter pair; a table because this is checked for most tokens of most reports. */
const KIND = new Uint8Array(26 * 26);
const DESCRIPTORS = 'MI PR BC DR BL SH TS FZ'.split(' ');
for (const name of DESCRIPTORS) KIND[pair(name.charCodeAt(0), name.charCodeAt(1))] = DESCRIPTOR;
// PE is the ice pellets of reports before 1998.
const PHENOMENA = 'DZ RA SN SG IC PL PE GR GS UP BR FG FU VA DU SA HZ PY PO SQ FC SS DS'.split(' ');
for (const name of PHENOMENA) KIND[pair(name.charCodeAt(0), name.charCodeAt(1))] = PHENOMENON;

const kindAt = (token: string, at: number): number => {
  const first = token.charCodeAt(at);
  const second = token.charCodeAt(at + 1);
  if (!(first >= 65 && first <= 90 && second >= 65 && second <= 90)) return 0;
  return KIND[pair(first, second)] ?? 0;
};

/** Descriptors precede phenomena and are not repeated; only TS and SH may come without a phenomenon. */
function isWeather(token: string, start: number): boolean {
  const { length } = token;
  if (length === start || (length - start) % 2 !== 0 || length - start > 10) return false;
  let phenomena = 0;
  for (let at = start; at < length; at += 2) {
    const kind = kindAt(token, at);
    if (kind === 0 || (kind === DESCRIPTOR && phenomena > 0 && !isFreezing(token, at))) return false;
    if (kind === PHENOMENON) phenomena += 1;
    for (let earlier = start; earlier < at; earlier += 2) {
      if (token[earlier] === token[at] && token[earlier + 1] === token[at + 1]) return false;
    }
  }
  return phenomena > 0 || token.startsWith('TS', start) || token.startsWith('SH', start);
}

/** -SNFZDZ: what freezes may follow what falls with it. */
const isFreezing = (token: string, at: number): boolean =>
  token.startsWith('FZRA', at) || token.startsWith('FZDZ', at);

/** Recent weather joins several groups, so elements that present weather may not repeat can recur. */
function isRecentWeather(token: string): boolean {
  const { length } = token;
  // RE+SHSN: Russia keeps the intensity.
  const start = token[2] === '+' || token[2] === '-' ? 3 : 2;
  if (length < start + 2 || (length - start) % 2 !== 0 || length > 12) return false;
  for (let at = start; at < length; at += 2) if (kindAt(token, at) === 0) return false;
  return true;
}

/** A group, as the source of a pattern, to be found where it is glued to another. */
export const WEATHER = `[-+]?(?:VC)?(?:${[...DESCRIPTORS, ...PHENOMENA].join('|')}){1,4}`;

const startOfPhenomena = (token: string): number => {
  const signed = token[0] === '-' || token[0] === '+' ? 1 : 0;
  return token.startsWith('VC', signed) ? signed + 2 : signed;
};

export const isPresentWeather = (token: string): boolean => isWeather(token, startOfPhenomena(token));

/**
 * `- RA`, `+ TSRA`, `-SH RA`: intensity and showers are a part of the group (15.8), also with a blank. `- BR` has lost what
 * fell: mist has no intensity.
 */
const TORN = /^(?:[-+] (?!BR|FG|HZ|FU)|[-+]?SH (?:RA|SN|PL|GR|GS))/;

export function readWeather(token: string, state: ParseState): Verdict {
  // NSW belongs in forecasts; Bangladesh sends it in the body, where it means no weather.
  if (token === 'NSW') return 'explained';
  const next = state.tokens[state.at + 1] ?? '';
  if ((token.length === 1 || token.endsWith('SH')) && TORN.test(`${token} ${next}`) && isWeather(next, 0)) {
    state.at += 1;
    return readWeather(token + next, state);
  }
  if (!isPresentWeather(token)) return undefined;
  // CAVOK says that there is no weather (15.10).
  if (state.fields.cavok && state.temperature === '') return 'contradictory';
  // 12SM has lost the solidus of 1/2SM: of 1,719 reports of fog in miles none has more than 2 1/2.
  if ((state.fields.visib_sm ?? 0) > 5 && /^(?:FZ)?FG$/.test(token)) return 'contradictory';
  // `CB TO S RA SW` after the pressure is a remark, not weather at the station.
  if (isWeatherElsewhere(state)) return 'explained';
  state.fields.wx = withGroup(state.fields.wx, token);
  return 'explained';
}

export function readRecentWeather(token: string, state: ParseState): Verdict {
  if (token[0] !== 'R' || token[1] !== 'E') return undefined;
  if (token === 'RE//') return 'explained';
  if (!isRecentWeather(token)) return undefined;
  state.fields.rewx = withGroup(state.fields.rewx, token.slice(2));
  return 'explained';
}
