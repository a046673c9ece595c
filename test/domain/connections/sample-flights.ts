import { blankMctRecord, blankMctSide } from '#domain/connections/mct/mct-record.ts';
import type { MctRecord, MctSide } from '#domain/connections/mct/mct-record.ts';
import type { ConnectingFlight, ConnectionAirport } from '#domain/connections/flights/connecting-flight.ts';
import type { Designator, Restriction } from '#domain/schedule/schedule.ts';

/** Airports of these tests; those of one city have one city code. */
export const airports = {
  AMS: { iata: 'AMS', cityCode: 'AMS', countryCode: 'NL', stateCode: '', latitude: 52.31, longitude: 4.76 },
  BHX: { iata: 'BHX', cityCode: 'BHX', countryCode: 'GB', stateCode: '', latitude: 52.45, longitude: -1.75 },
  CDG: { iata: 'CDG', cityCode: 'PAR', countryCode: 'FR', stateCode: '', latitude: 49.01, longitude: 2.55 },
  JFK: { iata: 'JFK', cityCode: 'NYC', countryCode: 'US', stateCode: 'NY', latitude: 40.64, longitude: -73.78 },
  LGW: { iata: 'LGW', cityCode: 'LON', countryCode: 'GB', stateCode: '', latitude: 51.15, longitude: -0.19 },
  LHR: { iata: 'LHR', cityCode: 'LON', countryCode: 'GB', stateCode: '', latitude: 51.47, longitude: -0.46 },
  MAN: { iata: 'MAN', cityCode: 'MAN', countryCode: 'GB', stateCode: '', latitude: 53.35, longitude: -2.28 },
  TUN: { iata: 'TUN', cityCode: 'TUN', countryCode: 'TN', stateCode: '', latitude: 36.85, longitude: 10.23 },
  XXX: { iata: 'XXX', cityCode: '', countryCode: '', stateCode: '', latitude: undefined, longitude: undefined },
} as const satisfies Record<string, ConnectionAirport>;

/** `BA 10` or `BA 10A`. */
const toDesignator = (text: string): Designator => {
  const [carrier = '', number = '0'] = text.split(' ');
  return { carrier, flightNumber: Number.parseInt(number, 10), suffix: number.replace(/^\d+/, '') };
};

/** Creates an operating passenger flight, e.g. `createFlight('BA 10', 'MAN LHR')`; `but` overrides members. */
export const createFlight = (of: string, route: string, changes: Partial<ConnectingFlight> = {}): ConnectingFlight => {
  const [board = airports.XXX, next = airports.XXX, ...further] = route
    .split(' ')
    .map((code) => Object.values(airports).find(({ iata }) => iata === code) ?? airports.XXX);
  const sector = { type: '320', body: 'N' } as const;
  return {
    ...toDesignator(of),
    operating: toDesignator(of),
    operatingCarrier: (changes.operating ?? toDesignator(of)).carrier,
    isMarketing: false,
    airports: [board, next, ...further],
    equipment: [sector, ...further.map(() => sector)],
    serviceType: 'J',
    departureTerminal: '',
    arrivalTerminal: '',
    departureStatus: '',
    arrivalStatus: '',
    restrictions: [],
    ...changes,
  };
};

export const createMarketingFlight = (of: string, operatedAs: string, route: string): ConnectingFlight =>
  createFlight(of, route, { isMarketing: true, operating: toDesignator(operatedAs) });

export const createRestriction = (code: string, changes: Partial<Restriction> = {}): Restriction => ({
  number: 1,
  code,
  passenger: true,
  cargo: true,
  mail: true,
  boardPoint: true,
  offPoint: true,
  ...changes,
});

export type MctRecordFields = Partial<Omit<MctRecord, 'arrival' | 'departure'>> & {
  readonly arrival?: Partial<MctSide>;
  readonly departure?: Partial<MctSide>;
};

/** Creates a record with no criterion but its status, 45 minutes for II, and the given members. */
export const createMctRecord = ({ arrival, departure, ...changes }: MctRecordFields = {}): MctRecord => ({
  ...blankMctRecord,
  line: 1,
  status: 'II',
  arrival: { ...blankMctSide, ...arrival },
  departure: { ...blankMctSide, ...departure },
  minutes: 45,
  ...changes,
});

export const createSuppression = (fields: MctRecordFields = {}): MctRecord =>
  createMctRecord({ suppression: 'Y', minutes: undefined, ...fields });
