import {
  CLOUD_COVERS,
  CLOUD_TYPES,
  FLIGHT_CATEGORIES,
  type PartialDecoded,
  RVR_MODS,
  RVR_TRENDS,
  STATION_TYPES,
  VISIBILITY_MODS,
} from '../model/fields.ts';
import type { Report } from '../model/report.ts';
import { REPORT_TYPES } from '../model/report.ts';
import { encodeBlock } from './native/block.ts';
import { newColumns } from './observation-columns.ts';
import type { StoredReport } from './stored-reports.ts';

/**
 * Collects rows for the table `observations` into a block. It names every field, because a loop over the list of fields
 * takes three times as long; a test holds it to the list.
 */
export class ObservationBlock {
  private readonly columns = newColumns();
  private count = 0;

  get rows(): number {
    return this.count;
  }

  /** Returns the block in the Native format and empties it. */
  take(): Buffer {
    const taken = encodeBlock(this.columns, this.count);
    this.count = 0;
    return taken;
  }

  put(report: Report, version: number): void {
    const row = this.key(report, version);
    this.columns.raw.put(row, report.raw);
    this.columns.clean.uint8(row, report.outcome === 'clean' ? 1 : 0);
    this.columns.decoder.uint16(row, report.decoder);
    this.decoded(row, report.decoded);
  }

  /** Removes a report from its type. Only its key is stored. */
  retract(archived: StoredReport, version: number): void {
    const row = this.key(archived, version);
    this.columns.retracted.uint8(row, 1);
    this.decoded(row, { cavok: false });
  }

  private key(key: Report | StoredReport, version: number): number {
    const row = this.count;
    this.count += 1;
    const { columns } = this;
    columns.observedAt.uint32(row, key.observedAt);
    columns.station.put(row, key.station);
    columns.type.uint8(row, REPORT_TYPES.indexOf(key.type) + 1);
    columns.fingerprint.uint32(row, Number.parseInt(key.fingerprint, 16));
    columns.source.put(row, key.source);
    columns.version.uint32(row, version);
    return row;
  }

