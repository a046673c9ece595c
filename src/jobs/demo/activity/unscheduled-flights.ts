import type { UtcSecond } from '#domain/status/instants.ts';
import { findTerminal, computeDistanceRatio, toLocalDate, computeDistance } from '../world/airports.ts';
import { interpolate, createSeededRandom, pick } from '#lib/seeded-random.ts';
import type { PlannedDiversion } from './flight-times.ts';
import { assignAircraft, buildRegistration, addMinutes, type DemoFlight, type DemoReference } from './demo-flight.ts';
import type { UnscheduledFlightDescription, StatusMessage } from '#domain/status/message.ts';
import { businessOperators } from '../world/carriers.ts';
import { toMessages, type StatusReport } from './status-reports.ts';

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

type CharterRoute = readonly [destination: string, minutesOut: number, minutesBack: number];
/** Destinations of charters in North America, with the minutes from gate to gate. */
const charterRoutes: readonly [CharterRoute, ...CharterRoute[]] = [
  ['DEN', 255, 235],
  ['MEX', 190, 190],
  ['SJU', 165, 165],
  ['YYT', 290, 310],
  ['YYZ', 185, 185],
];
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
  const [destination, minutesOut, minutesBack] = pick(
    createSeededRandom(`charter|${isReturn ? shift - CYCLE / 2 : shift}`)('route'),
    charterRoutes,
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
    arrivesAt: addMinutes(departsAt, isReturn ? minutesBack : minutesOut),
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

type Route = readonly [from: string, to: string, type: string, cruiseKmh: number];

/**
 * One route for each two hours of a UTC day, with a longer flight time: flown there on one day and back on the next
 * by an aircraft of its own. 1C5 and N07 are airfields with an FAA code
 * only.
 */
const routes: readonly Route[] = [
  ['LAX', 'ORD', 'C68A', 800],
  ['SEA', 'ORD', 'C68A', 800],
  ['ANC', 'SEA', 'C25C', 740],
  ['SFO', 'ORD', 'GL5T', 870],
  ['MIA', 'DEN', 'C68A', 800],
  ['BOS', 'PHX', 'GL5T', 870],
  ['N07', 'MIA', 'PC12', 480],
  ['1C5', 'BOS', 'PC12', 480],
  ['DCA', 'DEN', 'C25C', 740],
  ['1C5', 'DEN', 'PC12', 480],
  ['EWR', 'LAX', 'GL5T', 870],
  ['PHX', 'BOS', 'C68A', 800],
];

/** Seconds between departures. */
const INTERVAL = 7200;
const DAY_SECONDS = 86_400;
/** Climb, approach and detours, minutes. */
const OVERHEAD = 15;

type FiledFlight = {
  readonly number: number;
  readonly reference: DemoReference;
  readonly plan: UnscheduledFlightDescription;
  readonly registration: string;
};

const fileFlight = (number: number): FiledFlight => {
  const position = ((number % routes.length) + routes.length) % routes.length;
  const [base, other, icao, cruiseKmh] = routes[position] ?? ['LAX', 'ORD', 'C68A', 800];
  const day = Math.floor((number * INTERVAL) / DAY_SECONDS);
  const [from, to] = day % 2 === 0 ? [base, other] : [other, base];
  const random = createSeededRandom(`general aviation|${number}`);
  const departsAt = addMinutes((number * INTERVAL) as UtcSecond, interpolate(random('at'), 0, 20));
  const operator = businessOperators[position % 2] ?? '';
  const minutes = OVERHEAD + ((computeDistance(from, to) ?? 0) / 1000 / cruiseKmh) * 60;
  return {
    number,
    reference: {
      by: 'designator',
      carrier: operator,
      // A number repeats after ten days, so that no clock change puts two of its flights on one local day.
      flightNumber: 201 + position + 20 * (day % 10),
      suffix: '',
      originDate: toLocalDate(from, departsAt),
      departureAirport: from,
      arrivalAirport: to,
    },
    plan: {
      flightType: 'GA',
      departureAirport: from,
      arrivalAirport: to,
      departsAt,
      arrivesAt: addMinutes(departsAt, minutes),
      serviceType: '',
      aircraftType: { iata: '', icao },
      recovers: undefined,
    },
    // The United States never issue the letter I, so no aircraft has these registrations.
    registration: `N${210 + 17 * position}${operator.slice(0, 1)}I`,
  };
};

/**
 * Every other flight is filed on the evening before (UTC), the others some hours ahead, so that one is always waiting.
 */
const computeFilingTime = ({ number, plan }: FiledFlight, share: number): UtcSecond => {
  if (number % 2 !== 0) return addMinutes(plan.departsAt, -interpolate(share, 180, 300));
  const midnight = (Math.floor((number * INTERVAL) / DAY_SECONDS) * DAY_SECONDS) as UtcSecond;
  return addMinutes(midnight, -interpolate(share, 130, 240));
};

const buildMessages = (filed: FiledFlight): readonly StatusMessage[] => {
  const { number, reference, plan, registration } = filed;
  const { departsAt, arrivesAt = departsAt } = plan;
  const random = createSeededRandom(`general aviation|${number}`);
  const off = addMinutes(departsAt, interpolate(random('off'), -5, 20));
  const airborne = (arrivesAt - departsAt) * interpolate(random('airborne'), 0.99, 1.05);
  const on = addMinutes(off, airborne / 60);
  const latency = Math.round(interpolate(random('seen'), 30, 100));
  const enRoute = [0.3, 0.65, 0.9].map((share): StatusReport => {
    const at = addMinutes(off, (airborne * share) / 60);
    return {
      at,
      facts: { estimatedOn: addMinutes(on, interpolate(random(`way ${share}`), -0.1, 0.1) * ((on - at) / 60)) },
    };
  });
  const reports: readonly StatusReport[] = [
    {
      at: computeFilingTime(filed, random('filed')),
      facts: { proposed: true, estimatedOff: departsAt, estimatedOn: arrivesAt },
    },
    { at: addMinutes(departsAt, -interpolate(random('ready'), 25, 60)), facts: { registration, estimatedOff: off } },
    { at: (off + latency) as UtcSecond, facts: { proposed: false, actualOff: off, estimatedOn: arrivesAt } },
    ...enRoute,
    { at: (on + latency) as UtcSecond, facts: { actualOn: on } },
  ];
  return toMessages(reports, { reference, plan });
};

/** Returns the messages of each business flight that departs between two instants, one flight every two hours. */
export const buildBusinessFlights = (from: UtcSecond, to: UtcSecond): readonly (readonly StatusMessage[])[] => {
  const first = Math.ceil(from / INTERVAL);
  const count = Math.max(0, Math.floor(to / INTERVAL) - first + 1);
  return Array.from({ length: count }, (_, index) => buildMessages(fileFlight(first + index)));
};
