import type { Archive } from '../archive.ts';
import type { TimeWindow } from '../model/time-window.ts';
import { columnsOf } from '../native-blocks.ts';
import { readStatement } from '../statements/sql.ts';

const UNREADABLE = readStatement('days/unreadable');

/** Groups of weather (WMO-No. 306, code table 4678): pairs of letters. */
const WEATHER_GROUPS =
  /^(?:VC|MI|PR|BC|DR|BL|SH|TS|FZ|DZ|RA|SN|SG|IC|PL|PE|GR|GS|UP|BR|FG|FU|VA|DU|SA|HZ|PY|PO|SQ|FC|SS|DS)+$/;

/** A code of a station can be made of such pairs: SNBR. */
const HEADER = /^(?:(?:METAR|SPECI|COR) )*[A-Z][A-Z0-9]{3} \d{6}Z?/;

/** Remarks, which can also tell of a thunderstorm, and forecasts. */
const AFTER_BODY = / (?:RMK|TEMPO|BECMG|INTER|FM\d{4}|PROB\d\d)/;
const THUNDERSTORM = / TS[BE]\d\d/;
const AMOUNT = / RMK.* [P67]\d{4}(?: |$)/;

/**
 * What an unreadable report names, which its day then does not know (D78): weather, as `wx` has it, and whether it gives an amount
 * of precipitation.
 *
 * @param text with or without its station and time
 */
export function namedIn(text: string) {
  const [body = ''] = text.replace(HEADER, '').split(AFTER_BODY);
  // A slip may have added signs or figures: `-RA/`.
  const groups = body.split(/\s+/).map((token) => token.replace(/[^A-Z]/g, ''));
  if (THUNDERSTORM.test(text)) groups.push('TS');
  return { wx: groups.filter((group) => WEATHER_GROUPS.test(group)).join(' '), hasAmount: AMOUNT.test(text) };
}

/** By the number of a station in the list, and the time. */
export async function readUnreadable(
  archive: Archive,
  params: TimeWindow & { readonly stations: readonly string[] },
  signal?: AbortSignal,
) {
  const bytes = await archive.select({ query: UNREADABLE, params, ofStations: true }, signal);
  const { _station = [], _time = [], _texts = [] } = columnsOf(bytes);
  const named = new Map(
    [..._texts].map((text, row) => [`${_station[row]} ${_time[row]}`, namedIn(text as string)]),
  );
  return (station: number, time: number) => named.get(`${station} ${time}`);
}
