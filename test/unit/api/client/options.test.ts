import assert from 'node:assert/strict';
import type { ObservationsOptions } from 'historical-observations/client';
import { describe, it } from 'mocha';
import { FILTER_NAMES, type Filters } from '../../../../api/observations/filters.ts';

/** The compiler refuses this table where the client lacks a filter of the service. */
const OPTIONS: { readonly [Name in keyof Filters]-?: Name extends keyof ObservationsOptions ? Name : never } =
  {
    stations: 'stations',
    from: 'from',
    to: 'to',
    type: 'type',
    include: 'include',
    filter: 'filter',
    fields: 'fields',
  };

describe('options of the client', () => {
  it('have each filter of the service', () =>
    assert.deepEqual(Object.keys(OPTIONS).sort(), [...FILTER_NAMES].sort()));
});
