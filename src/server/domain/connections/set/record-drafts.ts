import { addDays } from '#domain/time/dates.ts';
import type { ScheduleRecord } from '#domain/schedule/schedule-records.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import type { ConnectingFlight, ConnectingRecord, ConnectionAirport } from '../flights/connecting-flight.ts';
import { toArrivalEnd, toDepartureEnd } from '../mct/mct-end.ts';
import { getStationMct, type MctTable, type StationMct } from '../mct/mct-table.ts';
import { computeLeg1Key, computeLeg2Key } from '../rules/pair-rules.ts';
import { buildPeriodMask, clearMaskDate, type DayFrame } from './day-masks.ts';
import { createInterner, type Interner } from './interner.ts';

/** A part of a record with constant UTC times. */
export type UnitDraft = {
  readonly departure: number;
  readonly arrival: number;
  readonly from: number;
  readonly mask: number;
};

/** The facts that all records of a flight share, as numbers of the interners. */
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

/** A record that is to become part of a set. */
export type RecordDraft = {
  readonly of: FlightDraft;
  readonly record: ScheduleRecord;
  readonly fingerprint: string;
  readonly period: number;
  readonly units: readonly UnitDraft[];
};

/** The collected records and everything they refer to by number. */
export type Drafts = {
  readonly records: readonly RecordDraft[];
  readonly airports: readonly ConnectionAirport[];
  readonly routes: readonly string[];
  readonly periods: readonly ScheduleRecord['period'][];
  readonly masks: readonly Uint32Array[];
  readonly leg1Keys: number;
  readonly leg2Keys: number;
};

const periodKey = ({ period: { from, to, days, everyWeeks } }: ScheduleRecord): string =>
  `${from} ${to} ${days} ${everyWeeks}`;

const designatorKey = ({ carrier, flightNumber, suffix }: Designator): string => `${carrier} ${flightNumber} ${suffix}`;

/** Numbers airports by code, and keeps the minimum connecting times within each. */
const numberAirports = (table: MctTable) => {
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

type AirportNumbers = ReturnType<typeof numberAirports>;

type DatedRecord = Pick<ConnectingRecord, 'record' | 'cancelledOn'>;

/** Numbers the dates of units; many units share theirs. */
const numberMasks = (frame: DayFrame) => {
  const numbers: Interner = createInterner();
  const masks: Uint32Array[] = [];
  const numberOf = ({ record, cancelledOn = [] }: DatedRecord, from: number, to: number): number => {
    const number = numbers.idOf(`${periodKey(record)} ${from} ${to} ${cancelledOn.join(',')}`);
    if (number === masks.length) {
      const { period } = record;
      const mask = buildPeriodMask(frame, period, {
        from: addDays(period.from, from - period.from),
        to: addDays(period.from, to - period.from),
      });
      for (const date of cancelledOn) clearMaskDate(frame, mask, date);
      masks.push(mask);
    }
    return number;
  };
  const isEmpty = (number: number): boolean => masks[number]?.every((word) => word === 0) ?? true;
  return { masks, numberOf, isEmpty };
};

type MaskNumbers = ReturnType<typeof numberMasks>;

/** Collects the records of a set and numbers everything that they share. */
export class RecordCollector {
  readonly #records: RecordDraft[] = [];
  readonly #airports: AirportNumbers;
  readonly #masks: MaskNumbers;
  readonly #routes = createInterner();
  readonly #designators = createInterner();
  readonly #leg1Keys = createInterner();
  readonly #leg2Keys = createInterner();
  readonly #arrivalClasses = createInterner();
  readonly #departureClasses = createInterner();
  readonly #periodNumbers = createInterner();
  readonly #periods: ScheduleRecord['period'][] = [];
  #latest: FlightDraft | undefined;

  constructor(frame: DayFrame, table: MctTable) {
    this.#airports = numberAirports(table);
    this.#masks = numberMasks(frame);
  }

  /** Adds a record; ignores one without a date in the frame. */
  add({ flight, record, fingerprint, cancelledOn }: ConnectingRecord): void {
    const units = this.#splitIntoUnits({ record, cancelledOn });
    if (units.length === 0) return;
    const period = this.#periodNumbers.idOf(periodKey(record));
    if (period === this.#periods.length) this.#periods.push(record.period);
    // The records of a flight are added one after the other.
    if (this.#latest?.flight !== flight) this.#latest = this.#draftFlight(flight);
    this.#records.push({ of: this.#latest, record, fingerprint, period, units });
  }

  drafts(): Drafts {
    return {
      records: this.#records,
      airports: this.#airports.airports,
      routes: this.#routes.texts(),
      periods: this.#periods,
      masks: this.#masks.masks,
      leg1Keys: this.#leg1Keys.texts().length,
      leg2Keys: this.#leg2Keys.texts().length,
    };
  }

  #draftFlight(flight: ConnectingFlight): FlightDraft {
    const { numberOf, timesAt } = this.#airports;
    const stations = flight.airports.map(numberOf);
    const [board, off] = [stations[0] ?? 0, stations.at(-1) ?? 0];
    const arrivalKey = timesAt(off).computeArrivalKey(toArrivalEnd(flight));
    const departureKey = timesAt(board).computeDepartureKey(toDepartureEnd(flight));
    return {
      flight,
      board,
      off,
      route: this.#routes.idOf(stations.join(' ')),
      designator: this.#designators.idOf(designatorKey(flight)),
      operating: this.#designators.idOf(designatorKey(flight.operating)),
      leg1Key: this.#leg1Keys.idOf(computeLeg1Key(flight)),
      leg2Key: this.#leg2Keys.idOf(computeLeg2Key(flight)),
      arrivalClass: this.#arrivalClasses.idOf(`${off} ${arrivalKey}`),
      departureClass: this.#departureClasses.idOf(`${board} ${departureKey}`),
    };
  }

  /** Splits a record where its UTC times change; parts without a date in the frame are left out. */
  #splitIntoUnits(dated: DatedRecord): readonly UnitDraft[] {
    const { record } = dated;
    const parts = [{ ...record, from: record.period.from }, ...record.clockChanges];
    return parts.flatMap(({ from, departureUtcMinutes, arrivalUtcMinutes }, index) => {
      const next = parts[index + 1]?.from;
      const mask = this.#masks.numberOf(dated, from, next === undefined ? record.period.to : next - 1);
      return this.#masks.isEmpty(mask)
        ? []
        : [{ departure: departureUtcMinutes, arrival: arrivalUtcMinutes, from, mask }];
    });
  }
}
