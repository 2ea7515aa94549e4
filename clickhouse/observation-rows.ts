import type { Archived } from './archived.ts';
import type { DecodedLoosely, Report } from './report.ts';
import { RowBinary } from './row-binary.ts';

/** As the Enum8 of the table number them. */
const TYPES = ['METAR', 'SPECI'];
const MODS = ['M', 'P', 'MP'];
const COVERS = ['FEW', 'SCT', 'BKN', 'OVC', 'VV', 'SKC', 'CLR', 'NSC', 'NCD'];
const CLOUD_TYPES = ['CB', 'TCU'];
const TRENDS = ['U', 'D', 'N'];
const STATION_TYPES = ['AO1', 'AO2'];
const CATEGORIES = ['VFR', 'MVFR', 'IFR', 'LIFR'];

/** The columns of a row as it is written here. */
export const COLUMNS =
  'observedAt, station, type, fingerprint, source, version, retracted, raw, clean, decoder, decoded';

/** No row without its text is longer: 60 fields of eight bytes, and a few lists that repeat parts of the text. */
const ROW = 1024;

/**
 * Rows for the table `observations`. Every step is spelled out, for a loop over names and kinds takes three times as long.
 */
export class ObservationRows extends RowBinary {
  put(report: Report, version: number): void {
    // A list of the decoded takes at most twelve bytes for each character that it was read from.
    this.reserve(ROW + report.raw.length * 12);
    this.key(report, version, false);
    this.string(report.raw);
    this.uint8(report.outcome === 'clean' ? 1 : 0);
    this.uint16(report.decoder);
    this.decoded(report.decoded);
  }

  /** Says that a report is no longer held under its type: all that would describe it is left empty. */
  retract(archived: Archived, version: number): void {
    this.reserve(ROW);
    this.key(archived, version, true);
    this.string('');
    this.uint8(0);
    this.uint16(0);
    this.decoded({ cavok: false });
  }

  private key(key: Report | Archived, version: number, retracted: boolean): void {
    this.uint32(key.observedAt);
    this.word(key.station);
    this.uint8(TYPES.indexOf(key.type) + 1);
    this.uint32(Number.parseInt(key.fingerprint, 16));
    this.word(key.source);
    this.uint32(version);
    this.uint8(retracted ? 1 : 0);
  }

  /** In the order of the tuple's elements. */
  private decoded(fields: DecodedLoosely): void {
    this.tenths(fields.temp_c);
    this.tenths(fields.dewp_c);
    this.uint16OrNull(fields.wdir);
    this.flag(fields.wdir_vrb);
    this.uint16OrNull(fields.wdir_from);
    this.uint16OrNull(fields.wdir_to);
    this.uint16OrNull(fields.wspd_kt);
    this.uint16OrNull(fields.wgst_kt);
    this.flag(fields.wspd_above);
    this.flag(fields.wgst_above);
    this.uint32OrNull(fields.visib_m);
    this.float32OrNull(fields.visib_sm);
    this.member(MODS, fields.visib_mod);
    this.uint32OrNull(fields.visib_min_m);
    this.text(fields.visib_min_dir);
    this.rvr(fields.rvr ?? []);
    this.text(fields.wx);
    this.text(fields.rewx);
    this.clouds(fields.clouds ?? []);
    this.uint32OrNull(fields.vvis_ft);
    this.uint8(fields.cavok ? 1 : 0);
    this.float32OrNull(fields.altim_hpa);
    this.float32OrNull(fields.altim_inhg);
    this.float32OrNull(fields.slp_hpa);
    this.float32OrNull(fields.qfe_hpa);
    this.float32OrNull(fields.maxt6_c);
    this.float32OrNull(fields.mint6_c);
    this.float32OrNull(fields.maxt24_c);
    this.float32OrNull(fields.mint24_c);
    this.float32OrNull(fields.pcp1h_in);
    this.flag(fields.pcp1h_trace);
    this.float32OrNull(fields.pcp3h_in);
    this.flag(fields.pcp3h_trace);
    this.float32OrNull(fields.pcp6h_in);
    this.flag(fields.pcp6h_trace);
    this.float32OrNull(fields.pcp24h_in);
    this.flag(fields.pcp24h_trace);
    this.float32OrNull(fields.snow_in);
    this.float32OrNull(fields.snow_inc_in);
    this.float32OrNull(fields.swe_in);
    this.float32OrNull(fields.ice1h_in);
    this.float32OrNull(fields.ice3h_in);
    this.float32OrNull(fields.ice6h_in);
    this.uint8OrNull(fields.ptend);
    this.float32OrNull(fields.ptend_hpa);
    this.uint16OrNull(fields.pk_wdir);
    this.uint16OrNull(fields.pk_wspd_kt);
    this.text(fields.pk_time);
    this.flag(fields.presrr);
    this.flag(fields.presfr);
    this.flag(fields.maint);
    this.member(STATION_TYPES, fields.station_type);
    this.flag(fields.auto);
    this.flag(fields.cor);
    this.flag(fields.nil);
    this.text(fields.trend);
    this.text(fields.rwy_state);
    this.text(fields.colour);
    this.text(fields.sea);
    this.member(CATEGORIES, fields.fltcat);
  }

  private rvr(ranges: NonNullable<DecodedLoosely['rvr']>): void {
    this.length128(ranges.length);
    for (const { rwy, min_m, max_m, min_ft, max_ft, mod, trend } of ranges) {
      this.string(rwy);
      this.uint16OrNull(min_m);
      this.uint16OrNull(max_m);
      this.uint16OrNull(min_ft);
      this.uint16OrNull(max_ft);
      this.member(MODS, mod);
      this.member(TRENDS, trend);
    }
  }

  private clouds(layers: NonNullable<DecodedLoosely['clouds']>): void {
    this.length128(layers.length);
    for (const { cover, base_ft, type } of layers) {
      this.uint8(COVERS.indexOf(cover) + 1);
      this.uint32OrNull(base_ft);
      this.member(CLOUD_TYPES, type);
    }
  }
}
