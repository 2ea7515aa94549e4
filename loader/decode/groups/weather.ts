import { type ParseState, type Verdict, withGroup } from '../parse-state.ts';
import { isWeatherElsewhere } from '../plain-language.ts';

/**
 * Present weather w'w' (WMO-No. 306 FM 15, 15.8, code table 4678; FMH-1, 12.6.8) and recent weather REw'w'
 * (15.13.2). A group is an optional intensity or vicinity, descriptors, then phenomena, two letters each.
 */

const DESCRIPTOR = 'MI|PR|BC|DR|BL|SH|TS|FZ';
// PE is the ice pellets of reports before 1998.
const PHENOMENON = 'DZ|RA|SN|SG|IC|PL|PE|GR|GS|UP|BR|FG|FU|VA|DU|SA|HZ|PY|PO|SQ|FC|SS|DS';
const PAIR = `(?:${DESCRIPTOR}|${PHENOMENON})`;

/**
 * At most five pairs, none of them twice. Descriptors precede phenomena, but what freezes may follow what falls with it
 * (-SNFZDZ); only TS and SH may come without a phenomenon.
 */
const ELEMENTS =
  '(?=(?:..){1,5}$)(?!(?:..)*?(..)(?:..)*?\\1)' +
  `(?:(?:${DESCRIPTOR})*(?:${PHENOMENON})(?:${PHENOMENON}|FZ(?=RA|DZ))*|(?:TS|SH)(?:${DESCRIPTOR})*)$`;
const UNSIGNED = new RegExp(`^${ELEMENTS}`);
const PRESENT = new RegExp(`^[-+]?(?:VC)?${ELEMENTS}`);

/** Recent weather joins several groups, so elements may recur. RE+SHSN: Russia keeps the intensity. */
const RECENT = new RegExp(`^RE(?:${PAIR}{1,5}|[-+]${PAIR}{1,4}|//)$`);

/** A group, as the source of a pattern, to be found where it is glued to another. */
export const WEATHER = `[-+]?(?:VC)?${PAIR}{1,4}`;

export const isPresentWeather = (token: string): boolean => PRESENT.test(token);

/**
 * `- RA`, `+ TSRA`, `-SH RA`: intensity and showers are a part of the group (15.8), also with a blank. `- BR` has lost what
 * fell: mist has no intensity.
 */
const TORN = /^(?:[-+] (?!BR|FG|HZ|FU)|[-+]?SH (?:RA|SN|PL|GR|GS))/;

export function readWeather(token: string, state: ParseState): Verdict {
  // NSW belongs in forecasts; Bangladesh sends it in the body, where it means no weather.
  if (token === 'NSW') return 'explained';
  const next = state.tokens[state.at + 1] ?? '';
  if ((token.length === 1 || token.endsWith('SH')) && TORN.test(`${token} ${next}`) && UNSIGNED.test(next)) {
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
  if (!RECENT.test(token)) return undefined;
  if (token !== 'RE//') state.fields.rewx = withGroup(state.fields.rewx, token.slice(2));
  return 'explained';
}
