import assert from 'node:assert/strict';
import type { Day } from '../../../../clickhouse/model/day.ts';
import { SOURCE_ADAPTERS } from '../../../../loader/sources/registry.ts';
import { InvalidResponseError } from '../../../../loader/sources/source.ts';

const HEADERS = {
  iem: 'station,valid,metar\n',
  ncei: '"STATION","DATE","SOURCE","REPORT_TYPE","CALL_SIGN","REM"\n',
  ogimet: 'ESTACION,ANO,MES,DIA,HORA,MINUTO,PARTE\n',
  // Its files are binary and begin so.
  madis: 'CDF\x01',
} as const;

const PAGES: Readonly<Record<string, (header: string) => string>> = {
  'around the header': (header) => `<!DOCTYPE html>\n<html><body><pre>\n${header}</pre></body></html>\n`,
  'after the header': (header) => `${header}<html><body>\n<p>Sorry</p>\n</body></html>\n`,
  'after the header, indented': (header) => `${header}  <html>\n  <p>Come back later</p>\n`,
  'before the header': (header) => `<html>\n<p>Sorry</p>\n</html>\n${header}`,
  'in one line with the header': (header) => `<p>Sorry</p> ${header}`,
};

describe('an HTML page that contains the start of the format', () => {
  for (const [name, header] of Object.entries(HEADERS))
    for (const [where, page] of Object.entries(PAGES))
      it(`is an invalid response, which makes no day done (D13): ${name}, ${where}`, async () => {
        const source = SOURCE_ADAPTERS[name as keyof typeof HEADERS]();
        assert.ok(source.kind === 'remote');
        const [firstDay, endDay] = ['2024-01-01' as Day, '2024-01-02' as Day];
        const slice = { source: source.source, station: 'KXYZ', firstDay, endDay };
        const body = (async function* () {
          yield Buffer.from(page(header), 'latin1');
        })();
        await assert.rejects(source.parse(body, slice, 1000), InvalidResponseError);
      });
});
