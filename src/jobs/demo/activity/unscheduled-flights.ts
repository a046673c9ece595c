import type { UtcSecond } from '../../../domain/status/instants.ts';
import { computeBlockMinutes } from '../world/leg-times.ts';
import { findTerminal } from '../world/airports.ts';
import { computeDistanceRatio, toLocalDate } from './airport-geography.ts';
import { interpolate, createSeededRandom, pick } from '../../../lib/seeded-random.ts';
import type { PlannedDiversion } from './flight-times.ts';
import { assignAircraft, buildRegistration } from './registrations.ts';
import { addMinutes, type DemoFlight } from './demo-flight.ts';

/** Minutes from the arrival of a diverted flight to the departure of its recovery flight. */
const DEPARTS_AFTER = 180;
/** Minutes from that arrival to the announcement. */
const ANNOUNCED_AFTER = 20;

const roundUpToFiveMinutes = (at: UtcSecond): UtcSecond => (Math.ceil(at / 300) * 300) as UtcSecond;

/**
 * Returns the recovery flight of a diverted flight: the aircraft continues to the destination three hours after the
 * landing, under the same flight number with the suffix R.
 */
export const createRecoveryFlight = (diverted: DemoFlight, diversion: PlannedDiversion): DemoFlight => {
  const { reference, departsAt: divertedDepartsAt, arrivesAt: dueAt } = diverted;
  const { airport } = diversion;
  const { planned, spare } = assignAircraft(diverted);
  const { departureAirport, arrivalAirport = '' } = reference;
  const share = computeDistanceRatio([airport, arrivalAirport], [departureAirport, arrivalAirport]);
  const departsAt = roundUpToFiveMinutes(addMinutes(diversion.in, DEPARTS_AFTER));
  return {
    ...diverted,
    reference: {
      ...reference,
      suffix: 'R',
      originDate: toLocalDate(airport, departsAt),
      departureAirport: airport,
    },
    departsAt,
    arrivesAt: roundUpToFiveMinutes(addMinutes(departsAt, (share * (dueAt - divertedDepartsAt)) / 60 + 35)),
    departureTerminal: findTerminal(airport, reference.carrier),
    registration: spare ?? planned,
    unscheduled: { announcedAt: addMinutes(diversion.in, ANNOUNCED_AFTER), recovers: reference },
  };
};

/** Destinations of charters in North America. */
const CHARTER_DESTINATIONS: readonly [string, ...string[]] = ['DEN', 'MEX', 'SJU', 'YYT', 'YYZ'];
const CHARTER = 'K1';
const CHARTER_BASE = 'MIA';
const CHARTER_TYPE = { iata: '738', icao: 'B738' };
/** Charters have this number and the next two, which no scheduled flight has. */
const FIRST_CHARTER_NUMBER = 8901;
/** The charter aircraft come after those of all rotations. */
const FIRST_CHARTER_AIRCRAFT = 1990;
/** Charters of a cycle: two leave the base with an aircraft each, and the next two bring these back. */
const CYCLE = 4;

/**
 * Returns the charter of a shift, an interval of `shiftSeconds` from the epoch: it departs 90 to 170 minutes after its
 * start and is announced on the day before.
 */
export const createCharterFlight = (shift: number, shiftSeconds: number): DemoFlight => {
  const isReturn = shift % CYCLE >= CYCLE / 2;
  const destination = pick(
    createSeededRandom(`charter|${isReturn ? shift - CYCLE / 2 : shift}`)('route'),
    CHARTER_DESTINATIONS,
  );
  const [from, to] = isReturn ? [destination, CHARTER_BASE] : [CHARTER_BASE, destination];
  const random = createSeededRandom(`charter|${shift}`);
  const departsAt = roundUpToFiveMinutes(
    addMinutes((shift * shiftSeconds) as UtcSecond, interpolate(random('at'), 90, 170)),
  );
  return {
    reference: {
      by: 'designator',
      carrier: CHARTER,
      flightNumber: FIRST_CHARTER_NUMBER + (shift % 3),
      suffix: '',
      originDate: toLocalDate(from, departsAt),
      departureAirport: from,
      arrivalAirport: to,
    },
    departsAt,
    arrivesAt: addMinutes(departsAt, computeBlockMinutes(from, to, CHARTER_TYPE.iata)),
    aircraftType: CHARTER_TYPE,
    departureTerminal: findTerminal(from, CHARTER),
    arrivalTerminal: findTerminal(to, CHARTER),
    serviceType: 'C',
    registration: buildRegistration(CHARTER, FIRST_CHARTER_AIRCRAFT + (shift % 2)),
    unscheduled: {
      announcedAt: addMinutes(departsAt, -interpolate(random('announced'), 1200, 1560)),
      recovers: undefined,
    },
  };
};
