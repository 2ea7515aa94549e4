import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, it } from 'mocha';
import { landOutline } from '../../../../api/explorer/land-outline.ts';

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

  it('draws no line across the map', () => {
    const file = createRequire(import.meta.url).resolve('world-atlas/land-110m.json');
    const rings = [...landOutline(readFileSync(file, 'utf8')).matchAll(/M([^Z]+)Z/g)].map(([, ring = '']) =>
      ring.split('L').map((point) => point.split(' ').map(Number)),
    );
    assert.ok(rings.length > 100);
    for (const ring of rings)
      for (const [at, [x = 0, y = 0]] of ring.entries()) {
        const [nextX = 0, nextY = 0] = ring[(at + 1) % ring.length] ?? [];
        assert.ok(Math.abs(nextX - x) < 40 || (y === 180 && nextY === 180), `${x} ${y} to ${nextX} ${nextY}`);
      }
  });
});
