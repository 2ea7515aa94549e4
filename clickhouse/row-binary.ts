import type { Archived } from './archived.ts';
import type { Decoded, Report } from './report.ts';

/** As the Enum8 of the table number them. */
const TYPES = ['METAR', 'SPECI'];
const MODS = ['M', 'P', 'MP'];
const COVERS = ['FEW', 'SCT', 'BKN', 'OVC', 'VV', 'SKC', 'CLR', 'NSC', 'NCD'];
const TRENDS = ['U', 'D', 'N'];

type Kind = 'tenths' | 'UInt8' | 'UInt16' | 'UInt32' | 'Float32' | 'Bool' | 'String' | readonly string[];

/**
 * The tuple `decoded` in the order of its elements: an element that may be absent by its kind, the three that are
 * always there by their name.
 */
const DECODED = {
  temp_c: 'tenths',
  dewp_c: 'tenths',
  wdir: 'UInt16',
  wdir_vrb: 'Bool',
  wdir_from: 'UInt16',
  wdir_to: 'UInt16',
  wspd_kt: 'UInt16',
  wgst_kt: 'UInt16',
  wspd_above: 'Bool',
  wgst_above: 'Bool',
  visib_m: 'UInt32',
  visib_sm: 'Float32',
  visib_mod: ['M', 'P'],
  visib_min_m: 'UInt32',
  visib_min_dir: 'String',
  rvr: 'rvr',
  wx: 'String',
  rewx: 'String',
  clouds: 'clouds',
  vvis_ft: 'UInt32',
  cavok: 'cavok',
  altim_hpa: 'Float32',
  altim_inhg: 'Float32',
  slp_hpa: 'Float32',
  qfe_hpa: 'Float32',
  maxt6_c: 'Float32',
  mint6_c: 'Float32',
  maxt24_c: 'Float32',
  mint24_c: 'Float32',
  pcp1h_in: 'Float32',
  pcp1h_trace: 'Bool',
  pcp3h_in: 'Float32',
  pcp3h_trace: 'Bool',
  pcp6h_in: 'Float32',
  pcp6h_trace: 'Bool',
  pcp24h_in: 'Float32',
  pcp24h_trace: 'Bool',
  snow_in: 'Float32',
  snow_inc_in: 'Float32',
  swe_in: 'Float32',
  ice1h_in: 'Float32',
  ice3h_in: 'Float32',
  ice6h_in: 'Float32',
  ptend: 'UInt8',
  ptend_hpa: 'Float32',
  pk_wdir: 'UInt16',
  pk_wspd_kt: 'UInt16',
  pk_time: 'String',
  presrr: 'Bool',
  presfr: 'Bool',
  maint: 'Bool',
  station_type: ['AO1', 'AO2'],
  auto: 'Bool',
  cor: 'Bool',
  nil: 'Bool',
  trend: 'String',
  rwy_state: 'String',
  colour: 'String',
  sea: 'String',
  fltcat: ['VFR', 'MVFR', 'IFR', 'LIFR'],
} as const satisfies Record<keyof Required<Decoded>, Kind | 'rvr' | 'clouds' | 'cavok'>;
const ELEMENTS = Object.entries(DECODED) as [keyof Decoded, (typeof DECODED)[keyof Decoded]][];

/** The columns of a row as it is written here. */
export const COLUMNS =
  'observedAt, station, type, fingerprint, source, version, retracted, raw, clean, decoder, decoded';

