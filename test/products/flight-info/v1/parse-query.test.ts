import { describe, expect, test } from 'vitest';
import { toNextQuery } from '../../../../src/products/flight-info/v1/parse-query.ts';
import type { ListQuery } from '../../../../src/products/flight-info/v1/routes.ts';

/** The defaults of the v1 contract. */
const silent: ListQuery = { version: 'v1', FlightType: ['Scheduled'], Limit: 10 };

test('converts a query of v1 to the names of v2', () => {
  const query: ListQuery = {
    version: 'v1',
    DepartureDate: '2024-06-01/2024-06-07',
    ArrivalDate: '2024-06-02',
    DepartureAirport: ['LHR', 'LGW'],
    ArrivalAirport: ['JFK'],
    IataCarrierCode: ['ZX'],
    IcaoCarrierCode: ['NQB'],
    FlightNumber: 101,
    FlightType: ['GA', 'Unscheduled'],
    Content: ['Status'],
    Limit: 500,
    After: 'c0ffee',
  };
  expect(toNextQuery(query)).toEqual({
    version: 'v2',
    DepartureDateTime: '2024-06-01/2024-06-07',
    ArrivalDateTime: '2024-06-02',
    DepartureAirport: ['LHR', 'LGW'],
    ArrivalAirport: ['JFK'],
    CarrierCode: ['ZX', 'NQB'],
    CodeType: ['IATA', 'ICAO'],
    FlightNumber: 101,
    FlightType: ['GA', 'Unscheduled'],
    IncludeDiverted: false,
    Content: ['Status'],
    Limit: 500,
    After: 'c0ffee',
  });
});

test('defaults of v1 are not converted, except that v1 means scheduled flights', () => {
  expect(toNextQuery({ ...silent, DepartureDate: '2024-06-01' })).toEqual({
    version: 'v2',
    DepartureDateTime: '2024-06-01',
    FlightType: ['Scheduled'],
    IncludeDiverted: false,
    Limit: 10,
  });
});

describe('codes are parsed in the code systems of v1', () => {
  test.each<readonly [string, Partial<ListQuery>, readonly string[] | undefined]>([
    ['no code', {}, undefined],
    ['an airport', { DepartureAirport: ['LHR'] }, ['IATA']],
    ['an IATA carrier', { IataCarrierCode: ['ZX'] }, ['IATA']],
    ['an ICAO carrier', { IcaoCarrierCode: ['ZXA'] }, ['ICAO']],
    ['an ICAO carrier at an airport', { IcaoCarrierCode: ['ZXA'], ArrivalAirport: ['JFK'] }, ['IATA', 'ICAO']],
  ])('%s', (_, codes, systems) => {
    expect(toNextQuery({ ...silent, ...codes }).CodeType).toEqual(systems);
  });
});
