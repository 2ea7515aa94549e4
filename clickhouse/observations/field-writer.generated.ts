/* Written by `npm run generate` from the list of fields: do not edit. */
import type { DerivedValues } from '../model/derived-fields.ts';
import type { PartialDecoded } from '../model/fields.ts';
import {
  ArrayWriter, hundredths, NullableStringWriter, NumberWriter, numberOf, StringWriter, TupleWriter, tenths,
} from './native-columns.ts';

type FieldColumns = ReturnType<typeof newFieldColumns>;

export function newFieldColumns() {
  return {
    temp_c: new NumberWriter("Nullable(Decimal(9, 2))"),
    dewp_c: new NumberWriter("Nullable(Decimal(9, 2))"),
    wdir: new NumberWriter("Nullable(UInt16)"),
    wdir_vrb: new NumberWriter("Nullable(Bool)"),
    wdir_from: new NumberWriter("Nullable(UInt16)"),
    wdir_to: new NumberWriter("Nullable(UInt16)"),
    wspd_kt: new NumberWriter("Nullable(UInt16)"),
    wgst_kt: new NumberWriter("Nullable(UInt16)"),
    wspd_above: new NumberWriter("Nullable(Bool)"),
    wgst_above: new NumberWriter("Nullable(Bool)"),
    visib_m: new NumberWriter("Nullable(UInt32)"),
    visib_sm: new NumberWriter("Nullable(Float32)"),
    visib_mod: new NumberWriter("Nullable(Enum8('M' = 1, 'P' = 2))"),
    visib_min_m: new NumberWriter("Nullable(UInt32)"),
    visib_min_dir: new NullableStringWriter(),
    rvr: new ArrayWriter(new TupleWriter({ rwy: new StringWriter(), min_m: new NumberWriter("Nullable(UInt16)"), max_m: new NumberWriter("Nullable(UInt16)"), min_ft: new NumberWriter("Nullable(UInt16)"), max_ft: new NumberWriter("Nullable(UInt16)"), mod: new NumberWriter("Nullable(Enum8('M' = 1, 'P' = 2, 'MP' = 3))"), trend: new NumberWriter("Nullable(Enum8('U' = 1, 'D' = 2, 'N' = 3))") })),
    wx: new NullableStringWriter(),
    wx_missing: new NumberWriter("Nullable(Bool)"),
    rewx: new NullableStringWriter(),
    clouds: new ArrayWriter(new TupleWriter({ cover: new NumberWriter("Enum8('FEW' = 1, 'SCT' = 2, 'BKN' = 3, 'OVC' = 4, 'VV' = 5, 'SKC' = 6, 'CLR' = 7, 'NSC' = 8, 'NCD' = 9)"), base_ft: new NumberWriter("Nullable(UInt32)"), type: new NumberWriter("Nullable(Enum8('CB' = 1, 'TCU' = 2))") })),
    vvis_ft: new NumberWriter("Nullable(UInt32)"),
    cavok: new NumberWriter("Nullable(Bool)"),
    altim_hpa: new NumberWriter("Nullable(Float32)"),
    altim_inhg: new NumberWriter("Nullable(Float32)"),
    slp_hpa: new NumberWriter("Nullable(Float32)"),
    qfe_hpa: new NumberWriter("Nullable(Float32)"),
    maxt6_c: new NumberWriter("Nullable(Float32)"),
    mint6_c: new NumberWriter("Nullable(Float32)"),
    maxt24_c: new NumberWriter("Nullable(Float32)"),
    mint24_c: new NumberWriter("Nullable(Float32)"),
    pcp1h_in: new NumberWriter("Nullable(Float32)"),
    pcp1h_trace: new NumberWriter("Nullable(Bool)"),
    pcp3h_in: new NumberWriter("Nullable(Float32)"),
    pcp3h_trace: new NumberWriter("Nullable(Bool)"),
    pcp6h_in: new NumberWriter("Nullable(Float32)"),
    pcp6h_trace: new NumberWriter("Nullable(Bool)"),
    pcp24h_in: new NumberWriter("Nullable(Float32)"),
    pcp24h_trace: new NumberWriter("Nullable(Bool)"),
    snow_in: new NumberWriter("Nullable(Float32)"),
    snow_inc_in: new NumberWriter("Nullable(Float32)"),
    swe_in: new NumberWriter("Nullable(Float32)"),
    hail_in: new NumberWriter("Nullable(Float32)"),
    ice1h_in: new NumberWriter("Nullable(Float32)"),
    ice1h_trace: new NumberWriter("Nullable(Bool)"),
    ice3h_in: new NumberWriter("Nullable(Float32)"),
    ice3h_trace: new NumberWriter("Nullable(Bool)"),
    ice6h_in: new NumberWriter("Nullable(Float32)"),
    ice6h_trace: new NumberWriter("Nullable(Bool)"),
    sun_min: new NumberWriter("Nullable(UInt16)"),
    ptend: new NumberWriter("Nullable(UInt8)"),
    ptend_hpa: new NumberWriter("Nullable(Float32)"),
    pk_wdir: new NumberWriter("Nullable(UInt16)"),
    pk_wspd_kt: new NumberWriter("Nullable(UInt16)"),
    pk_time: new NullableStringWriter(),
    ts_remark: new NumberWriter("Nullable(Bool)"),
    presrr: new NumberWriter("Nullable(Bool)"),
    presfr: new NumberWriter("Nullable(Bool)"),
    maint: new NumberWriter("Nullable(Bool)"),
    pno: new NumberWriter("Nullable(Bool)"),
    tsno: new NumberWriter("Nullable(Bool)"),
    station_type: new NumberWriter("Nullable(Enum8('AO1' = 1, 'AO2' = 2))"),
    auto: new NumberWriter("Nullable(Bool)"),
    cor: new NumberWriter("Nullable(Bool)"),
    cor_number: new NumberWriter("Nullable(UInt8)"),
    nil: new NumberWriter("Nullable(Bool)"),
    trend: new NullableStringWriter(),
    rwy_state: new NullableStringWriter(),
    colour: new NullableStringWriter(),
    sea: new NullableStringWriter(),
    fltcat: new NumberWriter("Nullable(Enum8('VFR' = 1, 'MVFR' = 2, 'IFR' = 3, 'LIFR' = 4))"),
    ws: new NullableStringWriter(),
    convective: new NumberWriter("Nullable(Enum8('CB' = 1, 'TCU' = 2))"),
    clouds_unknown: new NullableStringWriter(),
    ceiling_ft: new NumberWriter("Nullable(Float32)"),
    rh_pct: new NumberWriter("Nullable(Decimal(9, 1))"),
    rvr_min_m: new NumberWriter("Nullable(Float32)"),
    fog: new NumberWriter("Nullable(Bool)"),
    thunder: new NumberWriter("Nullable(Bool)"),
    thunder_vicinity: new NumberWriter("Nullable(Bool)"),
    snow: new NumberWriter("Nullable(Bool)"),
    rain: new NumberWriter("Nullable(Bool)"),
    freezing: new NumberWriter("Nullable(Bool)"),
    hail: new NumberWriter("Nullable(Bool)"),
    dust: new NumberWriter("Nullable(Bool)"),
  };
}

