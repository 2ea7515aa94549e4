import type { Decoded } from '../../clickhouse/model/fields.ts';

/**
 * The fields of a report while it is read: all of them, unset until a group gives them. One shape for every
 * report is what makes the readers fast: an object that grew field by field would take thousands of shapes, and
 * each assignment would have to look its own up. The price is the listing below, which the type keeps complete.
 */
export type Fields = { -readonly [Name in keyof Required<Decoded>]: Decoded[Name] | undefined } & {
  cavok: boolean;
};

export const noFields = (): Fields => ({
  cavok: false,
  wdir: undefined,
  wspd_kt: undefined,
  visib_m: undefined,
  clouds: undefined,
  temp_c: undefined,
  dewp_c: undefined,
  altim_hpa: undefined,
  visib_sm: undefined,
  altim_inhg: undefined,
  wdir_vrb: undefined,
  wdir_from: undefined,
  wdir_to: undefined,
  wgst_kt: undefined,
  wspd_above: undefined,
  wgst_above: undefined,
  visib_mod: undefined,
  visib_min_m: undefined,
  visib_min_dir: undefined,
  rvr: undefined,
  wx: undefined,
  rewx: undefined,
  vvis_ft: undefined,
  slp_hpa: undefined,
  qfe_hpa: undefined,
  maxt6_c: undefined,
  mint6_c: undefined,
  maxt24_c: undefined,
  mint24_c: undefined,
  pcp1h_in: undefined,
  pcp1h_trace: undefined,
  pcp3h_in: undefined,
  pcp3h_trace: undefined,
  pcp6h_in: undefined,
  pcp6h_trace: undefined,
  pcp24h_in: undefined,
  pcp24h_trace: undefined,
  snow_in: undefined,
  snow_inc_in: undefined,
  swe_in: undefined,
  ice1h_in: undefined,
  ice3h_in: undefined,
  ice6h_in: undefined,
  ptend: undefined,
  ptend_hpa: undefined,
  pk_wdir: undefined,
  pk_wspd_kt: undefined,
  pk_time: undefined,
  presrr: undefined,
  presfr: undefined,
  maint: undefined,
  station_type: undefined,
  auto: undefined,
  cor: undefined,
  nil: undefined,
  trend: undefined,
  rwy_state: undefined,
  colour: undefined,
  sea: undefined,
  fltcat: undefined,
  ws: undefined,
  convective: undefined,
});

type Given = { -readonly [Name in keyof Decoded]: Decoded[Name] };

