import { addDays } from '../../time/dates.ts';
import type { ScheduleRecord } from '../../schedule/schedule-records.ts';
import type { ConnectingFlight, ConnectingRecord, ConnectionAirport } from '../flights/connecting-flight.ts';
import { toArrivalEnd, toDepartureEnd } from '../mct/mct-end.ts';
import { getStationMct, type MctTable, type StationMct } from '../mct/mct-table.ts';
import { computeLeg1Key, computeLeg2Key } from '../rules/pair-rules.ts';
import { buildPeriodMask, type DayFrame } from './day-masks.ts';
import { createInterner, type Interner } from './interner.ts';

/** A part of a record in which UTC times are constant. */
export type UnitDraft = {
  readonly departure: number;
  readonly arrival: number;
  readonly from: number;
  readonly mask: number;
};

/** What all records of a flight share, as numbers of the interners. */
type FlightDraft = {
  readonly flight: ConnectingFlight;
  readonly board: number;
  readonly off: number;
  readonly route: number;
  readonly designator: number;
  readonly operating: number;
  readonly leg1Key: number;
  readonly leg2Key: number;
  readonly arrivalClass: number;
  readonly departureClass: number;
};

/** A record on its way into a set. */
export type RecordDraft = {
  readonly of: FlightDraft;
  readonly record: ScheduleRecord;
  readonly fingerprint: string;
  readonly period: number;
  readonly units: readonly UnitDraft[];
};

/** Everything that records name more than once. */
export type Drafts = {
  readonly records: readonly RecordDraft[];
  readonly airports: readonly ConnectionAirport[];
  readonly routes: readonly string[];
  readonly periods: readonly ScheduleRecord['period'][];
  readonly masks: readonly Uint32Array[];
  readonly leg1Keys: number;
  readonly leg2Keys: number;
};

const textOf = ({ period: { from, to, days, everyWeeks } }: ScheduleRecord): string =>
  `${from} ${to} ${days} ${everyWeeks}`;

/** Numbers airports by code, and remembers the minimum connecting times within each. */
const newAirports = (table: MctTable) => {
  const numbers = createInterner();
  const airports: ConnectionAirport[] = [];
  const times: StationMct[] = [];
  const numberOf = (airport: ConnectionAirport): number => {
    const number = numbers.idOf(airport.iata);
    if (number === airports.length) {
      airports.push(airport);
      times.push(getStationMct(table, airport, airport));
    }
    return number;
  };
  const timesAt = (number: number): StationMct => {
    const at = times[number];
    if (!at) throw new RangeError(`no airport has the number ${number}`);
    return at;
  };
  return { airports, numberOf, timesAt };
};

/** Numbers the dates of each unit; most units share theirs with many. */
const newMasks = (frame: DayFrame) => {
  const numbers: Interner = createInterner();
  const masks: Uint32Array[] = [];
  const numberOf = (record: ScheduleRecord, from: number, to: number): number => {
    const number = numbers.idOf(`${textOf(record)} ${from} ${to}`);
    if (number === masks.length) {
      const { period } = record;
      masks.push(
        buildPeriodMask(frame, period, {
          from: addDays(period.from, from - period.from),
          to: addDays(period.from, to - period.from),
        }),
      );
    }
    return number;
  };
  const isEmpty = (number: number): boolean => masks[number]?.every((word) => word === 0) ?? true;
  return { masks, numberOf, isEmpty };
};

/** Collects records: `add` takes one, `done` gives all that depart within the frame. */
export const newDrafts = (
  frame: DayFrame,
  table: MctTable,
): { readonly add: (record: ConnectingRecord) => void; readonly done: () => Drafts } => {
  const records: RecordDraft[] = [];
  const { airports, numberOf, timesAt } = newAirports(table);
  const dates = newMasks(frame);
  const [routes, designators, leg1Keys, leg2Keys] = [
    createInterner(),
    createInterner(),
    createInterner(),
    createInterner(),
  ];
  const [arrivalClasses, departureClasses, periodNumbers] = [createInterner(), createInterner(), createInterner()];
  const periods: ScheduleRecord['period'][] = [];

  const draftFlight = (flight: ConnectingFlight): FlightDraft => {
    const stations = flight.airports.map(numberOf);
    const [board, off] = [stations[0] ?? 0, stations.at(-1) ?? 0];
    const { carrier, flightNumber, suffix, operating } = flight;
    return {
      flight,
      board,
      off,
      route: routes.idOf(stations.join(' ')),
      designator: designators.idOf(`${carrier} ${flightNumber} ${suffix}`),
      operating: designators.idOf(`${operating.carrier} ${operating.flightNumber} ${operating.suffix}`),
      leg1Key: leg1Keys.idOf(computeLeg1Key(flight)),
      leg2Key: leg2Keys.idOf(computeLeg2Key(flight)),
      arrivalClass: arrivalClasses.idOf(`${off} ${timesAt(off).arrivalKeyOf(toArrivalEnd(flight))}`),
      departureClass: departureClasses.idOf(`${board} ${timesAt(board).departureKeyOf(toDepartureEnd(flight))}`),
    };
  };
  let latest: FlightDraft | undefined;
  const draftOf = (flight: ConnectingFlight): FlightDraft => {
    // The records of a flight come one after the other.
    if (latest?.flight !== flight) latest = draftFlight(flight);
    return latest;
  };
  const unitsOf = (record: ScheduleRecord): readonly UnitDraft[] => {
    const parts = [{ ...record, from: record.period.from }, ...record.clockChanges];
    return parts.flatMap(({ from, departureUtcMinutes, arrivalUtcMinutes }, index) => {
      const next = parts[index + 1]?.from;
      const mask = dates.numberOf(record, from, next === undefined ? record.period.to : next - 1);
      return dates.isEmpty(mask) ? [] : [{ departure: departureUtcMinutes, arrival: arrivalUtcMinutes, from, mask }];
    });
  };
  const add = ({ flight, record, fingerprint }: ConnectingRecord): void => {
    const units = unitsOf(record);
    if (units.length === 0) return;
    const period = periodNumbers.idOf(textOf(record));
    if (period === periods.length) periods.push(record.period);
    records.push({ of: draftOf(flight), record, fingerprint, period, units });
  };
  const done = (): Drafts => ({
    records,
    airports,
    routes: routes.texts(),
    periods,
    masks: dates.masks,
    leg1Keys: leg1Keys.texts().length,
    leg2Keys: leg2Keys.texts().length,
  });
  return { add, done };
};
