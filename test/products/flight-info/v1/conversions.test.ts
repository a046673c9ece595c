import { expect, test } from 'vitest';
import type { FlightInstancePage as NextPage } from '#generated/flight-info/v2/types.gen.ts';
import { toPage, toStatus } from '#products/flight-info/v1/to-flight-instance.ts';
import { toNextQuery } from '#products/flight-info/v1/parse-query.ts';
import type { ListQuery } from '#products/flight-info/v1/parse-query.ts';
import { distances } from '#test/products/responses.ts';

const paging = { limit: 10, totalCount: 11, totalPages: 2, next: 'http://service.test/flight-instances?After=x' };
const companies = {
  operatingAirlineDisclosure: { code: 'YY', name: 'Young Yonder', number: '' },
  aircraftOwner: { code: 'WW', name: 'Wide World' },
  cockpitCrewEmployer: { code: 'WW', name: 'Wide World', number: '4' },
  jointOperationAirlineDesignators: [{ code: 'UU', name: '', number: '' }],
};
const marketingFlight = { code: 'TT', serviceNumber: '9', suffix: '' };
const operatingFlight = { code: 'YY', serviceNumber: '70', suffix: 'B' };
const shared = {
  serviceSuffix: 'A',
  flightNumber: 7,
  sequenceNumber: 1,
  flightType: 'Scheduled',
  aircraftType: { iata: '789', icao: 'B789' },
  segmentInfo: { numberOfStops: 1, intermediateAirports: { iata: [{ sequenceNumber: 1, station: 'BOS' }] } },
  statusDetails: [{ state: 'Landed', updatedAt: '2024-06-02T09:00:00.000', departure: { gate: 'B36' } }],
} as const satisfies Partial<NextPage['data'][number]>;

const toWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('a marketing flight with all properties of v2 has the properties of v1', () => {
  const page: NextPage = {
    data: [
      {
        carrier: { iata: 'XX', icao: 'XXA' },
        ...shared,
        departure: {
          airport: { iata: 'JFK', icao: 'KJFK', faa: 'JFK' },
          terminal: '8',
          country: { code: 'US' },
          date: { local: '2024-06-01', utc: '2024-06-02' },
          time: { local: '22:00', utc: '02:00' },
        },
        arrival: {
          airport: { faa: '2G4' },
          date: { local: '2024-06-02', utc: '2024-06-02' },
          time: { local: '10:00', utc: '09:00' },
        },
        elapsedTime: 420,
        cargoTonnage: 15,
        serviceType: {},
        distance: distances([1, 1, 1]),
        codeshare: {
          ...companies,
          cabinCrewEmployer: { code: 'VV', name: '', number: '' },
          marketingFlights: [marketingFlight],
          operatingFlight,
        },
        scheduleInstanceKey: 'ab'.repeat(32),
        statusKey: 'cd'.repeat(32),
        isOperating: false,
        originalFlight: 'http://service.test/flight-instances/2024-06-01/x',
        map: 'http://service.test/map/x',
        seatingCapacity: { actual: { totalSeats: 229 } },
      },
    ],
    paging,
  };
  expect(toWire(toPage(page))).toEqual({
    data: [
      {
        carrierCode: { iata: 'XX', icao: 'XXA' },
        ...shared,
        departure: {
          airport: { iata: 'JFK', icao: 'KJFK' },
          terminal: '8',
          date: '2024-06-01',
          passengerLocalTime: '22:00',
        },
        arrival: { airport: {}, date: '2024-06-02', passengerLocalTime: '10:00' },
        serviceTypeCode: {},
        fingerprint: 'ab'.repeat(32),
        isOperating: false,
        codeshare: { ...companies, comments010: [marketingFlight], comment050: operatingFlight },
      },
    ],
    paging,
  });
});

test('a status of v1 has the properties that v1 names: not the stand, check-in and boarding of v2, and no later one', () => {
  const time = { local: '2024-06-01T10:00:00+01:00', utc: '2024-06-01T09:00:00+00:00' };
  const departure = { gate: 'B36', checkInCounter: 'C' };
  const arrival = { gate: '4', baggage: '6' };
  const progress = { checkIn: { status: 'Closed', time }, boarding: { status: 'GateClosed', time } } as const;
  const status = { state: 'OutGate', updatedAt: '2024-06-01T10:00:00.000' } as const;
  const whole = {
    ...status,
    equipment: { aircraftRegistrationNumber: 'GABCD', later: 1 },
    departure: { ...departure, stand: '336', ...progress, later: 1 },
    arrival: { ...arrival, stand: '4L', later: 1 },
    sources: [],
    later: 1,
  };
  const equipment = { aircraftRegistrationNumber: 'GABCD' };
  expect(toWire(toStatus(whole))).toEqual({ ...status, equipment, departure, arrival });
  expect(toWire(toStatus(status))).toEqual(status);
});

const silent: ListQuery = { version: 'v1', FlightType: ['Scheduled'], Limit: 10 };

test('converts a query of v1 to the names of v2', () => {
  const shared: Omit<ListQuery, 'version'> = {
    DepartureAirport: ['LHR', 'LGW'],
    ArrivalAirport: ['JFK'],
    FlightNumber: 101,
    FlightType: ['GA', 'Unscheduled'],
    Content: ['Status'],
    Limit: 500,
    After: 'c0ffee',
  };
  const query: ListQuery = {
    DepartureDate: '2024-06-01/2024-06-07',
    ArrivalDate: '2024-06-02',
    ...shared,
    version: 'v1',
    IataCarrierCode: ['ZX'],
    IcaoCarrierCode: ['NQB'],
  };
  expect(toNextQuery(query)).toEqual({
    ...shared,
    version: 'v2',
    DepartureDateTime: '2024-06-01/2024-06-07',
    ArrivalDateTime: '2024-06-02',
    CarrierCode: ['ZX', 'NQB'],
    CodeType: ['IATA', 'ICAO'],
    IncludeDiverted: false,
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

test.each<readonly [string, Partial<ListQuery>, readonly string[] | undefined]>([
  ['no code', {}, undefined],
  ['an airport', { DepartureAirport: ['LHR'] }, ['IATA']],
  ['an IATA carrier', { IataCarrierCode: ['ZX'] }, ['IATA']],
  ['an ICAO carrier', { IcaoCarrierCode: ['ZXA'] }, ['ICAO']],
  ['an ICAO carrier at an airport', { IcaoCarrierCode: ['ZXA'], ArrivalAirport: ['JFK'] }, ['IATA', 'ICAO']],
])('codes are parsed in the code systems of v1 %s', (_, codes, systems) => {
  expect(toNextQuery({ ...silent, ...codes }).CodeType).toEqual(systems);
});