/** The fields that a report gave, and no key beside them (D9). */
export function given(fields: Fields): Decoded {
  const given = usual(fields);
  if (fields.wdir_vrb !== undefined) given.wdir_vrb = fields.wdir_vrb;
  if (fields.wdir_from !== undefined) given.wdir_from = fields.wdir_from;
  if (fields.wdir_to !== undefined) given.wdir_to = fields.wdir_to;
  if (fields.wgst_kt !== undefined) given.wgst_kt = fields.wgst_kt;
  if (fields.wspd_above !== undefined) given.wspd_above = fields.wspd_above;
  if (fields.wgst_above !== undefined) given.wgst_above = fields.wgst_above;
  if (fields.visib_mod !== undefined) given.visib_mod = fields.visib_mod;
  if (fields.visib_min_m !== undefined) given.visib_min_m = fields.visib_min_m;
  if (fields.visib_min_dir !== undefined) given.visib_min_dir = fields.visib_min_dir;
  if (fields.rvr !== undefined) given.rvr = fields.rvr;
  if (fields.wx !== undefined) given.wx = fields.wx;
  if (fields.rewx !== undefined) given.rewx = fields.rewx;
  if (fields.vvis_ft !== undefined) given.vvis_ft = fields.vvis_ft;
  if (fields.slp_hpa !== undefined) given.slp_hpa = fields.slp_hpa;
  if (fields.qfe_hpa !== undefined) given.qfe_hpa = fields.qfe_hpa;
  if (fields.maxt6_c !== undefined) given.maxt6_c = fields.maxt6_c;
  if (fields.mint6_c !== undefined) given.mint6_c = fields.mint6_c;
  if (fields.maxt24_c !== undefined) given.maxt24_c = fields.maxt24_c;
  if (fields.mint24_c !== undefined) given.mint24_c = fields.mint24_c;
  if (fields.pcp1h_in !== undefined) given.pcp1h_in = fields.pcp1h_in;
  if (fields.pcp1h_trace !== undefined) given.pcp1h_trace = fields.pcp1h_trace;
  if (fields.pcp3h_in !== undefined) given.pcp3h_in = fields.pcp3h_in;
  if (fields.pcp3h_trace !== undefined) given.pcp3h_trace = fields.pcp3h_trace;
  if (fields.pcp6h_in !== undefined) given.pcp6h_in = fields.pcp6h_in;
  if (fields.pcp6h_trace !== undefined) given.pcp6h_trace = fields.pcp6h_trace;
  if (fields.pcp24h_in !== undefined) given.pcp24h_in = fields.pcp24h_in;
  if (fields.pcp24h_trace !== undefined) given.pcp24h_trace = fields.pcp24h_trace;
  if (fields.snow_in !== undefined) given.snow_in = fields.snow_in;
  if (fields.snow_inc_in !== undefined) given.snow_inc_in = fields.snow_inc_in;
  if (fields.swe_in !== undefined) given.swe_in = fields.swe_in;
  if (fields.ice1h_in !== undefined) given.ice1h_in = fields.ice1h_in;
  if (fields.ice3h_in !== undefined) given.ice3h_in = fields.ice3h_in;
  if (fields.ice6h_in !== undefined) given.ice6h_in = fields.ice6h_in;
  if (fields.ptend !== undefined) given.ptend = fields.ptend;
  if (fields.ptend_hpa !== undefined) given.ptend_hpa = fields.ptend_hpa;
  if (fields.pk_wdir !== undefined) given.pk_wdir = fields.pk_wdir;
  if (fields.pk_wspd_kt !== undefined) given.pk_wspd_kt = fields.pk_wspd_kt;
  if (fields.pk_time !== undefined) given.pk_time = fields.pk_time;
  if (fields.presrr !== undefined) given.presrr = fields.presrr;
  if (fields.presfr !== undefined) given.presfr = fields.presfr;
  if (fields.maint !== undefined) given.maint = fields.maint;
  if (fields.station_type !== undefined) given.station_type = fields.station_type;
  if (fields.auto !== undefined) given.auto = fields.auto;
  if (fields.cor !== undefined) given.cor = fields.cor;
  if (fields.nil !== undefined) given.nil = fields.nil;
  if (fields.trend !== undefined) given.trend = fields.trend;
  if (fields.rwy_state !== undefined) given.rwy_state = fields.rwy_state;
  if (fields.colour !== undefined) given.colour = fields.colour;
  if (fields.sea !== undefined) given.sea = fields.sea;
  if (fields.fltcat !== undefined) given.fltcat = fields.fltcat;
  if (fields.ws !== undefined) given.ws = fields.ws;
  if (fields.convective !== undefined) given.convective = fields.convective;
  return given;
}

/** Three reports in four give all of the first seven: made in one piece, they cost what one of the others costs. */
function usual(fields: Fields): Given {
  const { cavok, wdir, wspd_kt, visib_m, visib_sm, clouds, temp_c, dewp_c, altim_hpa, altim_inhg } = fields;
  const complete =
    wdir !== undefined &&
    wspd_kt !== undefined &&
    visib_m !== undefined &&
    clouds !== undefined &&
    temp_c !== undefined &&
    dewp_c !== undefined &&
    altim_hpa !== undefined;
  if (complete && visib_sm !== undefined && altim_inhg !== undefined) {
    return { cavok, wdir, wspd_kt, visib_m, clouds, temp_c, dewp_c, altim_hpa, visib_sm, altim_inhg };
  }
  const given: Given = complete
    ? { cavok, wdir, wspd_kt, visib_m, clouds, temp_c, dewp_c, altim_hpa }
    : { cavok };
  if (!complete) {
    if (wdir !== undefined) given.wdir = wdir;
    if (wspd_kt !== undefined) given.wspd_kt = wspd_kt;
    if (visib_m !== undefined) given.visib_m = visib_m;
    if (clouds !== undefined) given.clouds = clouds;
    if (temp_c !== undefined) given.temp_c = temp_c;
    if (dewp_c !== undefined) given.dewp_c = dewp_c;
    if (altim_hpa !== undefined) given.altim_hpa = altim_hpa;
  }
  if (visib_sm !== undefined) given.visib_sm = visib_sm;
  if (altim_inhg !== undefined) given.altim_inhg = altim_inhg;
  return given;
}
