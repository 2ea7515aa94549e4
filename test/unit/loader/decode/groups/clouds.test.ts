import { deepEqual } from 'node:assert/strict';
import { fieldsOf, read } from '../read.ts';

const sky = (groups: string) => fieldsOf(groups, ['clouds', 'vvis_ft', 'convective', 'clouds_unknown']);

describe('clouds', () => {
  it('reads amount, base in feet and type', () => {
    deepEqual(sky('FEW018CB SCT025TCU BKN100 OVC250'), {
      clouds: [
        { cover: 'FEW', base_ft: 1800, type: 'CB' },
        { cover: 'SCT', base_ft: 2500, type: 'TCU' },
        { cover: 'BKN', base_ft: 10_000 },
        { cover: 'OVC', base_ft: 25_000 },
      ],
    });
    deepEqual(sky('OVC000'), { clouds: [{ cover: 'OVC', base_ft: 0 }] });
  });

  it('leaves out what an automatic station could not tell', () => {
    deepEqual(sky('FEW040/// BKN/// OVC///CB'), {
      clouds: [{ cover: 'FEW', base_ft: 4000 }, { cover: 'BKN' }, { cover: 'OVC', type: 'CB' }],
    });
    deepEqual(sky('////// /////////'), {});
  });

  it('keeps convective cloud whose amount is not reported', () => {
    deepEqual(sky('//////TCU'), { convective: 'TCU' });
    deepEqual(sky('OVC011/// ///TCU'), { clouds: [{ cover: 'OVC', base_ft: 1100 }], convective: 'TCU' });
    deepEqual(sky('//////CB ///020TCU'), { convective: 'CB', clouds_unknown: '///020TCU' });
    deepEqual(read('///210CB').unexplained, ['///210CB']);
  });

  it('keeps the height of a layer whose amount is not reported', () => {
    deepEqual(sky('///015 ///016///'), { clouds_unknown: '///015 ///016' });
    deepEqual(sky('FEW010 ///060///'), {
      clouds: [{ cover: 'FEW', base_ft: 1000 }],
      clouds_unknown: '///060',
    });
    deepEqual(sky('8000 CB020 29/25'), { convective: 'CB', clouds_unknown: '///020CB' });
    deepEqual(read('///510').unexplained, ['///510']);
    for (const clear of ['CAVOK', 'NSC']) deepEqual(read(`${clear} ///015`).unexplained, ['///015'], clear);
  });

  it('leaves out genera that have no field', () => {
    deepEqual(sky('FEW040CU BKN280CI'), {
      clouds: [
        { cover: 'FEW', base_ft: 4000 },
        { cover: 'BKN', base_ft: 28_000 },
      ],
    });
  });

  it('gives a type that was torn off back to its layer', () => {
    deepEqual(sky('SCT015 CB BKN090 25/22'), {
      clouds: [
        { cover: 'SCT', base_ft: 1500, type: 'CB' },
        { cover: 'BKN', base_ft: 9000 },
      ],
    });
  });

  it('reads vertical visibility', () => {
    deepEqual(sky('VV002'), { clouds: [{ cover: 'VV' }], vvis_ft: 200 });
    deepEqual(sky('VV///'), { clouds: [{ cover: 'VV' }] });
    deepEqual(read('VV002 VV003').unexplained, ['VV003']);
  });

  it('names a sky without cloud as it was named', () => {
    for (const cover of ['SKC', 'CLR', 'NSC', 'NCD']) deepEqual(sky(cover), { clouds: [{ cover }] });
    deepEqual(sky('CAVOK NSC'), {});
  });

  it('keeps a layer after the temperature that CAVOK allows', () => {
    deepEqual(sky('CAVOK 24/23 Q1010 SCT090'), { clouds: [{ cover: 'SCT', base_ft: 9000 }] });
    deepEqual(read('CAVOK 24/23 Q1010 SCT045').unexplained, ['SCT045']);
    deepEqual(read('CAVOK 24/23 Q1010 FEW090CB').unexplained, ['FEW090CB']);
    deepEqual(read('CAVOK SCT090 24/23').unexplained, ['SCT090']);
  });

  it('lists heights beyond the troposphere and layers in a clear sky', () => {
    deepEqual(read('FEW912').unexplained, ['FEW912']);
    deepEqual(read('SKC SCT020').unexplained, ['SCT020']);
    for (const layer of ['SCT020', '///020']) deepEqual(read(`${layer} NSC`).unexplained, ['NSC'], layer);
    deepEqual(read('9999 SCT020 NLC 29/25 Q1010 NSC').unexplained, []);
    deepEqual(read('SCT02').unexplained, ['SCT02']);
  });
});