  private decoded(row: number, fields: PartialDecoded): void {
    const to = this.columns.decoded.elements;
    to.temp_c.int32(row, tenths(fields.temp_c));
    to.dewp_c.int32(row, tenths(fields.dewp_c));
    to.wdir.uint16(row, fields.wdir);
    to.wdir_vrb.uint8(row, flag(fields.wdir_vrb));
    to.wdir_from.uint16(row, fields.wdir_from);
    to.wdir_to.uint16(row, fields.wdir_to);
    to.wspd_kt.uint16(row, fields.wspd_kt);
    to.wgst_kt.uint16(row, fields.wgst_kt);
    to.wspd_above.uint8(row, flag(fields.wspd_above));
    to.wgst_above.uint8(row, flag(fields.wgst_above));
    to.visib_m.uint32(row, fields.visib_m);
    to.visib_sm.float32(row, fields.visib_sm);
    to.visib_mod.uint8(row, enumNumber(VISIBILITY_MODS, fields.visib_mod));
    to.visib_min_m.uint32(row, fields.visib_min_m);
    to.visib_min_dir.put(row, fields.visib_min_dir);
    if (fields.rvr !== undefined) this.rvr(fields.rvr);
    to.rvr.end(row);
    to.wx.put(row, fields.wx);
    to.rewx.put(row, fields.rewx);
    if (fields.clouds !== undefined) this.clouds(fields.clouds);
    to.clouds.end(row);
    to.vvis_ft.uint32(row, fields.vvis_ft);
    if (fields.cavok) to.cavok.uint8(row, 1);
    to.altim_hpa.float32(row, fields.altim_hpa);
    to.altim_inhg.float32(row, fields.altim_inhg);
    to.slp_hpa.float32(row, fields.slp_hpa);
    to.qfe_hpa.float32(row, fields.qfe_hpa);
    to.maxt6_c.float32(row, fields.maxt6_c);
    to.mint6_c.float32(row, fields.mint6_c);
    to.maxt24_c.float32(row, fields.maxt24_c);
    to.mint24_c.float32(row, fields.mint24_c);
    to.pcp1h_in.float32(row, fields.pcp1h_in);
    to.pcp1h_trace.uint8(row, flag(fields.pcp1h_trace));
    to.pcp3h_in.float32(row, fields.pcp3h_in);
    to.pcp3h_trace.uint8(row, flag(fields.pcp3h_trace));
    to.pcp6h_in.float32(row, fields.pcp6h_in);
    to.pcp6h_trace.uint8(row, flag(fields.pcp6h_trace));
    to.pcp24h_in.float32(row, fields.pcp24h_in);
    to.pcp24h_trace.uint8(row, flag(fields.pcp24h_trace));
    to.snow_in.float32(row, fields.snow_in);
    to.snow_inc_in.float32(row, fields.snow_inc_in);
    to.swe_in.float32(row, fields.swe_in);
    to.ice1h_in.float32(row, fields.ice1h_in);
    to.ice3h_in.float32(row, fields.ice3h_in);
    to.ice6h_in.float32(row, fields.ice6h_in);
    to.ptend.uint8(row, fields.ptend);
    to.ptend_hpa.float32(row, fields.ptend_hpa);
    to.pk_wdir.uint16(row, fields.pk_wdir);
    to.pk_wspd_kt.uint16(row, fields.pk_wspd_kt);
    to.pk_time.put(row, fields.pk_time);
    to.presrr.uint8(row, flag(fields.presrr));
    to.presfr.uint8(row, flag(fields.presfr));
    to.maint.uint8(row, flag(fields.maint));
    to.station_type.uint8(row, enumNumber(STATION_TYPES, fields.station_type));
    to.auto.uint8(row, flag(fields.auto));
    to.cor.uint8(row, flag(fields.cor));
    to.nil.uint8(row, flag(fields.nil));
    to.trend.put(row, fields.trend);
    to.rwy_state.put(row, fields.rwy_state);
    to.colour.put(row, fields.colour);
    to.sea.put(row, fields.sea);
    to.fltcat.uint8(row, enumNumber(FLIGHT_CATEGORIES, fields.fltcat));
    this.columns.ws.put(row, fields.ws);
    this.columns.convective.uint8(row, enumNumber(CLOUD_TYPES, fields.convective));
    this.columns.clouds_unknown.put(row, fields.clouds_unknown);
  }

  private rvr(ranges: NonNullable<PartialDecoded['rvr']>): void {
    const list = this.columns.decoded.elements.rvr;
    const to = list.items.elements;
    for (const { rwy, min_m, max_m, min_ft, max_ft, mod, trend } of ranges) {
      const row = list.next();
      to.rwy.put(row, rwy);
      to.min_m.uint16(row, min_m);
      to.max_m.uint16(row, max_m);
      to.min_ft.uint16(row, min_ft);
      to.max_ft.uint16(row, max_ft);
      to.mod.uint8(row, enumNumber(RVR_MODS, mod));
      to.trend.uint8(row, enumNumber(RVR_TRENDS, trend));
    }
  }

  private clouds(layers: NonNullable<PartialDecoded['clouds']>): void {
    const list = this.columns.decoded.elements.clouds;
    const to = list.items.elements;
    for (const { cover, base_ft, type } of layers) {
      const row = list.next();
      to.cover.uint8(row, CLOUD_COVERS.indexOf(cover) + 1);
      to.base_ft.uint32(row, base_ft);
      to.type.uint8(row, enumNumber(CLOUD_TYPES, type));
    }
  }
}

/** As Decimal(9, 1) is stored. */
function tenths(value: string | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(Number(value) * 10);
}

function flag(value: true | undefined): number | undefined {
  return value === undefined ? undefined : 1;
}

function enumNumber(values: readonly string[], value: string | undefined): number | undefined {
  return value === undefined ? undefined : values.indexOf(value) + 1;
}
