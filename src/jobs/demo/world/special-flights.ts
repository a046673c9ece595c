import { parseChoice, readCsvTable } from '../../../lib/csv-table.ts';
import type { Company } from '../../../domain/schedule/schedule.ts';
import {
  parseDays,
  parseMinutes,
  type LegOverrides,
  type TimetableElement,
  type TimetableFlight,
  type TimetableLeg,
} from './timetable.ts';

const flights = readCsvTable(new URL('data/special-flights.csv', import.meta.url), [
  'flight',
  'variation',
  'variations',
  'service_type',
  'departs',
  'days',
  'every_weeks',
]);

const legs = readCsvTable(new URL('data/special-flight-legs.csv', import.meta.url), [
  'flight',
  'variation',
  'from',
  'to',
  'equipment',
  'ground_minutes',
  'block_minutes',
  'passenger_before',
  'passenger_after',
  'departure_mct',
  'arrival_mct',
  'traffic_restriction',
  'joint_operator',
  'configuration',
  'crew',
  'aircraft_owner',
  'disclosure',
  'for_sale',
]);

const elements = readCsvTable(new URL('data/special-flight-elements.csv', import.meta.url), [
  'flight',
  'variation',
  'dei',
  'board',
  'off',
  'data',
]);

const toKey = ({ flight, variation }: { readonly flight: string; readonly variation: string }): string =>
  `${flight}/${variation}`;
const legsByFlight = Map.groupBy(legs, toKey);
const elementsByFlight = Map.groupBy(elements, toKey);

/** The overrides of ferry, test and training flights. */
const notForSale: LegOverrides = {
  bookingClasses: '',
  meals: '',
  secureFlight: '',
  electronicTicketing: undefined,
  inFlightServices: [],
};

const toCompany = (code: string): Company => ({ code, name: '' });
const toMinutes = (text: string): number | undefined => (text === '' ? undefined : Number(text));

/** Returns the overrides of a cell, none for an empty cell. */
const whenFilled = (cell: string, overrides: LegOverrides): LegOverrides => (cell === '' ? {} : overrides);

const disclosures = ['', 'L', 'S', 'X', 'Z'] as const;

const toOverrides = (row: (typeof legs)[number]): LegOverrides => ({
  ...whenFilled(row.traffic_restriction, { trafficRestrictions: row.traffic_restriction }),
  ...whenFilled(row.joint_operator, { jointOperators: [row.joint_operator] }),
  ...whenFilled(row.configuration, { configuration: row.configuration }),
  ...whenFilled(row.crew, { cockpitCrew: toCompany(row.crew), cabinCrew: toCompany(row.crew) }),
  ...whenFilled(row.aircraft_owner, { aircraftOwner: toCompany(row.aircraft_owner) }),
  ...whenFilled(row.disclosure, { disclosure: parseChoice(row.disclosure, disclosures) }),
  ...(row.for_sale === 'no' ? notForSale : {}),
});

const toLeg = (row: (typeof legs)[number]): TimetableLeg => ({
  from: row.from,
  to: row.to,
  equipment: row.equipment,
  groundMinutes: toMinutes(row.ground_minutes),
  blockMinutes: toMinutes(row.block_minutes),
  passengerMinutes: [Number(row.passenger_before), Number(row.passenger_after)],
  mctStatus: [parseChoice(row.departure_mct, ['D', 'I', '']), parseChoice(row.arrival_mct, ['D', 'I', ''])],
  overrides: toOverrides(row),
});

const toElement = (row: (typeof elements)[number]): TimetableElement => ({
  dei: Number(row.dei),
  from: Number(row.board),
  to: Number(row.off),
  data: row.data,
});

const toFlight = (row: (typeof flights)[number]): TimetableFlight => {
  const [carrier = '', flightNumber, suffix = ''] = row.flight.split(' ');
  const [first, ...others] = (legsByFlight.get(toKey(row)) ?? []).map(toLeg);
  if (!first) throw new RangeError(`the special flight ${row.flight} has no leg`);
  return {
    carrier,
    flightNumber: Number(flightNumber),
    suffix,
    serviceType: row.service_type,
    departs: parseMinutes(row.departs),
    days: parseDays(row.days),
    everyWeeks: row.every_weeks === '2' ? 2 : 1,
    season: 'all year',
    rotationDay: 0,
    variation: Number(row.variation),
    variations: Number(row.variations),
    legs: [first, ...others],
    elements: (elementsByFlight.get(toKey(row)) ?? []).map(toElement),
  };
};

/** Flights that each show one feature of SSIM schedules, with numbers that no network uses. */
export const specialFlights: readonly TimetableFlight[] = flights.map(toFlight);
