import { expect, test } from 'vitest';
import type { FlightInstancePage as NextPage } from '../../../../generated/flight-info/v2/types.gen.ts';
import { toPage } from '../../../../src/products/flight-info/v1/to-flight-instance.ts';

/** The form on the wire, without undefined members. */
const toWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('a marketing flight with all properties of v2 has the properties of v1', () => {
  const page: NextPage = {
    data: [
      {
        carrier: { iata: 'XX', icao: 'XXA' },
        serviceSuffix: 'A',
        flightNumber: 7,
        sequenceNumber: 1,
        flightType: 'Scheduled',
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
        aircraftType: { iata: '789', icao: 'B789' },
        serviceType: {},
        segmentInfo: { numberOfStops: 1, intermediateAirports: { iata: [{ sequenceNumber: 1, station: 'BOS' }] } },
        distance: {
          accumulatedGreatCircleKilometers: 1,
          accumulatedGreatCircleMiles: 1,
          accumulatedGreatCircleNauticalMiles: 1,
          greatCircleKilometers: 1,
          greatCircleMiles: 1,
          greatCircleNauticalMiles: 1,
        },
        codeshare: {
          operatingAirlineDisclosure: { code: 'YY', name: 'Young Yonder', number: '' },
          aircraftOwner: { code: 'WW', name: 'Wide World' },
          cockpitCrewEmployer: { code: 'WW', name: 'Wide World', number: '4' },
          cabinCrewEmployer: { code: 'VV', name: '', number: '' },
          jointOperationAirlineDesignators: [{ code: 'UU', name: '', number: '' }],
          marketingFlights: [{ code: 'TT', serviceNumber: '9', suffix: '' }],
          operatingFlight: { code: 'YY', serviceNumber: '70', suffix: 'B' },
        },
        scheduleInstanceKey: 'ab'.repeat(32),
        statusKey: 'cd'.repeat(32),
        originalFlight: 'http://service.test/flight-instances/2024-06-01/x',
        map: 'http://service.test/map/x',
        seatingCapacity: { actual: { totalSeats: 229 } },
        statusDetails: [{ state: 'Landed', updatedAt: '2024-06-02T09:00:00.000', departure: { gate: 'B36' } }],
      },
    ],
    paging: { limit: 10, totalCount: 11, totalPages: 2, next: 'http://service.test/flight-instances?After=x' },
  };
  expect(toWire(toPage(page))).toEqual({
    data: [
      {
        carrierCode: { iata: 'XX', icao: 'XXA' },
        serviceSuffix: 'A',
        flightNumber: 7,
        sequenceNumber: 1,
        flightType: 'Scheduled',
        departure: {
          airport: { iata: 'JFK', icao: 'KJFK' },
          terminal: '8',
          date: '2024-06-01',
          passengerLocalTime: '22:00',
        },
        arrival: { airport: {}, date: '2024-06-02', passengerLocalTime: '10:00' },
        aircraftType: { iata: '789', icao: 'B789' },
        serviceTypeCode: {},
        segmentInfo: { numberOfStops: 1, intermediateAirports: { iata: [{ sequenceNumber: 1, station: 'BOS' }] } },
        fingerprint: 'ab'.repeat(32),
        codeshare: {
          operatingAirlineDisclosure: { code: 'YY', name: 'Young Yonder', number: '' },
          aircraftOwner: { code: 'WW', name: 'Wide World' },
          cockpitCrewEmployer: { code: 'WW', name: 'Wide World', number: '4' },
          jointOperationAirlineDesignators: [{ code: 'UU', name: '', number: '' }],
          comments010: [{ code: 'TT', serviceNumber: '9', suffix: '' }],
          comment050: { code: 'YY', serviceNumber: '70', suffix: 'B' },
        },
        statusDetails: [{ state: 'Landed', updatedAt: '2024-06-02T09:00:00.000', departure: { gate: 'B36' } }],
      },
    ],
    paging: { limit: 10, totalCount: 11, totalPages: 2, next: 'http://service.test/flight-instances?After=x' },
  });
});
