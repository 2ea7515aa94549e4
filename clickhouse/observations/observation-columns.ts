import { ArrayColumn, TupleColumn } from './native/nested.ts';
import { NumberColumn } from './native/numbers.ts';
import { NullableStringColumn, StringColumn } from './native/strings.ts';

/** As the Enum8 of the table number them, from 1 on. */
export const TYPES = ['METAR', 'SPECI'];
export const MODS = ['M', 'P'];
export const RANGE_MODS = ['M', 'P', 'MP'];
export const COVERS = ['FEW', 'SCT', 'BKN', 'OVC', 'VV', 'SKC', 'CLR', 'NSC', 'NCD'];
export const CLOUD_TYPES = ['CB', 'TCU'];
export const TRENDS = ['U', 'D', 'N'];
export const STATION_TYPES = ['AO1', 'AO2'];
export const CATEGORIES = ['VFR', 'MVFR', 'IFR', 'LIFR'];

const uint16 = () => new NumberColumn('UInt16', 2, 'given');
const uint32 = () => new NumberColumn('UInt32', 4, 'given');
const bool = () => new NumberColumn('Bool', 1, 'given');
const enum8 = (members: readonly string[]) => new NumberColumn(enumOf(members), 1, 'given');
const uint8OrNull = () => new NumberColumn('UInt8', 1, 'nullable');
const uint16OrNull = () => new NumberColumn('UInt16', 2, 'nullable');
const uint32OrNull = () => new NumberColumn('UInt32', 4, 'nullable');
const float32OrNull = () => new NumberColumn('Float32', 4, 'nullable');
const tenthsOrNull = () => new NumberColumn('Decimal(9, 1)', 4, 'nullable');
const flag = () => new NumberColumn('Bool', 1, 'nullable');
const enum8OrNull = (members: readonly string[]) => new NumberColumn(enumOf(members), 1, 'nullable');
const stringOrNull = () => new NullableStringColumn();

function enumOf(members: readonly string[]): string {
  return `Enum8(${members.map((member, at) => `'${member}' = ${at + 1}`).join(', ')})`;
}

function newDecoded() {
  return new TupleColumn({
    temp_c: tenthsOrNull(),
    dewp_c: tenthsOrNull(),
    wdir: uint16OrNull(),
    wdir_vrb: flag(),
    wdir_from: uint16OrNull(),
    wdir_to: uint16OrNull(),
    wspd_kt: uint16OrNull(),
    wgst_kt: uint16OrNull(),
    wspd_above: flag(),
    wgst_above: flag(),
    visib_m: uint32OrNull(),
    visib_sm: float32OrNull(),
    visib_mod: enum8OrNull(MODS),
    visib_min_m: uint32OrNull(),
    visib_min_dir: stringOrNull(),
    rvr: new ArrayColumn(
      new TupleColumn({
        rwy: new StringColumn(),
        min_m: uint16OrNull(),
        max_m: uint16OrNull(),
        min_ft: uint16OrNull(),
        max_ft: uint16OrNull(),
        mod: enum8OrNull(RANGE_MODS),
        trend: enum8OrNull(TRENDS),
      }),
    ),
    wx: stringOrNull(),
    rewx: stringOrNull(),
    clouds: new ArrayColumn(
      new TupleColumn({ cover: enum8(COVERS), base_ft: uint32OrNull(), type: enum8OrNull(CLOUD_TYPES) }),
    ),
    vvis_ft: uint32OrNull(),
    cavok: bool(),
    altim_hpa: float32OrNull(),
    altim_inhg: float32OrNull(),
    slp_hpa: float32OrNull(),
    qfe_hpa: float32OrNull(),
    maxt6_c: float32OrNull(),
    mint6_c: float32OrNull(),
    maxt24_c: float32OrNull(),
    mint24_c: float32OrNull(),
    pcp1h_in: float32OrNull(),
    pcp1h_trace: flag(),
    pcp3h_in: float32OrNull(),
    pcp3h_trace: flag(),
    pcp6h_in: float32OrNull(),
    pcp6h_trace: flag(),
    pcp24h_in: float32OrNull(),
    pcp24h_trace: flag(),
    snow_in: float32OrNull(),
    snow_inc_in: float32OrNull(),
    swe_in: float32OrNull(),
    ice1h_in: float32OrNull(),
    ice3h_in: float32OrNull(),
    ice6h_in: float32OrNull(),
    ptend: uint8OrNull(),
    ptend_hpa: float32OrNull(),
    pk_wdir: uint16OrNull(),
    pk_wspd_kt: uint16OrNull(),
    pk_time: stringOrNull(),
    presrr: flag(),
    presfr: flag(),
    maint: flag(),
    station_type: enum8OrNull(STATION_TYPES),
    auto: flag(),
    cor: flag(),
    nil: flag(),
    trend: stringOrNull(),
    rwy_state: stringOrNull(),
    colour: stringOrNull(),
    sea: stringOrNull(),
    fltcat: enum8OrNull(CATEGORIES),
  });
}

/** The table's columns, and no other, in any order: what differs in type, LowCardinality, is converted by the engine. */
export function newColumns() {
  return {
    observedAt: new NumberColumn("DateTime('UTC')", 4, 'given'),
    station: new StringColumn(),
    type: enum8(TYPES),
    fingerprint: uint32(),
    version: uint32(),
    retracted: bool(),
    source: new StringColumn(),
    raw: new StringColumn(),
    clean: bool(),
    decoder: uint16(),
    decoded: newDecoded(),
  };
}
