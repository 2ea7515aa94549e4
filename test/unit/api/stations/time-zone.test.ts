import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { timeZoneAt } from '../../../../api/stations/time-zone.ts';

const ZONES = {
  'America/New_York': [40.6398, -73.7789],
  'Europe/London': [51.4706, -0.4619],
  'Asia/Kolkata': [28.5665, 77.1031],
  'Asia/Kathmandu': [27.6966, 85.3591],
  'Pacific/Chatham': [-43.81, -176.4572],
  'America/Phoenix': [33.4343, -112.0116],
  'Australia/Lord_Howe': [-31.5383, 159.0772],
  'Antarctica/McMurdo': [-90, 0],
} as const;

describe('the time zone of a station by its position (D48)', () => {
  for (const [zone, [latitude, longitude]] of Object.entries(ZONES))
    it(`${latitude}, ${longitude} is in ${zone}`, () => {
      assert.equal(timeZoneAt({ latitude, longitude }), zone);
    });
});