/** A field that the report does not give is `undefined`. */
export function putDecoded(columns: FieldColumns, row: number, decoded: Partial<PartialDecoded>): void {
  columns.temp_c.put(row, hundredths(decoded.temp_c));
  columns.dewp_c.put(row, hundredths(decoded.dewp_c));
  columns.wdir.put(row, decoded.wdir);
  columns.wdir_vrb.put(row, numberOf(decoded.wdir_vrb));
  columns.wdir_from.put(row, decoded.wdir_from);
  columns.wdir_to.put(row, decoded.wdir_to);
  columns.wspd_kt.put(row, decoded.wspd_kt);
  columns.wgst_kt.put(row, decoded.wgst_kt);
  columns.wspd_above.put(row, numberOf(decoded.wspd_above));
  columns.wgst_above.put(row, numberOf(decoded.wgst_above));
  columns.visib_m.put(row, decoded.visib_m);
  columns.visib_sm.put(row, decoded.visib_sm);
  columns.visib_mod.put(row, CHOICE_1[decoded.visib_mod ?? '']);
  columns.visib_min_m.put(row, decoded.visib_min_m);
  columns.visib_min_dir.put(row, decoded.visib_min_dir);
  if (decoded.rvr !== undefined) for (const item of decoded.rvr) {
    const at = columns.rvr.next();
    columns.rvr.items.elements.rwy.put(at, item.rwy);
    columns.rvr.items.elements.min_m.put(at, item.min_m);
    columns.rvr.items.elements.max_m.put(at, item.max_m);
    columns.rvr.items.elements.min_ft.put(at, item.min_ft);
    columns.rvr.items.elements.max_ft.put(at, item.max_ft);
    columns.rvr.items.elements.mod.put(at, CHOICE_2[item.mod ?? '']);
    columns.rvr.items.elements.trend.put(at, CHOICE_3[item.trend ?? '']);
  }
  columns.rvr.end(row);
  columns.wx.put(row, decoded.wx);
  columns.wx_missing.put(row, numberOf(decoded.wx_missing));
  columns.rewx.put(row, decoded.rewx);
  if (decoded.clouds !== undefined) for (const item of decoded.clouds) {
    const at = columns.clouds.next();
    columns.clouds.items.elements.cover.put(at, CHOICE_4[item.cover ?? '']);
    columns.clouds.items.elements.base_ft.put(at, item.base_ft);
    columns.clouds.items.elements.type.put(at, CHOICE_5[item.type ?? '']);
  }
  columns.clouds.end(row);
  columns.vvis_ft.put(row, decoded.vvis_ft);
  columns.cavok.put(row, numberOf(decoded.cavok));
  columns.altim_hpa.put(row, decoded.altim_hpa);
  columns.altim_inhg.put(row, decoded.altim_inhg);
  columns.slp_hpa.put(row, decoded.slp_hpa);
  columns.qfe_hpa.put(row, decoded.qfe_hpa);
  columns.maxt6_c.put(row, decoded.maxt6_c);
  columns.mint6_c.put(row, decoded.mint6_c);
  columns.maxt24_c.put(row, decoded.maxt24_c);
  columns.mint24_c.put(row, decoded.mint24_c);
  columns.pcp1h_in.put(row, decoded.pcp1h_in);
  columns.pcp1h_trace.put(row, numberOf(decoded.pcp1h_trace));
  columns.pcp3h_in.put(row, decoded.pcp3h_in);
  columns.pcp3h_trace.put(row, numberOf(decoded.pcp3h_trace));
  columns.pcp6h_in.put(row, decoded.pcp6h_in);
  columns.pcp6h_trace.put(row, numberOf(decoded.pcp6h_trace));
  columns.pcp24h_in.put(row, decoded.pcp24h_in);
  columns.pcp24h_trace.put(row, numberOf(decoded.pcp24h_trace));
  columns.snow_in.put(row, decoded.snow_in);
  columns.snow_inc_in.put(row, decoded.snow_inc_in);
  columns.swe_in.put(row, decoded.swe_in);
  columns.hail_in.put(row, decoded.hail_in);
  columns.ice1h_in.put(row, decoded.ice1h_in);
  columns.ice1h_trace.put(row, numberOf(decoded.ice1h_trace));
  columns.ice3h_in.put(row, decoded.ice3h_in);
  columns.ice3h_trace.put(row, numberOf(decoded.ice3h_trace));
  columns.ice6h_in.put(row, decoded.ice6h_in);
  columns.ice6h_trace.put(row, numberOf(decoded.ice6h_trace));
  columns.sun_min.put(row, decoded.sun_min);
  columns.ptend.put(row, decoded.ptend);
  columns.ptend_hpa.put(row, decoded.ptend_hpa);
  columns.pk_wdir.put(row, decoded.pk_wdir);
  columns.pk_wspd_kt.put(row, decoded.pk_wspd_kt);
  columns.pk_time.put(row, decoded.pk_time);
  columns.ts_remark.put(row, numberOf(decoded.ts_remark));
  columns.presrr.put(row, numberOf(decoded.presrr));
  columns.presfr.put(row, numberOf(decoded.presfr));
  columns.maint.put(row, numberOf(decoded.maint));
  columns.pno.put(row, numberOf(decoded.pno));
  columns.tsno.put(row, numberOf(decoded.tsno));
  columns.station_type.put(row, CHOICE_6[decoded.station_type ?? '']);
  columns.auto.put(row, numberOf(decoded.auto));
  columns.cor.put(row, numberOf(decoded.cor));
  columns.cor_number.put(row, decoded.cor_number);
  columns.nil.put(row, numberOf(decoded.nil));
  columns.trend.put(row, decoded.trend);
  columns.rwy_state.put(row, decoded.rwy_state);
  columns.colour.put(row, decoded.colour);
  columns.sea.put(row, decoded.sea);
  columns.fltcat.put(row, CHOICE_7[decoded.fltcat ?? '']);
  columns.ws.put(row, decoded.ws);
  columns.convective.put(row, CHOICE_5[decoded.convective ?? '']);
  columns.clouds_unknown.put(row, decoded.clouds_unknown);
}

