import type { UtcSecond } from '#domain/status/instants.ts';
import { createLegReference, type StatusMessage } from '#domain/status/message.ts';
import { readCsvTable } from '#lib/csv-table.ts';
import { interpolate, createSeededRandom, pick, type NamedRandom } from '#lib/seeded-random.ts';
import { findTerminal, computeDistanceRatio, toLocalDate, computeDistance } from '../world/airports.ts';
import { businessOperators } from '../world/carriers.ts';
import { assignAircraft, buildRegistration, addMinutes, subtractMinutes, type DemoFlight } from './demo-flight.ts';
import type { PlannedDiversion } from './flight-times.ts';
import { toMessages, type StatusReport } from './status-reports.ts';

/** Minutes from the arrival of a diverted flight to the departure of its recovery flight. */
const DEPARTS_AFTER = 180;
/** Minutes from that arrival to the announcement. */
const ANNOUNCED_AFTER = 20;

const roundUpToFiveMinutes = (at: UtcSecond): UtcSecond => (Math.ceil(at / 300) * 300) as UtcSecond;

/** Returns the recovery flight of a diverted flight, from where it landed to its destination: its number has the suffix R. */
export const createRecoveryFlight = (diverted: DemoFlight, diversion: PlannedDiversion): DemoFlight => {
  const { reference, departsAt: divertedDepartsAt, arrivesAt: dueAt } = diverted;
  const { airport } = diversion;
  const { planned, spare } = assignAircraft(diverted);
  const share = computeDistanceRatio([airport, reference.arrivalAirport], reference);
  const departsAt = roundUpToFiveMinutes(addMinutes(diversion.in, DEPARTS_AFTER));
  const announcedAt = addMinutes(diversion.in, ANNOUNCED_AFTER);
  return {
    ...diverted,
    reference: { ...reference, suffix: 'R', originDate: toLocalDate(airport, departsAt), departureAirport: airport },
    departsAt,
    arrivesAt: roundUpToFiveMinutes(addMinutes(departsAt, (share * (dueAt - divertedDepartsAt)) / 60 + 35)),
    departureTerminal: findTerminal(airport, reference.carrier),
    registration: spare ?? planned,
    unscheduled: { flightType: 'Unscheduled', announcedAt, recovers: reference },
  };
};

const charterRoutes = readCsvTable(
  new URL('../world/data/charter-routes.csv', import.meta.url),
  'destination,minutes_out,minutes_back',
);
const CHARTER = 'K1';
const CHARTER_BASE = 'MIA';
const CHARTER_TYPE = { iata: '738', icao: 'B738' };
/** Charters have this number and the next two, which no scheduled flight has. */
const FIRST_CHARTER_NUMBER = 8901;
/** The charter aircraft come after those of all rotations. */
const FIRST_CHARTER_AIRCRAFT = 1990;
/** Charters of a cycle: two leave the base with an aircraft each, and the next two bring these back. */
const CYCLE = 4;

/** Returns the charter of a shift, which is announced on the day before and departs 90 to 170 minutes after the start. */
export const createCharterFlight = (shift: number, shiftSeconds: number): DemoFlight => {
  const isReturn = shift % CYCLE >= CYCLE / 2;
  const outboundShift = isReturn ? shift - CYCLE / 2 : shift;
  const route = pick(createSeededRandom(`charter|${outboundShift}`)('route'), charterRoutes);
  const [from, to] = isReturn ? [route.destination, CHARTER_BASE] : [CHARTER_BASE, route.destination];
  const random = createSeededRandom(`charter|${shift}`);
  const startsAt = (shift * shiftSeconds) as UtcSecond;
  const departsAt = roundUpToFiveMinutes(addMinutes(startsAt, interpolate(random('at'), 90, 170)));
  const designator = { carrier: CHARTER, flightNumber: FIRST_CHARTER_NUMBER + (shift % 3), suffix: '' };
  const announcedAt = subtractMinutes(departsAt, random('announced'), [1200, 1560]);
  return {
    reference: createLegReference(designator, toLocalDate(from, departsAt), [from, to]),
    departsAt,
    arrivesAt: addMinutes(departsAt, Number(isReturn ? route.minutes_back : route.minutes_out)),
    aircraftType: CHARTER_TYPE,
    departureTerminal: findTerminal(from, CHARTER),
    arrivalTerminal: findTerminal(to, CHARTER),
    serviceType: 'C',
    registration: buildRegistration(CHARTER, FIRST_CHARTER_AIRCRAFT + (shift % 2)),
    unscheduled: { flightType: 'Unscheduled', announcedAt, recovers: undefined },
  };
};

