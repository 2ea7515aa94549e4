import type { Source } from './report.ts';

/** How to cite a collection of reports. */
export type Citation = { readonly source: Source; readonly citation?: string };

/** By source; each of the loader has one. */
export const CITATIONS: Readonly<Record<Source, string>> = {
  iem: 'Iowa Environmental Mesonet, Iowa State University. https://mesonet.agron.iastate.edu/request/download.phtml',
  madis:
    'NOAA Meteorological Assimilation Data Ingest System (MADIS), METAR archive. https://madis.ncep.noaa.gov',
  ogimet: 'Ogimet. https://www.ogimet.com',
  awc: 'NOAA National Weather Service, Aviation Weather Center. https://aviationweather.gov',
  ncei: 'NOAA National Centers for Environmental Information (2001): Global Surface Hourly, Integrated Surface Database. https://www.ncei.noaa.gov/products/land-based-station/integrated-surface-database',
  tgftp:
    'NOAA National Weather Service, Telecommunication Gateway. https://tgftp.nws.noaa.gov/data/observations/metar/',
  wmo: 'Bulletins of the Global Telecommunication System of the World Meteorological Organization',
  demo: 'Synthetic reports of this program: no observations',
};

export function citationsOf(sources: Iterable<Source>): readonly Citation[] {
  return [...new Set(sources)].sort().map((source) => {
    const citation = CITATIONS[source];
    return citation === undefined ? { source } : { source, citation };
  });
}
