import type { Condition } from '../../../clickhouse/conditions/condition.ts';
import type { Report } from '../../../clickhouse/model/report.ts';

type Truth = boolean | null;
type Value = string | number | boolean;
type Judged = Pick<Report, 'type' | 'raw' | 'clean' | 'decoded'> & Partial<Pick<Report, 'source'>>;

/** What a condition says of a report, without SQL: `null` is unknown. */
export function judge(condition: Condition, report: Judged): Truth {
  switch (condition.kind) {
    case 'and':
      return condition.conditions.reduce<Truth>((truth, each) => both(truth, judge(each, report)), true);
    case 'or':
      return not(
        condition.conditions.reduce<Truth>((truth, each) => both(truth, not(judge(each, report))), true),
      );
    case 'not':
      return not(judge(condition.condition, report));
    case 'null':
      return valueOfField(condition.field, report) === undefined;
    default: {
      const value = valueOfField(condition.field, report);
      if (value === undefined) return null;
      const mark = report.clean ? markOf(condition.field, report.decoded) : 0;
      if (condition.kind === 'like') {
        const quote = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
        const source = condition.pattern.replace(/\\(.)|[^\\]/gsu, (part, escaped?: string) =>
          part === '%' ? '.*' : part === '_' ? '.' : quote(escaped ?? part),
        );
        return new RegExp(`^${source}$`, 'su').test(String(value));
      }
      const order = orderOf(value, condition.value, mark);
      if (order === undefined) return null;
      switch (condition.operator) {
        case '=':
          return order === 0;
        case '<>':
          return order !== 0;
        case '<':
          return order < 0;
        case '<=':
          return order <= 0;
        case '>':
          return order > 0;
        case '>=':
          return order >= 0;
      }
    }
  }
}

function not(truth: Truth): Truth {
  return truth === null ? null : !truth;
}

function both(one: Truth, other: Truth): Truth {
  if (one === false || other === false) return false;
  return one === null || other === null ? null : true;
}

function compare(one: Value, other: Value): number {
  if (one === other) return 0;
  if (typeof one === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(String(other)));
  return one < other ? -1 : 1;
}

/** The order of a value and another; a value that is marked as less is below every number from it on, likewise more (D79). */
function orderOf(value: Value, other: Value, mark: -1 | 0 | 1): number | undefined {
  const order = compare(value, other);
  if (mark === 0) return order;
  return order === 0 || order === mark ? mark : undefined;
}

/** What a report says of a number (D79): -1 less than it, 1 more than it. */
function markOf(
  name: string,
  { visib_mod, wspd_above, wgst_above, rvr = [] }: Judged['decoded'],
): -1 | 0 | 1 {
  if (name === 'visib_m' || name === 'visib_sm') return visib_mod === 'M' ? -1 : visib_mod === 'P' ? 1 : 0;
  if (name === 'wspd_kt') return wspd_above ? 1 : 0;
  if (name === 'wgst_kt') return wgst_above ? 1 : 0;
  if (name !== 'rvr_min_m') return 0;
  const lowest = lowestOf(rvr);
  const marks = rvr.filter((range) => metersOf(range) === lowest).map(({ mod }) => mod);
  if (marks.some((mod) => mod === 'M' || mod === 'MP')) return -1;
  return marks.length > 0 && marks.every((mod) => mod === 'P') ? 1 : 0;
}

type Ranges = NonNullable<Judged['decoded']['rvr']>;

function metersOf({ min_m, min_ft }: Ranges[number]): number | undefined {
  return min_m ?? (min_ft === undefined ? undefined : Math.round(min_ft * 0.3048));
}

function lowestOf(rvr: Ranges): number | undefined {
  const meters = rvr.map(metersOf).filter((each) => each !== undefined);
  return meters.length === 0 ? undefined : Math.min(...meters);
}

