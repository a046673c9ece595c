import type { ConnectionFilter } from '#domain/connections/search/connection-filter.ts';
import { board, listInstances, off, type Instance } from './flights.ts';
import { createJudge, getDay, isCommercial, type Judgement } from './judge.ts';
import type { Station, World } from './world.ts';

export type OracleConnection = { readonly one: Instance; readonly other: Instance; readonly judged: Judgement };

/** Groups by city, or by airport code without a city. */
const placeOf = ({ cityCode, iata }: Station): string => cityCode || iata;

/** Lists each flight on each day with each that departs from the same city within a day of its arrival, and the judgement. */
const listNearPairs = (world: World): readonly OracleConnection[] => {
  const judge = createJudge(world);
  const instances = listInstances(world).filter(({ flight }) => isCommercial(flight));
  const keyOf = (place: Station, minute: number): string => `${placeOf(place)} ${Math.floor(minute / 1440)}`;
  const leaving = Map.groupBy(instances, ({ flight, departsUtc }) => keyOf(board(flight), departsUtc));
  return instances
    .filter((one) => getDay(one) >= world.from && getDay(one) < world.from + world.days)
    .flatMap((one) =>
      [0, 1440]
        .flatMap((later) => leaving.get(keyOf(off(one.flight), one.arrivesUtc + later)) ?? [])
        .filter(({ departsUtc }) => departsUtc >= one.arrivesUtc && departsUtc <= one.arrivesUtc + 1440)
        .map((other) => ({ one, other, judged: judge(one, other) })),
    );
};

export const listConnections = (world: World): readonly OracleConnection[] =>
  listNearPairs(world).filter(({ judged }) => judged.forbiddenBy === undefined);

/** Dated connections with equal flights, local times, connecting time and MCT record. */
export type Group = readonly [OracleConnection, ...OracleConnection[]];

const numbers = new WeakMap<object, number>();
let last = 0;
const numberOf = (item: object): number => {
  const number = numbers.get(item) ?? (last += 1);
  numbers.set(item, number);
  return number;
};

/** Identifies a flight by its local times, independent of the day. */
const toShape = (one: Instance): string => {
  const start = getDay(one) * 1440;
  return `${numberOf(one.flight)} ${one.departsLocal - start} ${one.arrivesLocal - start}`;
};

const toTimedShape = (one: Instance): string => {
  const start = getDay(one) * 1440;
  return `${toShape(one)} ${one.departsUtc - start} ${one.arrivesUtc - start}`;
};

export const groupConnections = (connections: readonly OracleConnection[]): readonly Group[] => {
  const groups = new Map<string, [OracleConnection, ...OracleConnection[]]>();
  for (const connected of connections.toSorted((a, b) => a.one.departsLocal - b.one.departsLocal)) {
    const { one, other, judged } = connected;
    const key = [toShape(one), toShape(other), judged.minutes, judged.minimum?.line ?? 0].join('|');
    const group = groups.get(key);
    if (group) group.push(connected);
    else groups.set(key, [connected]);
  }
  return [...groups.values()];
};

/** Counts pairs of near flights that connect on no day, by the first rule that forbids; once for days of equal times. */
export const countRejections = (world: World): Readonly<Record<string, number>> => {
  const pairs = new Map<string, string>();
  for (const { one, other, judged } of listNearPairs(world)) {
    const { forbiddenBy = '' } = judged;
    const key = `${toTimedShape(one)} | ${toTimedShape(other)} | ${judged.minutes}`;
    if (forbiddenBy === '' || !pairs.has(key)) pairs.set(key, forbiddenBy);
  }
  const counts: Record<string, number> = {};
  for (const rule of pairs.values()) if (rule !== '') counts[rule] = (counts[rule] ?? 0) + 1;
  return counts;
};

const isIn = (list: readonly string[] | undefined, code: string): boolean => list === undefined || list.includes(code);
const cityIsIn = (list: readonly string[] | undefined, city: string): boolean =>
  list === undefined || (city !== '' && list.includes(city));

/** Returns whether a connection matches a filter: by any of its dates, and by the elapsed time of its first date. */
export const matchesFilter = (group: Group, filter: ConnectionFilter): boolean => {
  const [{ one, other, judged }] = group;
  const [origin, arrival, departure, end] = [one, other].flatMap(({ flight }) => [board(flight), off(flight)] as const);
  if (!origin || !arrival || !departure || !end) throw new Error('two flights have four ends');
  const { dates, viaPoints, interAirport } = filter;
  return (
    isIn(filter.departureAirports, origin.iata) &&
    cityIsIn(filter.departureCities, origin.cityCode) &&
    isIn(filter.arrivalAirports, end.iata) &&
    cityIsIn(filter.arrivalCities, end.cityCode) &&
    (viaPoints === undefined || [arrival.iata, departure.iata].some((code) => viaPoints.includes(code))) &&
    isIn(filter.leg1Carriers, one.flight.carrier) &&
    isIn(filter.leg2Carriers, other.flight.carrier) &&
    (dates === undefined || group.some((dated) => getDay(dated.one) >= dates.from && getDay(dated.one) <= dates.to)) &&
    (judged.circuity ?? 0) <= (filter.maxCircuity ?? 250) &&
    isIn(filter.types, judged.type) &&
    judged.minutes >= (filter.minConnectingMinutes ?? 0) &&
    judged.minutes <= (filter.maxConnectingMinutes ?? 1440) &&
    (interAirport === undefined || interAirport === (arrival.iata !== departure.iata)) &&
    other.arrivesUtc - one.departsUtc <= (filter.maxElapsedMinutes ?? Infinity) &&
    (filter.service === undefined || judged.services.includes(filter.service))
  );
};
