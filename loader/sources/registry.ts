import type { Source } from '../../clickhouse/model/report.ts';
import { awc } from './awc.ts';
import { demo } from './demo/demo.ts';
import { iem } from './iem.ts';
import { madis } from './madis.ts';
import { ghcnh } from './ncei/ghcnh.ts';
import { ncei } from './ncei/ncei.ts';
import { ogimet } from './ogimet.ts';
import { records } from './records.ts';
import type { FileSource, SourceAdapter } from './source.ts';
import { tgftp } from './tgftp.ts';
import { wmo } from './wmo.ts';

/**
 * The sources by name, those with most stations first. To add one: write its adapter (see `source.ts`) in a file or folder
 * here, and add it to this table. The setting `NAME_URL` replaces scheme and host of its requests.
 */
export const SOURCE_ADAPTERS = {
  iem,
  madis,
  ogimet,
  awc,
  ghcnh,
  ncei,
  tgftp,
  wmo,
  records,
  demo,
} as const satisfies Record<string, (host?: string) => SourceAdapter | FileSource>;
type Adapters = typeof SOURCE_ADAPTERS;

export type KnownSource = keyof Adapters;
export const KNOWN_SOURCES = Object.keys(SOURCE_ADAPTERS) as readonly KnownSource[];

export type SourceName = {
  [Name in KnownSource]: ReturnType<Adapters[Name]> extends SourceAdapter ? Name : never;
}[KnownSource];
export const SOURCE_NAMES = KNOWN_SOURCES.filter(isSourceName);

const ADAPTERS: ReadonlyMap<Source, SourceAdapter | FileSource> = new Map(
  KNOWN_SOURCES.map((name) => [name, SOURCE_ADAPTERS[name]()]),
);

export function isSourceName(name: string): name is SourceName {
  return Object.hasOwn(SOURCE_ADAPTERS, name) && SOURCE_ADAPTERS[name as KnownSource]().kind !== 'files';
}

/**
 * The rank of a text of a source (D4): 0, below all others, where the source has cut it, a blank at the end not counted, or
 * where this program does not know the source.
 */
export function rankOfText(source: Source, raw = ''): number {
  const { rank = 0, textLimit = Number.POSITIVE_INFINITY } = ADAPTERS.get(source) ?? {};
  return raw.length >= textLimit - 1 ? 0 : rank;
}

/** Sources whose types are never inferred. */
export const TYPED_SOURCES = KNOWN_SOURCES.filter((name) => ADAPTERS.get(name)?.sendsTypes);

/** The formats of files that `import` reads line by line. @param stations ICAO codes by ISD station id */
export const fileFormats = (stations: ReadonlyMap<string, string>) =>
  [...ADAPTERS.values()].flatMap(({ source, fileFormats: formats }) =>
    (formats?.(stations) ?? []).map((format) => ({ source, ...format })),
  );

export const WHOLE_FILE_FORMATS = [...ADAPTERS.values()].flatMap(({ source, wholeFileFormats = [] }) =>
  wholeFileFormats.map((format) => ({ source, ...format })),
);

export const STATION_LIST_NAMES = KNOWN_SOURCES.filter((name) => ADAPTERS.get(name)?.descriptionList);

/** Who publishes the reports of all sources, as a list in English. */
export const PUBLISHERS = new Intl.ListFormat('en').format(
  new Set([...ADAPTERS.values()].flatMap(({ publisher }) => publisher ?? [])),
);

export const HOSTED_SOURCES = KNOWN_SOURCES.filter((name) => {
  const adapter = ADAPTERS.get(name);
  return adapter?.kind === 'remote' || adapter?.descriptionList !== undefined;
});
