import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';

/** The list row of XX 101 LHR-JFK on 1 June 2026, with only the mandatory fields. */
export const row: FlightInstance = {
  carrier: { iata: 'XX' },
  serviceSuffix: '',
  flightNumber: 101,
  sequenceNumber: 1,
  flightType: 'Scheduled',
  departure: {
    airport: { iata: 'LHR', icao: 'EGLL' },
    terminal: '5',
    country: { code: 'GB' },
    date: { local: '2026-06-01', utc: '2026-06-01' },
    time: { local: '11:00', utc: '10:00' },
  },
  arrival: {
    airport: { iata: 'JFK', icao: 'KJFK', faa: 'JFK' },
    terminal: '',
    country: { code: 'US' },
    date: { local: '2026-06-01', utc: '2026-06-01' },
    time: { local: '14:00', utc: '18:00' },
  },
  elapsedTime: 480,
  aircraftType: {},
  serviceType: {},
  segmentInfo: { numberOfStops: 0, intermediateAirports: { iata: [] } },
  codeshare: { jointOperationAirlineDesignators: [], marketingFlights: [] },
  scheduleInstanceKey: 'a'.repeat(64),
  statusKey: 'b'.repeat(64),
  isOperating: true,
};
