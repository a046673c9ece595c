import {
  blankMctRecord,
  blankMctSide,
  type MctFile,
  type MctRecord,
  type MctSide,
  mctStatuses,
} from '../../../domain/connections/mct/mct-record.ts';
import { parseChoice, readCsvTable } from '../../../lib/csv-table.ts';
import { addDays, type LocalDate } from '../../../domain/time/dates.ts';

type Draft = Omit<MctRecord, 'line'>;

const standards = readCsvTable(new URL('data/mct-standards.csv', import.meta.url), ['airport', 'dd', 'di', 'id', 'ii']);

const airportChanges = readCsvTable(new URL('data/mct-airport-changes.csv', import.meta.url), [
  'airport',
  'other_airport',
  'minutes',
]);

const exceptions = readCsvTable(new URL('data/mct-exceptions.csv', import.meta.url), [
  'airport',
  'status',
  'minutes',
  'carrier',
  'suppression',
  'operator',
  'arrival_terminal',
  'departure_terminal',
  'arrival_body',
  'arrival_region',
  'departure_region',
  'arrival_flight_from',
  'arrival_flight_to',
  'from_day',
  'to_day',
]);

type ExceptionRow = (typeof exceptions)[number];

const buildStandards = (): readonly Draft[] =>
  standards.flatMap(({ airport, dd, di, id, ii }) => {
    const minutes = { DD: dd, DI: di, ID: id, II: ii };
    return mctStatuses.map((status) => ({
      status,
      ...blankMctRecord,
      arrivalStation: airport,
      departureStation: airport,
      minutes: Number(minutes[status]),
    }));
  });

const buildAirportChanges = (): readonly Draft[] =>
  airportChanges.flatMap(({ airport, other_airport: other, minutes }) =>
    mctStatuses.flatMap((status) => {
      const change = { status, ...blankMctRecord, minutes: Number(minutes) };
      return [
        { ...change, arrivalStation: airport, departureStation: other },
        { ...change, arrivalStation: other, departureStation: airport },
      ];
    }),
  );

const toArrival = (row: ExceptionRow): MctSide => ({
  ...blankMctSide,
  carrier: row.carrier,
  isCodeshare: row.operator !== '',
  operator: row.operator,
  terminal: row.arrival_terminal,
  body: parseChoice(row.arrival_body, ['W', 'N', '']),
  region: row.arrival_region,
  flights:
    row.arrival_flight_from === ''
      ? undefined
      : { from: Number(row.arrival_flight_from), to: Number(row.arrival_flight_to) },
});

const toDeparture = (row: ExceptionRow): MctSide => ({
  ...blankMctSide,
  carrier: row.carrier,
  isCodeshare: row.operator !== '',
  operator: row.operator,
  terminal: row.departure_terminal,
  region: row.departure_region,
});

const buildExceptions = (today: LocalDate): readonly Draft[] =>
  exceptions.map((row) => ({
    status: row.status === '' ? 'II' : parseChoice(row.status, mctStatuses),
    ...blankMctRecord,
    arrivalStation: row.airport,
    departureStation: row.airport,
    arrival: toArrival(row),
    departure: toDeparture(row),
    from: row.from_day === '' ? undefined : addDays(today, Number(row.from_day)),
    to: row.to_day === '' ? undefined : addDays(today, Number(row.to_day)),
    suppression: parseChoice(row.suppression, ['Y', 'N', '']),
    minutes: row.minutes === '' ? undefined : Number(row.minutes),
    submittedBy: row.carrier,
  }));

/**
 * Returns the minimum connecting times of the demo world: station standards, exceptions of its airlines, a suppression
 * and one list of connecting partners.
 */
export const buildMinimumConnectingTimes = (today: LocalDate): MctFile => {
  const drafts = [...buildStandards(), ...buildAirportChanges(), ...buildExceptions(today)];
  // The first line of a file is its header.
  const records = drafts.map((draft, index) => ({ ...draft, line: index + 2 }));
  return { records, partners: [{ line: drafts.length + 2, carrier: 'Z1', partners: ['L0', 'W0'] }] };
};
