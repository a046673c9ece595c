import type { UtcSecond } from '../../../domain/status/instants.ts';
import { computeBlockMinutes } from '../world/leg-times.ts';
import { findTerminal } from '../world/airports.ts';
import { computeDistanceRatio, toLocalDate } from './airport-geography.ts';
import { interpolate, createSeededRandom, pick } from '../../../lib/seeded-random.ts';
import type { PlannedDiversion } from './flight-times.ts';
import { addMinutes, type DemoFlight } from './demo-flight.ts';

/** Minutes from the arrival of a diverted flight to the departure of its recovery flight. */
const DEPARTS_AFTER = 180;
/** Minutes from that arrival to the announcement. */
const ANNOUNCED_AFTER = 20;

const roundUpToFiveMinutes = (at: UtcSecond): UtcSecond => (Math.ceil(at / 300) * 300) as UtcSecond;

/**
 * Returns the recovery flight of a diverted flight: it carries the passengers to their destination three hours after
 * the landing, with another aircraft, under the same flight number with the suffix R.
 */
export const createRecoveryFlight = (diverted: DemoFlight, diversion: PlannedDiversion): DemoFlight => {
  const { reference, departsAt: divertedDepartsAt, arrivesAt: dueAt } = diverted;
  const { airport } = diversion;
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
    unscheduled: { announcedAt: addMinutes(diversion.in, ANNOUNCED_AFTER), recovers: reference },
  };
};

/** Destinations and aircraft types of charters. */
const charters = [
  { to: 'ATH', iata: '321', icao: 'A321' },
  { to: 'OPO', iata: '738', icao: 'B738' },
  { to: 'CMN', iata: '738', icao: 'B738' },
  { to: 'CAI', iata: '321', icao: 'A321' },
  { to: 'KEF', iata: '738', icao: 'B738' },
] as const;

const CHARTER = 'Z1';
const CHARTER_BASE = 'LGW';
/** Charters have this number and the next two, which no scheduled flight has. */
const FIRST_CHARTER_NUMBER = 8901;

/**
 * Returns a charter that departs 90 to 170 minutes after an instant, announced on the day before; `ofDay` is its number
 * on the day, from 0.
 */
export const createCharterFlight = (start: UtcSecond, ofDay: number): DemoFlight => {
  const random = createSeededRandom(`charter|${start}`);
  const { to, iata, icao } = pick<(typeof charters)[number]>(random('route'), charters);
  const departsAt = roundUpToFiveMinutes(addMinutes(start, interpolate(random('at'), 90, 170)));
  return {
    reference: {
      by: 'designator',
      carrier: CHARTER,
      flightNumber: FIRST_CHARTER_NUMBER + ofDay,
      suffix: '',
      originDate: toLocalDate(CHARTER_BASE, departsAt),
      departureAirport: CHARTER_BASE,
      arrivalAirport: to,
    },
    departsAt,
    arrivesAt: addMinutes(departsAt, computeBlockMinutes(CHARTER_BASE, to, iata)),
    aircraftType: { iata, icao },
    departureTerminal: findTerminal(CHARTER_BASE, CHARTER),
    arrivalTerminal: findTerminal(to, CHARTER),
    serviceType: 'C',
    unscheduled: {
      announcedAt: addMinutes(departsAt, -interpolate(random('announced'), 1200, 1560)),
      recovers: undefined,
    },
  };
};
