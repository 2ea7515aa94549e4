import { namedIn, type Reports } from '../../../clickhouse/days/reports.ts';
import type { PartialDecoded } from '../../../clickhouse/model/fields.ts';
import type { Report } from '../../../clickhouse/model/report.ts';
import { valueOfField } from '../conditions/judge.ts';
import { type Counted, countedReports } from '../statistics/sample.ts';

/** Reports of one station as `daysOf` takes them: those that count, by columns. */
export function reportsOf(all: readonly Report[]): Reports {
  const counted = countedReports(all);
  const numbers = (read: (report: Report) => unknown) =>
    Float64Array.from(counted, ({ report }) => {
      const value = read(report);
      return value === undefined ? Number.NaN : Number(value);
    });
  const number = (field: string) => numbers((report) => valueOfField(field, report));
  /** -0 too. */
  const temperature = (field: 'temp_c' | 'dewp_c') =>
    numbers(({ clean, decoded }) => (clean ? decoded[field] : undefined));
  const flags = (isSet: (counted: Counted) => boolean | undefined) =>
    Uint8Array.from(counted, (each) => (isSet(each) ? 1 : 0));
  const decodedFlag = (isSet: (decoded: PartialDecoded) => boolean | undefined) =>
    flags(({ report }) => report.clean && isSet(report.decoded));
  return {
    time: Uint32Array.from(counted, ({ report }) => report.observedAt),
    wx: counted.map(({ report }) => (report.clean ? (report.decoded.wx ?? '') : namedIn(report.raw).wx)),
    hasUnreadAmount: flags(({ report }) => !report.clean && namedIn(report.raw).hasAmount),
    isMetar: flags(({ report }) => report.type === 'METAR'),
    isFirst: flags(({ isFirst }) => isFirst),
    isReadable: flags(({ report }) => report.clean),
    isVariable: decodedFlag(({ wdir_vrb }) => wdir_vrb),
    isTrace: decodedFlag(({ pcp1h_trace }) => pcp1h_trace),
    hasGauge: decodedFlag(({ station_type, pno }) => station_type === 'AO2' && !pno),
    isWeatherMissing: decodedFlag(({ wx_missing }) => wx_missing),
    hasThunder: decodedFlag(({ ts_remark }) => ts_remark),
    hasNoThunderSensor: decodedFlag(({ tsno }) => tsno),
    temp_c: temperature('temp_c'),
    dewp_c: temperature('dewp_c'),
    rh_pct: number('rh_pct'),
    wdir: number('wdir'),
    wspd_kt: number('wspd_kt'),
    wgst_kt: number('wgst_kt'),
    pk_wspd_kt: number('pk_wspd_kt'),
    pk_time: number('pk_time'),
    slp_hpa: number('slp_hpa'),
    visib_m: number('visib_m'),
    maxt6_c: number('maxt6_c'),
    mint6_c: number('mint6_c'),
    maxt24_c: number('maxt24_c'),
    mint24_c: number('mint24_c'),
    pcp1h_in: number('pcp1h_in'),
    pcp3h_in: number('pcp3h_in'),
    pcp6h_in: number('pcp6h_in'),
    pcp24h_in: number('pcp24h_in'),
    snow_in: number('snow_in'),
  };
}
