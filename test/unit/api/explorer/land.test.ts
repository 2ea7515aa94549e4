import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { LAND_FILE, landSvg } from '../../../generate/land.ts';

describe('the land of the map', () => {
  it('has no line across the map where land crosses the antimeridian, and closes Antarctica along the edge', async () => {
    const svg = await readFile(LAND_FILE, 'utf8');
    assert.equal(svg, await landSvg(), 'Run npm run generate.');
    const [, land = '', borders = ''] = svg.split('<path id=');
    for (const [path, least] of [
      [land, 100],
      [borders, 50],
    ] as const) {
      const lines = path.split('M').slice(1);
      assert.ok(lines.length > least, `${lines.length} lines`);
      for (const line of lines) {
        const steps = [...(line.split('l')[1]?.split(/[VH"]/)[0]?.matchAll(/-?\d+/g) ?? [])].map(Number);
        assert.equal(steps.length % 2, 0);
        assert.ok(Math.max(...steps.map(Math.abs)) < 600, line.slice(0, 50));
      }
    }
    assert.equal(land.match(/V1800H/g)?.length, 1);
  });
});