export function putDerived(columns: FieldColumns, row: number, derived: DerivedValues): void {
  columns.ceiling_ft.put(row, numberOf(derived[0]));
  columns.rh_pct.put(row, tenths(derived[1]));
  columns.rvr_min_m.put(row, numberOf(derived[2]));
  columns.fog.put(row, numberOf(derived[3]));
  columns.thunder.put(row, numberOf(derived[4]));
  columns.thunder_vicinity.put(row, numberOf(derived[5]));
  columns.snow.put(row, numberOf(derived[6]));
  columns.rain.put(row, numberOf(derived[7]));
  columns.freezing.put(row, numberOf(derived[8]));
  columns.hail.put(row, numberOf(derived[9]));
  columns.dust.put(row, numberOf(derived[10]));
}

/** The numbers of values in the archive. */
const CHOICE_1: Readonly<Record<string, number>> = { 'M': 1, 'P': 2 };
const CHOICE_2: Readonly<Record<string, number>> = { 'M': 1, 'P': 2, 'MP': 3 };
const CHOICE_3: Readonly<Record<string, number>> = { 'U': 1, 'D': 2, 'N': 3 };
const CHOICE_4: Readonly<Record<string, number>> = { 'FEW': 1, 'SCT': 2, 'BKN': 3, 'OVC': 4, 'VV': 5, 'SKC': 6, 'CLR': 7, 'NSC': 8, 'NCD': 9 };
const CHOICE_5: Readonly<Record<string, number>> = { 'CB': 1, 'TCU': 2 };
const CHOICE_6: Readonly<Record<string, number>> = { 'AO1': 1, 'AO2': 2 };
const CHOICE_7: Readonly<Record<string, number>> = { 'VFR': 1, 'MVFR': 2, 'IFR': 3, 'LIFR': 4 };
