import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { standardOffset } from '../../../../../api/statistics/request/time-zones.ts';

const OFFSETS = {
  UTC: 0,
  'America/New_York': -5,
  'Europe/Dublin': 0,
  'Asia/Kathmandu': 5.75,
  'Australia/Lord_Howe': 10.5,
  'America/St_Johns': -3.5,
  'Pacific/Chatham': 12.75,
  'Africa/Casablanca': 1,
  'Etc/GMT+10': -10,
};

describe('the standard offset of a zone', () => {
  for (const [zone, hours] of Object.entries(OFFSETS))
    it(`is ${hours} hours in ${zone}`, () => {
      assert.equal(standardOffset(zone, 2026), hours * 3600);
    });
});
