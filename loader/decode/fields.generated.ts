/* Written by `npm run generate` from the list of fields: do not edit. */
import type { Decoded } from '../../clickhouse/model/fields.ts';

/** The fields of a report while it is read: every key is present, `undefined` until a group gives the field. */
export type Fields = { -readonly [Name in keyof Required<Decoded>]: Decoded[Name] | undefined } & {
  cavok: boolean;
};

export function emptyFields(): Fields {
  return {
    cavok: false,
    temp_c: undefined,
    dewp_c: undefined,
    wdir: undefined,
    wdir_vrb: undefined,
    wdir_from: undefined,
    wdir_to: undefined,
    wspd_kt: undefined,
    wgst_kt: undefined,
    wspd_above: undefined,
    wgst_above: undefined,
    visib_m: undefined,
    visib_sm: undefined,
    visib_mod: undefined,
    visib_min_m: undefined,
    visib_min_dir: undefined,
    rvr: undefined,
    wx: undefined,
    wx_missing: undefined,
    rewx: undefined,
    clouds: undefined,
    vvis_ft: undefined,
    altim_hpa: undefined,
    altim_inhg: undefined,
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
    hail_in: undefined,
    ice1h_in: undefined,
    ice1h_trace: undefined,
    ice3h_in: undefined,
    ice3h_trace: undefined,
    ice6h_in: undefined,
    ice6h_trace: undefined,
    sun_min: undefined,
    ptend: undefined,
    ptend_hpa: undefined,
    pk_wdir: undefined,
    pk_wspd_kt: undefined,
    pk_time: undefined,
    ts_remark: undefined,
    presrr: undefined,
    presfr: undefined,
    maint: undefined,
    pno: undefined,
    tsno: undefined,
    station_type: undefined,
    auto: undefined,
    cor: undefined,
    cor_number: undefined,
    nil: undefined,
    trend: undefined,
    rwy_state: undefined,
    colour: undefined,
    sea: undefined,
    fltcat: undefined,
    ws: undefined,
    convective: undefined,
    clouds_unknown: undefined,
  };
}