/** Rows for the table `observations` in ClickHouse's RowBinary: no names to print, nothing for the engine to parse. */
export class RowWriter {
  private bytes: Buffer;
  private view: DataView;
  private at = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size);
    this.view = viewOf(this.bytes);
  }

  get length(): number {
    return this.at;
  }

  /** What has been written since the last time. */
  take(): Buffer {
    const taken = this.bytes.subarray(0, this.at);
    this.bytes = Buffer.allocUnsafe(this.bytes.length);
    this.view = viewOf(this.bytes);
    this.at = 0;
    return taken;
  }

  put(report: Report, version: number): void {
    // Every element of `decoded` has a width of its own, or repeats a part of the text.
    this.reserve(1024 + report.raw.length * 12);
    this.key(report, version, false);
    this.string(report.raw);
    this.uint8(report.outcome === 'clean' ? 1 : 0);
    this.uint16(report.decoder);
    this.decoded(report.decoded);
  }

  /** Says that a report is no longer held under its type: all that would describe it is left empty. */
  retract(archived: Archived, version: number): void {
    this.reserve(1024);
    this.key(archived, version, true);
    this.string('');
    this.uint8(0);
    this.uint16(0);
    this.decoded({ cavok: false });
  }

  private key(key: Report | Archived, version: number, retracted: boolean): void {
    this.uint32(key.observedAt);
    this.string(key.station);
    this.uint8(TYPES.indexOf(key.type) + 1);
    this.uint32(Number.parseInt(key.fingerprint, 16));
    this.string(key.source);
    this.uint32(version);
    this.uint8(retracted ? 1 : 0);
  }

  private decoded(fields: Decoded): void {
    for (const [name, kind] of ELEMENTS)
      if (kind === 'rvr') this.rvr(fields.rvr ?? []);
      else if (kind === 'clouds') this.clouds(fields.clouds ?? []);
      else if (kind === 'cavok') this.uint8(fields.cavok ? 1 : 0);
      else this.nullable(kind, fields[name] as Scalar);
  }

  private rvr(ranges: NonNullable<Decoded['rvr']>): void {
    this.length128(ranges.length);
    for (const { rwy, min_m, max_m, min_ft, max_ft, mod, trend } of ranges) {
      this.string(rwy);
      for (const limit of [min_m, max_m, min_ft, max_ft]) this.nullable('UInt16', limit);
      this.nullable(MODS, mod);
      this.nullable(TRENDS, trend);
    }
  }

  private clouds(layers: NonNullable<Decoded['clouds']>): void {
    this.length128(layers.length);
    for (const { cover, base_ft, type } of layers) {
      this.uint8(COVERS.indexOf(cover) + 1);
      this.nullable('UInt32', base_ft);
      this.nullable(['CB', 'TCU'], type);
    }
  }

  private nullable(kind: Kind, value: Scalar): void {
    this.uint8(value === undefined ? 1 : 0);
    if (value === undefined) return;
    if (kind === 'String') this.string(value as string);
    else if (kind === 'Bool') this.uint8(value ? 1 : 0);
    else if (kind === 'UInt8') this.uint8(value as number);
    else if (kind === 'UInt16') this.uint16(value as number);
    else if (kind === 'UInt32') this.uint32(value as number);
    else if (kind === 'Float32') {
      this.view.setFloat32(this.at, value as number, true);
      this.at += 4;
    } else if (kind === 'tenths') {
      this.view.setInt32(this.at, Math.round(Number(value) * 10), true);
      this.at += 4;
    } else this.uint8(kind.indexOf(value as string) + 1);
  }

  /** Length in LEB128, then UTF-8. */
  private string(text: string): void {
    const length = Buffer.byteLength(text);
    this.length128(length);
    this.bytes.write(text, this.at, 'utf8');
    this.at += length;
  }

  private length128(length: number): void {
    let rest = length;
    for (; rest >= 0x80; rest >>>= 7) this.uint8((rest & 0x7f) | 0x80);
    this.uint8(rest);
  }

  private uint8(value: number): void {
    this.bytes[this.at] = value;
    this.at += 1;
  }

  private uint16(value: number): void {
    this.view.setUint16(this.at, value, true);
    this.at += 2;
  }

  private uint32(value: number): void {
    this.view.setUint32(this.at, value, true);
    this.at += 4;
  }

  private reserve(more: number): void {
    if (this.at + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * this.bytes.length + more);
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
    this.view = viewOf(larger);
  }
}

type Scalar = string | number | boolean | undefined;

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