const businessRoutes = readCsvTable(
  new URL('../world/data/business-routes.csv', import.meta.url),
  'base,other,type,cruise_kmh',
);

/** Seconds between departures. */
const INTERVAL = 7200;
const DAY_SECONDS = 86_400;
/** Climb, approach and detours, minutes. */
const OVERHEAD = 15;

/** Returns the business flight of an interval, and its random numbers. */
const createBusinessFlight = (number: number): { readonly flight: DemoFlight; readonly random: NamedRandom } => {
  const position = number % businessRoutes.length;
  const route = businessRoutes[position];
  if (!route) throw new RangeError('the demo world has no business routes');
  const day = Math.floor((number * INTERVAL) / DAY_SECONDS);
  const [from, to] = day % 2 === 0 ? [route.base, route.other] : [route.other, route.base];
  const random = createSeededRandom(`general aviation|${number}`);
  const departsAt = addMinutes((number * INTERVAL) as UtcSecond, interpolate(random('at'), 0, 20));
  const minutes = OVERHEAD + ((computeDistance(from, to) ?? 0) / 1000 / Number(route.cruise_kmh)) * 60;
  const carrier = businessOperators[position % 2] ?? '';
  // A number repeats after ten days, so that no clock change puts two of its flights on one local day.
  const designator = { carrier, flightNumber: 201 + position + 20 * (day % 10), suffix: '' };
  // Every other flight is filed on the evening before (UTC), the others some hours ahead, so that one is always waiting.
  const announcedAt =
    number % 2 === 0
      ? subtractMinutes((day * DAY_SECONDS) as UtcSecond, random('filed'), [130, 240])
      : subtractMinutes(departsAt, random('filed'), [180, 300]);
  const flight: DemoFlight = {
    reference: createLegReference(designator, toLocalDate(from, departsAt), [from, to]),
    departsAt,
    arrivesAt: addMinutes(departsAt, minutes),
    aircraftType: { iata: '', icao: route.type },
    departureTerminal: '',
    arrivalTerminal: '',
    serviceType: '',
    // The United States never issue the letter I, so no aircraft has these registrations.
    registration: `N${210 + 17 * position}${carrier.slice(0, 1)}I`,
    unscheduled: { flightType: 'GA', announcedAt, recovers: undefined },
  };
  return { flight, random };
};

const buildBusinessMessages = (number: number): readonly StatusMessage[] => {
  const { flight, random } = createBusinessFlight(number);
  const { departsAt, arrivesAt, registration, unscheduled } = flight;
  const off = addMinutes(departsAt, interpolate(random('off'), -5, 20));
  const airborne = (arrivesAt - departsAt) * interpolate(random('airborne'), 0.99, 1.05);
  const on = addMinutes(off, airborne / 60);
  const latency = Math.round(interpolate(random('seen'), 30, 100));
  const enRoute = [0.3, 0.65, 0.9].map((share): StatusReport => {
    const at = addMinutes(off, (airborne * share) / 60);
    const error = interpolate(random(`way ${share}`), -0.1, 0.1) * ((on - at) / 60);
    return { at, facts: { estimatedOn: addMinutes(on, error) } };
  });
  const reports: readonly StatusReport[] = [
    {
      at: unscheduled?.announcedAt ?? departsAt,
      facts: { proposed: true, estimatedOff: departsAt, estimatedOn: arrivesAt },
    },
    { at: subtractMinutes(departsAt, random('ready'), [25, 60]), facts: { registration, estimatedOff: off } },
    { at: (off + latency) as UtcSecond, facts: { proposed: false, actualOff: off, estimatedOn: arrivesAt } },
    ...enRoute,
    { at: (on + latency) as UtcSecond, facts: { actualOn: on } },
  ];
  return toMessages(reports, flight);
};

/** Returns the messages of each business flight that departs between two instants, one flight every two hours. */
export const buildBusinessFlights = (from: UtcSecond, to: UtcSecond): readonly (readonly StatusMessage[])[] => {
  const first = Math.ceil(from / INTERVAL);
  const count = Math.max(0, Math.floor(to / INTERVAL) - first + 1);
  return Array.from({ length: count }, (_, index) => buildBusinessMessages(first + index));
};