/** The fields that a report gave, and no other keys (D9). */
export function presentFields(fields: Readonly<Fields>): Decoded {
  const isAmerican = fields.wdir !== undefined && fields.wspd_kt !== undefined && fields.visib_m !== undefined && fields.clouds !== undefined && fields.temp_c !== undefined && fields.dewp_c !== undefined && fields.altim_hpa !== undefined && fields.fltcat !== undefined && fields.visib_sm !== undefined && fields.altim_inhg !== undefined;
  const present: { -readonly [Name in keyof Decoded]: Decoded[Name] } =
    isAmerican ? { cavok: fields.cavok, wdir: fields.wdir, wspd_kt: fields.wspd_kt, visib_m: fields.visib_m, clouds: fields.clouds, temp_c: fields.temp_c, dewp_c: fields.dewp_c, altim_hpa: fields.altim_hpa, fltcat: fields.fltcat, visib_sm: fields.visib_sm, altim_inhg: fields.altim_inhg }
    : fields.wdir !== undefined && fields.wspd_kt !== undefined && fields.visib_m !== undefined && fields.clouds !== undefined && fields.temp_c !== undefined && fields.dewp_c !== undefined && fields.altim_hpa !== undefined && fields.fltcat !== undefined ? { cavok: fields.cavok, wdir: fields.wdir, wspd_kt: fields.wspd_kt, visib_m: fields.visib_m, clouds: fields.clouds, temp_c: fields.temp_c, dewp_c: fields.dewp_c, altim_hpa: fields.altim_hpa, fltcat: fields.fltcat }
    : { cavok: fields.cavok };
  if (!isAmerican) {
  if (fields.wdir !== undefined) present.wdir = fields.wdir;
  if (fields.wspd_kt !== undefined) present.wspd_kt = fields.wspd_kt;
  if (fields.visib_m !== undefined) present.visib_m = fields.visib_m;
  if (fields.clouds !== undefined) present.clouds = fields.clouds;
  if (fields.temp_c !== undefined) present.temp_c = fields.temp_c;
  if (fields.dewp_c !== undefined) present.dewp_c = fields.dewp_c;
  if (fields.altim_hpa !== undefined) present.altim_hpa = fields.altim_hpa;
  if (fields.fltcat !== undefined) present.fltcat = fields.fltcat;
  if (fields.visib_sm !== undefined) present.visib_sm = fields.visib_sm;
  if (fields.altim_inhg !== undefined) present.altim_inhg = fields.altim_inhg;
  }
  if (fields.wdir_vrb !== undefined) present.wdir_vrb = fields.wdir_vrb;
  if (fields.wdir_from !== undefined) present.wdir_from = fields.wdir_from;
  if (fields.wdir_to !== undefined) present.wdir_to = fields.wdir_to;
  if (fields.wgst_kt !== undefined) present.wgst_kt = fields.wgst_kt;
  if (fields.wspd_above !== undefined) present.wspd_above = fields.wspd_above;
  if (fields.wgst_above !== undefined) present.wgst_above = fields.wgst_above;
  if (fields.visib_mod !== undefined) present.visib_mod = fields.visib_mod;
  if (fields.visib_min_m !== undefined) present.visib_min_m = fields.visib_min_m;
  if (fields.visib_min_dir !== undefined) present.visib_min_dir = fields.visib_min_dir;
  if (fields.rvr !== undefined) present.rvr = fields.rvr;
  if (fields.wx !== undefined) present.wx = fields.wx;
  if (fields.wx_missing !== undefined) present.wx_missing = fields.wx_missing;
  if (fields.rewx !== undefined) present.rewx = fields.rewx;
  if (fields.vvis_ft !== undefined) present.vvis_ft = fields.vvis_ft;
  if (fields.slp_hpa !== undefined) present.slp_hpa = fields.slp_hpa;
  if (fields.qfe_hpa !== undefined) present.qfe_hpa = fields.qfe_hpa;
  if (fields.maxt6_c !== undefined) present.maxt6_c = fields.maxt6_c;
  if (fields.mint6_c !== undefined) present.mint6_c = fields.mint6_c;
  if (fields.maxt24_c !== undefined) present.maxt24_c = fields.maxt24_c;
  if (fields.mint24_c !== undefined) present.mint24_c = fields.mint24_c;
  if (fields.pcp1h_in !== undefined) present.pcp1h_in = fields.pcp1h_in;
  if (fields.pcp1h_trace !== undefined) present.pcp1h_trace = fields.pcp1h_trace;
  if (fields.pcp3h_in !== undefined) present.pcp3h_in = fields.pcp3h_in;
  if (fields.pcp3h_trace !== undefined) present.pcp3h_trace = fields.pcp3h_trace;
  if (fields.pcp6h_in !== undefined) present.pcp6h_in = fields.pcp6h_in;
  if (fields.pcp6h_trace !== undefined) present.pcp6h_trace = fields.pcp6h_trace;
  if (fields.pcp24h_in !== undefined) present.pcp24h_in = fields.pcp24h_in;
  if (fields.pcp24h_trace !== undefined) present.pcp24h_trace = fields.pcp24h_trace;
  if (fields.snow_in !== undefined) present.snow_in = fields.snow_in;
  if (fields.snow_inc_in !== undefined) present.snow_inc_in = fields.snow_inc_in;
  if (fields.swe_in !== undefined) present.swe_in = fields.swe_in;
  if (fields.hail_in !== undefined) present.hail_in = fields.hail_in;
  if (fields.ice1h_in !== undefined) present.ice1h_in = fields.ice1h_in;
  if (fields.ice1h_trace !== undefined) present.ice1h_trace = fields.ice1h_trace;
  if (fields.ice3h_in !== undefined) present.ice3h_in = fields.ice3h_in;
  if (fields.ice3h_trace !== undefined) present.ice3h_trace = fields.ice3h_trace;
  if (fields.ice6h_in !== undefined) present.ice6h_in = fields.ice6h_in;
  if (fields.ice6h_trace !== undefined) present.ice6h_trace = fields.ice6h_trace;
  if (fields.sun_min !== undefined) present.sun_min = fields.sun_min;
  if (fields.ptend !== undefined) present.ptend = fields.ptend;
  if (fields.ptend_hpa !== undefined) present.ptend_hpa = fields.ptend_hpa;
  if (fields.pk_wdir !== undefined) present.pk_wdir = fields.pk_wdir;
  if (fields.pk_wspd_kt !== undefined) present.pk_wspd_kt = fields.pk_wspd_kt;
  if (fields.pk_time !== undefined) present.pk_time = fields.pk_time;
  if (fields.ts_remark !== undefined) present.ts_remark = fields.ts_remark;
  if (fields.presrr !== undefined) present.presrr = fields.presrr;
  if (fields.presfr !== undefined) present.presfr = fields.presfr;
  if (fields.maint !== undefined) present.maint = fields.maint;
  if (fields.pno !== undefined) present.pno = fields.pno;
  if (fields.tsno !== undefined) present.tsno = fields.tsno;
  if (fields.station_type !== undefined) present.station_type = fields.station_type;
  if (fields.auto !== undefined) present.auto = fields.auto;
  if (fields.cor !== undefined) present.cor = fields.cor;
  if (fields.cor_number !== undefined) present.cor_number = fields.cor_number;
  if (fields.nil !== undefined) present.nil = fields.nil;
  if (fields.trend !== undefined) present.trend = fields.trend;
  if (fields.rwy_state !== undefined) present.rwy_state = fields.rwy_state;
  if (fields.colour !== undefined) present.colour = fields.colour;
  if (fields.sea !== undefined) present.sea = fields.sea;
  if (fields.ws !== undefined) present.ws = fields.ws;
  if (fields.convective !== undefined) present.convective = fields.convective;
  if (fields.clouds_unknown !== undefined) present.clouds_unknown = fields.clouds_unknown;
  return present;
}
