import type { UtcSecond } from '../../../domain/status/instants.ts';
import { computeBlockMinutes } from '../world/leg-times.ts';
import { findTerminal } from '../world/airports.ts';
import { computeDistanceRatio, toLocalDate } from './airport-geography.ts';
import { interpolate, createSeededRandom, pick } from '../../../lib/seeded-random.ts';
import type { PlannedDiversion } from './flight-times.ts';
import { addMinutes, type DemoFlight } from './demo-flight.ts';

/** Minutes from the arrival of a diverted flight to the departure of the one that takes its passengers on. */
const RECOVERS_AFTER = 180;
/** Minutes from that arrival until the airline has decided so. */
const DECIDES_AFTER = 20;

const inFives = (at: UtcSecond): UtcSecond => (Math.ceil(at / 300) * 300) as UtcSecond;

/**
 * The flight that brings the passengers of a diverted one to their destination, three hours after its landing and with another
 * aircraft. It has the number of the diverted flight and the suffix R.
 */
export const createRecoveryFlight = (diverted: DemoFlight, landing: PlannedDiversion): DemoFlight => {
  const { reference, departsAt: left, arrivesAt: due } = diverted;
  const { airport } = landing;
  const { departureAirport, arrivalAirport = '' } = reference;
  const share = computeDistanceRatio([airport, arrivalAirport], [departureAirport, arrivalAirport]);
  const departsAt = inFives(addMinutes(landing.in, RECOVERS_AFTER));
  return {
    ...diverted,
    reference: {
      ...reference,
      suffix: 'R',
      originDate: toLocalDate(airport, departsAt),
      departureAirport: airport,
    },
    departsAt,
    arrivesAt: inFives(addMinutes(departsAt, (share * (due - left)) / 60 + 35)),
    departureTerminal: findTerminal(airport, reference.carrier),
    unscheduled: { announcedAt: addMinutes(landing.in, DECIDES_AFTER), recovers: reference },
  };
};

/** Holiday flights at short notice: where to, and with what. */
const charters = [
  { to: 'ATH', iata: '321', icao: 'A321' },
  { to: 'OPO', iata: '738', icao: 'B738' },
  { to: 'CMN', iata: '738', icao: 'B738' },
  { to: 'CAI', iata: '321', icao: 'A321' },
  { to: 'KEF', iata: '738', icao: 'B738' },
] as const;

const CHARTER = 'Z1';
const CHARTER_BASE = 'LGW';
/** The numbers of charters are these and the two after; no flight of the schedule has them. */
const FIRST_CHARTER_NUMBER = 8901;

/** A charter that leaves some time after an instant, one of three a day; announced on the day before. */
export const createCharterFlight = (start: UtcSecond, ofDay: number): DemoFlight => {
  const chance = createSeededRandom(`charter|${start}`);
  const { to, iata, icao } = pick<(typeof charters)[number]>(chance('route'), charters);
  const departsAt = inFives(addMinutes(start, interpolate(chance('at'), 90, 170)));
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
      announcedAt: addMinutes(departsAt, -interpolate(chance('announced'), 1200, 1560)),
      recovers: undefined,
    },
  };
};
