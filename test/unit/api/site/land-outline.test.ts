import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { landOutline } from '../../../../api/site/land-outline.ts';

describe('outline of the land', () => {
  it('joins arcs forwards and backwards to rings, in degrees from the upper left corner', () => {
    const topojson = JSON.stringify({
      transform: { scale: [0.5, 0.5], translate: [-180, -90] },
      arcs: [
        [
          [360, 180],
          [20, 0],
          [0, 20],
        ],
        [
          [360, 180],
          [0, 20],
          [20, 0],
        ],
      ],
      objects: { land: { geometries: [{ arcs: [[[0, -2]]] }] } },
    });
    assert.match(
      landOutline(topojson),
      /<path id="land" d="M180.0 90.0L190.0 90.0L190.0 80.0L190.0 80.0L180.0 80.0L180.0 90.0Z"\/>/,
    );
  });
});