/** The value of a field as the contract defines it; `undefined` where it is unknown. */
export function valueOfField(name: string, report: Judged): Value | undefined {
  if (name === 'type') return report.type;
  if (name === 'raw') return report.raw;
  if (!report.clean) return undefined;
  const { temp_c, dewp_c, rvr = [], clouds = [], vvis_ft, cavok, clouds_unknown } = report.decoded;
  const { visib_m, visib_sm, altim_hpa, altim_inhg } = report.decoded;
  const withSensor = (isReported: boolean | undefined) =>
    isReported === false && report.decoded.tsno ? undefined : isReported;
  switch (name) {
    case 'source':
      return report.source;
    case 'temp_c':
    case 'dewp_c':
      // D62: below 0 and not below -0.1.
      return report.decoded[name] === '-0' ? -0.05 : report.decoded[name] && Number(report.decoded[name]);
    case 'ceiling_ft': {
      if (clouds.length === 0 && vvis_ft === undefined && !cavok) return undefined;
      const ceilings = clouds
        .filter(({ cover }) => ['BKN', 'OVC', 'VV'].includes(cover))
        .map(({ cover, base_ft }) => ({ base_ft: cover === 'VV' ? vvis_ft : base_ft }));
      if (ceilings.some(({ base_ft }) => base_ft === undefined)) return undefined;
      const bases = ceilings.map(({ base_ft }) => base_ft as number);
      const lowest = Math.min(...bases, vvis_ft ?? Number.POSITIVE_INFINITY);
      const unknown = clouds_unknown?.split(' ').map((layer) => Number(layer.slice(3, 6)) * 100) ?? [];
      return unknown.some((base) => base < lowest) ? undefined : lowest;
    }
    case 'rh_pct': {
      if (temp_c === undefined || dewp_c === undefined) return undefined;
      const pressure = (t: number) => 6.112 * Math.exp((17.62 * t) / (243.12 + t));
      const percent = Math.round((1000 * pressure(Number(dewp_c))) / pressure(Number(temp_c))) / 10;
      return Math.min(percent, 100);
    }
    // Where a request names these two, they are converted for every report (D83).
    case 'visib_sm':
      return visib_sm ?? (visib_m === undefined ? undefined : visib_m / 1609.344);
    case 'altim_inhg':
      return altim_inhg ?? (altim_hpa === undefined ? undefined : altim_hpa / 33.86388640341);
    case 'rvr_min_m':
      return lowestOf(rvr);
    case 'fog':
      return anyGroup(report, (group) => group.includes('FG') && !/MI|BC|PR|VC/.test(group));
    case 'thunder':
      return report.decoded.ts_remark || withSensor(anyGroup(report, (group) => /^[+-]?TS/.test(group)));
    case 'thunder_vicinity':
      return withSensor(anyGroup(report, (group) => group.startsWith('VCTS')));
    case 'snow':
      // In twos: TSGS has no snow grains, and SGRA no hail.
      return anyGroup(
        report,
        (group) => /^[+-]?(?!VC|[+-])(..)*S[NG]/.test(group) && !/BLSN|DRSN/.test(group),
      );
    case 'rain':
      return anyGroup(report, (group) => /RA|DZ/.test(group) && !/VC/.test(group));
    case 'freezing':
      return anyGroup(report, (group) => /FZ(RA|DZ)/.test(group));
    case 'hail':
      return anyGroup(report, (group) => /^[+-]?(?!VC|[+-])(..)*G[RS]/.test(group));
    case 'dust':
      return anyGroup(report, (group) => /DU|SA|DS|SS|PO/.test(group));
    default:
      return (report.decoded as Record<string, string | number | boolean | undefined>)[name];
  }
}

function anyGroup({ decoded }: Judged, isMeant: (group: string) => boolean): boolean | undefined {
  if (decoded.wx === undefined) return decoded.wx_missing ? undefined : false;
  return decoded.wx.split(' ').some(isMeant);
}
