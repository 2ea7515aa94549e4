import type { Decoded } from '../../../../clickhouse/model/fields.ts';

/** The bounds of the atmosphere, written here a second time on purpose: a wrong row of the decoder's table is found. */
const BOUNDS: { readonly [Name in keyof Decoded]?: readonly [lowest: number, highest: number] } = {
  temp_c: [-90, 57],
  dewp_c: [-90, 36],
  wdir: [0, 360],
  wspd_kt: [0, 163],
  wgst_kt: [1, 220],
  pk_wspd_kt: [0, 220],
  pk_wdir: [1, 360],
  visib_m: [0, 300_000],
  visib_min_m: [0, 10_000],
  vvis_ft: [0, 50_000],
  altim_hpa: [870, 1090],
  slp_hpa: [870, 1090],
  qfe_hpa: [500, 1085],
  maxt6_c: [-90, 57],
  mint6_c: [-90, 57],
  maxt24_c: [-90, 57],
  mint24_c: [-90, 57],
  pcp1h_in: [0, 12],
  pcp3h_in: [0, 45],
  pcp6h_in: [0, 45],
  pcp24h_in: [0, 72],
  snow_in: [0, 466],
  snow_inc_in: [0, 12],
  ice1h_in: [0, 8],
  ice3h_in: [0, 8],
  ice6h_in: [0, 8],
  ptend_hpa: [-30, 30],
};

/** Every reason why no station can have observed these fields; empty where one can. */
export function impossibilities(fields: Decoded): string[] {
  const found: string[] = [];
  for (const [name, [lowest, highest]] of Object.entries(BOUNDS)) {
    const value = fields[name as keyof Decoded];
    if (value !== undefined && !(Number(value) >= lowest && Number(value) <= highest))
      found.push(`${name} ${value}`);
  }
  const expect = (holds: boolean, reason: string) => holds || found.push(reason);
  expect(atMost(number(fields.dewp_c), number(fields.temp_c), 1), 'dew point above temperature');
  windReasons(fields, expect);
  for (const { base_ft = 0, type } of fields.clouds ?? [])
    expect(base_ft <= (type === undefined ? 50_000 : 20_000), `cloud base ${base_ft}`);
  for (const { rwy, min_m = 25, max_m = 4000, min_ft = 100, max_ft = 6500 } of fields.rvr ?? []) {
    expect(min_m >= 25 && max_m <= 4000 && min_ft >= 100 && max_ft <= 6500, 'runway visual range');
    expect(min_m <= max_m && min_ft <= max_ft, 'runway visual range in reverse');
    expect(/^(?:0[1-9]|[12]\d|3[0-6])/.test(rwy), `runway ${rwy}`);
  }
  expect(atMost(fields.visib_min_m, fields.visib_m), 'lowest visibility above the prevailing one');
  extremeReasons(fields, expect);
  return found;
}

type Expect = (holds: boolean, reason: string) => unknown;

const number = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);

const atMost = (value: number | undefined, highest: number | undefined, excess = 0): boolean =>
  value === undefined || highest === undefined || value <= highest + excess;

function windReasons(fields: Decoded, expect: Expect): void {
  const { wdir, wspd_kt, wgst_kt, wgst_above, wdir_from, wdir_to } = fields;
  if (wdir === 0) expect((wspd_kt ?? 0) === 0, 'direction 0 with a speed');
  if (wgst_kt !== undefined && wspd_kt !== undefined)
    expect(wgst_kt > wspd_kt || wgst_above === true, 'gust not above the speed');
  if (wdir_from === undefined || wdir_to === undefined) return;
  expect(wdir_from !== wdir_to && wdir_from <= 360 && wdir_to <= 360, 'variation');
  if (wdir === undefined) return;
  const end = wdir_to > wdir_from ? wdir_to : wdir_to + 360;
  const mean = [wdir, wdir + 360].some((turn) => turn >= wdir_from - 10 && turn <= end + 10);
  expect(mean, 'mean direction outside its extremes');
}

function extremeReasons(fields: Decoded, expect: Expect): void {
  const { maxt6_c, mint6_c, maxt24_c, mint24_c, pcp1h_in, pcp24h_in, pk_wspd_kt, altim_hpa, slp_hpa } =
    fields;
  const temperature = number(fields.temp_c);
  for (const highest of [maxt6_c, maxt24_c])
    expect(atMost(temperature, highest, 1), 'temperature above maximum');
  for (const lowest of [mint6_c, mint24_c])
    expect(atMost(lowest, temperature, 1), 'temperature below minimum');
  expect(atMost(mint6_c, maxt6_c) && atMost(mint24_c, maxt24_c), 'minimum above maximum');
  expect(atMost(maxt6_c, maxt24_c) && atMost(mint24_c, mint6_c), 'six hours beyond the day');
  const severalHours = fields.pcp6h_in ?? fields.pcp3h_in;
  expect(atMost(pcp1h_in, severalHours) && atMost(severalHours, pcp24h_in), 'amounts');
  expect(atMost(fields.wgst_kt, pk_wspd_kt, 1), 'gust above the peak wind');
  if (altim_hpa !== undefined && slp_hpa !== undefined)
    expect(Math.abs(altim_hpa - slp_hpa) <= 30, 'pressures far apart');
}
