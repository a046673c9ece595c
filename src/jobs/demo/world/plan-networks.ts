import { addDays, buildLocalMinute, localDate, MINUTES_A_DAY, getWeekday } from '../../../domain/time/dates.ts';
import { toDaySet, type DaySet, EVERY_DAY, listWeekdays } from '../../../domain/time/period.ts';
import { getUtcOffset } from '../../../domain/time/zones.ts';
import { parseChoice, readCsvTable } from '../../../lib/csv-table.ts';
import { getAirport } from './airports.ts';
import { toUtcMinute } from './clock-changes.ts';
import { getPerformance } from './equipment.ts';
import { addUtcMinutes, computeBlockMinutes } from './leg-times.ts';
import { parseDays, parseMinutes, type Season, type TimetableFlight } from './timetable.ts';

/**
 * A destination of a hub: `banks` holds one character for each departure, 1-9, then a for the tenth bank of the hub.
 */
type Route = {
  readonly to: string;
  readonly equipment: string;
  readonly banks: string;
  readonly days: DaySet;
  readonly season: Season;
};

/** Flights from one hub and back. The flights of a bank depart five minutes apart, in the order of the routes. */
type HubNetwork = {
  readonly carrier: string;
  readonly hub: string;
  /** The number of the first outbound flight; its return flight has the next number. */
  readonly firstNumber: number;
  readonly serviceType: string;
  /** Departure times, minutes after midnight. */
  readonly banks: readonly number[];
  readonly routes: readonly Route[];
};

const routes = Map.groupBy(
  readCsvTable(new URL('data/routes.csv', import.meta.url), [
    'carrier',
    'hub',
    'destination',
    'equipment',
    'banks',
    'days',
    'season',
  ]),
  ({ carrier, hub }) => `${carrier} ${hub}`,
);

const networks: readonly HubNetwork[] = readCsvTable(new URL('data/hubs.csv', import.meta.url), [
  'carrier',
  'hub',
  'first_number',
  'service_type',
  'banks',
]).map(({ carrier, hub, banks, ...row }) => ({
  carrier,
  hub,
  firstNumber: Number(row.first_number),
  serviceType: row.service_type,
  banks: banks.split(' ').map(parseMinutes),
  routes: (routes.get(`${carrier} ${hub}`) ?? []).map(({ destination, equipment, days, season, ...route }) => ({
    to: destination,
    equipment,
    banks: route.banks,
    days: days === '' ? EVERY_DAY : parseDays(days),
    season: season === '' ? 'all year' : parseChoice(season, ['summer', 'winter']),
  })),
}));

/**
 * Return flights depart after the latest arrival of these days: both seasons, the weeks in which one zone has changed its
 * clock and another one has not, and a winter after the last change of a zone (Vancouver, 2026).
 */
export const probeDates = [
  '2024-01-16',
  '2024-03-20',
  '2024-04-10',
  '2024-07-16',
  '2024-10-01',
  '2024-10-30',
  '2027-01-16',
].map(localDate);
const NIGHT_ENDS = 5 * 60 + 30;
const FIRST_DEPARTURE = 6 * 60;
const STAGGER_MINUTES = 5;

type Trip = { readonly from: string; readonly to: string; readonly equipment: string; readonly departs: number };

/**
 * Returns when an aircraft can depart again, local minutes at the destination after midnight of the day it left the
 * hub. Never negative: only special flights cross the date line that far.
 */
const computeReadyTime = ({ from, to, equipment, departs }: Trip): number => {
  const arrivals = probeDates.map((date) => {
    const start = toUtcMinute(getAirport(from).zone, buildLocalMinute(date, departs));
    const utc = addUtcMinutes(start, computeBlockMinutes(from, to, equipment));
    return utc + getUtcOffset(getAirport(to).zone, utc) - date * MINUTES_A_DAY;
  });
  const ready = Math.max(...arrivals) + getPerformance(equipment).turnaroundMinutes;
  return Math.ceil(ready / STAGGER_MINUTES) * STAGGER_MINUTES;
};

/** Delays return flights that would depart at night to the morning, spread over an hour. */
const computeReturnTime = (ready: number, flightNumber: number): number => {
  const time = ready % MINUTES_A_DAY;
  if (time >= NIGHT_ENDS) return ready;
  return ready - time + FIRST_DEPARTURE + ((flightNumber * STAGGER_MINUTES) % 60);
};

/** A Sunday, so that adding a weekday gives a date on that weekday. */
const SUNDAY = localDate('2024-01-07');

/** Shifts days of operation by a number of days. */
export const shiftDays = (days: DaySet, by: number): DaySet =>
  toDaySet(...listWeekdays(days).map((day) => getWeekday(addDays(SUNDAY, day + by))));

/** A flight from a base, and the flight that brings the aircraft back. */
export type FlightPair = readonly [outbound: TimetableFlight, inbound: TimetableFlight];

type RotationPlan = {
  readonly network: HubNetwork;
  readonly route: Route;
  readonly departs: number;
  readonly flightNumber: number;
};

const planRotation = ({ network, route, departs, flightNumber }: RotationPlan): FlightPair => {
  const { carrier, hub, serviceType } = network;
  const { to, equipment, days, season } = route;
  const returns = computeReturnTime(computeReadyTime({ from: hub, to, equipment, departs }), flightNumber);
  const shared = {
    carrier,
    suffix: '',
    serviceType,
    everyWeeks: 1,
    season,
    variation: 1,
    variations: 1,
    elements: [],
  } as const;
  const returnDay = Math.floor(returns / MINUTES_A_DAY);
  return [
    { ...shared, flightNumber, departs, days, rotationDay: 0, legs: [{ from: hub, to, equipment }] },
    {
      ...shared,
      flightNumber: flightNumber + 1,
      departs: returns % MINUTES_A_DAY,
      days: shiftDays(days, returnDay),
      rotationDay: returnDay,
      legs: [{ from: to, to: hub, equipment }],
    },
  ];
};

const planNetwork = (network: HubNetwork): readonly FlightPair[] => {
  const nextDeparture = [...network.banks];
  let flightNumber = network.firstNumber;
  return network.routes.flatMap((route) =>
    [...route.banks].map((letter) => {
      const bank = Number.parseInt(letter, 36) - 1;
      const departs = nextDeparture[bank];
      if (departs === undefined) throw new RangeError(`${network.hub} has no bank '${letter}'`);
      nextDeparture[bank] = departs + STAGGER_MINUTES;
      flightNumber += 2;
      return planRotation({ network, route, departs, flightNumber: flightNumber - 2 });
    }),
  );
};

/**
 * Returns the flights of all hubs, outbound and return. Throws RangeError when a route names a bank that its hub does
 * not have.
 */
export const planNetworks = (): readonly FlightPair[] => networks.flatMap(planNetwork);
