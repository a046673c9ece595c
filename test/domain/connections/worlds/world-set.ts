import { buildConnectingRecords } from '#domain/connections/flights/connecting-records.ts';
import type { ConnectingRecord } from '#domain/connections/flights/connecting-flight.ts';
import type { ConnectionMasterData } from '#domain/connections/flights/connection-master-data.ts';
import type { StoredCarrierRelations } from '#domain/connections/rules/carrier-relations.ts';
import { listCodeshares } from '#domain/connections/rules/codeshares.ts';
import type { ConnectionMatch } from '#domain/connections/search/connection-dates.ts';
import { getConnectionDetails } from '#domain/connections/search/connection-details.ts';
import type { ConnectionDetails } from '#domain/connections/search/connection-details.ts';
import type { ConnectionFilter } from '#domain/connections/search/connection-filter.ts';
import { createConnectionCounter } from '#domain/connections/search/connection-tally.ts';
import { createConnectionSearch } from '#domain/connections/search/connection-search.ts';
import { ConnectionSetBuilder, withCounts } from '#domain/connections/set/connection-set-builder.ts';
import { readConnectionSet, type ConnectionSet } from '#domain/connections/set/connection-set.ts';
import { toLegKey } from '#domain/schedule/messages/cancellations.ts';
import type { LocalDate } from '#domain/time/dates.ts';
import { listDepartureDates } from '#domain/time/period.ts';
import { formatMinute } from './oracle/clock.ts';
import { formatDesignator, type Instance } from './oracle/flights.ts';
import { getStation, type World } from './oracle/world.ts';

const memoize = <T>(find: (code: string) => T): ((code: string) => T) => {
  const known = new Map<string, T>();
  return (code) => {
    const value = known.get(code) ?? find(code);
    known.set(code, value);
    return value;
  };
};

const toMasterData = (world: World): ConnectionMasterData => ({
  airport: memoize((code) => {
    const { zone: _, ...airport } = getStation(world, code);
    return airport;
  }),
  carrier: (designator) => designator,
  equipment: memoize((type) => ({ type, body: world.bodies[type] ?? '' })),
  zoneOf: (code) => getStation(world, code).zone,
});

export const toCooperation = (world: World): StoredCarrierRelations => ({
  partners: world.mct.partners,
  alliances: world.alliances,
  codeshares: world.itineraries.flatMap(listCodeshares),
});

export const buildWorldRecords = (world: World): readonly ConnectingRecord[] => {
  const masterData = toMasterData(world);
  const byDesignator = Map.groupBy(world.itineraries, ({ legs: [leg] }) => formatDesignator(leg));
  const cancelled = Map.groupBy(world.cancelled, ({ flight }) => formatDesignator(flight));
  return [...byDesignator].flatMap(([name, itineraries]) => {
    const whole = itineraries.flatMap(({ legs }) => legs.map(toLegKey));
    const legs = new Map<LocalDate, ReadonlySet<string>>();
    for (const { date, leg } of cancelled.get(name) ?? []) {
      const [day, others] = [date as LocalDate, legs.get(date as LocalDate) ?? []];
      legs.set(day, new Set([...others, ...(leg === undefined ? whole : [toLegKey(leg)])]));
    }
    return [...buildConnectingRecords({ itineraries, cancelled: legs }, masterData)];
  });
};

export const buildWorldSet = (world: World, records = buildWorldRecords(world)): ConnectionSet => {
  const { from, days, mct, defaults } = world;
  const cooperation = toCooperation(world);
  const builder = new ConnectionSetBuilder({ from: from as LocalDate, days, mct, defaults, cooperation });
  for (const record of records) builder.add(record);
  const data = builder.finish();
  const counter = createConnectionCounter(readConnectionSet(data), 1);
  while (!counter.advance());
  const { header, columns } = withCounts(data, counter.toColumns());
  const copied = Object.entries(columns).map(([name, bytes]) => [name, Uint8Array.from(bytes)] as const);
  return readConnectionSet({ header, columns: Object.fromEntries(copied) });
};

/**
 * Returns whether a flight has two records, or two parts of one, with equal times. A schedule in UTC is cut at clock changes, also when only the time
 * of a stop changes, or a fortnightly pattern restarts. For a passenger, and for the oracle, both are one flight.
 */
export const hasDuplicateTimes = (records: readonly ConnectingRecord[]): boolean =>
  [...Map.groupBy(records, ({ flight }) => flight).values()].some((ofFlight) => {
    const times = ofFlight.map(({ record }) => `${record.departureLocalMinutes} ${record.arrivalLocalMinutes}`);
    const hasRepeat = ofFlight.some(({ record: { clockChanges, departureUtcMinutes, arrivalUtcMinutes } }) => {
      const parts = [{ departureUtcMinutes, arrivalUtcMinutes }, ...clockChanges];
      return new Set(parts.map((part) => `${part.departureUtcMinutes} ${part.arrivalUtcMinutes}`)).size < parts.length;
    });
    return hasRepeat || new Set(times).size < times.length;
  });

type Times = Omit<Instance, 'flight'>;

/** A record on one day; minutes since 1970-01-01. */
type DatedFlight = Times & { readonly of: ConnectingRecord };

/** Returns a record on a local departure date. */
export const toDatedFlight = (of: ConnectingRecord, date: number): DatedFlight => {
  const { record } = of;
  const utc = record.clockChanges.findLast(({ from }) => from <= date) ?? record;
  return {
    of,
    departsLocal: date * 1440 + record.departureLocalMinutes,
    departsUtc: date * 1440 + utc.departureUtcMinutes,
    arrivesLocal: date * 1440 + record.arrivalLocalMinutes,
    arrivesUtc: date * 1440 + utc.arrivalUtcMinutes,
  };
};

export const listDatedFlights = (of: ConnectingRecord): readonly DatedFlight[] =>
  [...listDepartureDates(of.record.period)]
    .filter((date) => !of.cancelledOn?.includes(date))
    .map((date) => toDatedFlight(of, date));

const timesText = ({ departsLocal, departsUtc, arrivesLocal, arrivesUtc }: Times): string =>
  [departsLocal, departsUtc, arrivesLocal, arrivesUtc].map(formatMinute).join(' ');

const routeText = ({ of: { flight } }: DatedFlight): string =>
  `${formatDesignator(flight)} ${flight.airports.map(({ iata }) => iata).join('-')}`;

export const describeDatedFlight = (dated: DatedFlight): string => `${routeText(dated)} ${timesText(dated)}`;

export const describeInstance = (instance: Instance): string =>
  `${formatDesignator(instance.flight)} ${instance.flight.stations.map(({ iata }) => iata).join('-')} ${timesText(instance)}`;

export const findAll = (set: ConnectionSet, filter: ConnectionFilter = {}): readonly ConnectionMatch[] => {
  // Some counts are known before the search (search/connection-counts.ts): they must be those of the list.
  const search = createConnectionSearch(set, filter, { limit: Infinity, count: true });
  while (!search.advance(1_000_000));
  const matches = search.matches();
  if (search.total() !== matches.length)
    throw new Error(`counted ${search.total()} connections, found ${matches.length}`);
  return matches;
};

/** Describes a connection on each of its dates, in the words of the oracle. */
export const describeConnection = (details: ConnectionDetails): readonly string[] => {
  const { leg1, leg2, dayOffset, minutes, mct, type, passenger, cargo, circuityPercent } = details;
  const services = [...(passenger ? ['passenger'] : []), ...(cargo ? ['cargo'] : [])].join('+');
  const rule = `${mct.status} ${mct.minutes} line ${mct.record?.line ?? 'none'}`;
  return details.dates.map((date) => {
    const [one, other] = [toDatedFlight(leg1, date), toDatedFlight(leg2, date + dayOffset)];
    if (other.departsUtc - one.arrivesUtc !== minutes) throw new Error(`${minutes} is not the connecting time`);
    const [first, second] = [one, other].map((dated) => `${routeText(dated)} ${formatMinute(dated.departsLocal)}`);
    return `${first} > ${second} after ${minutes} (${rule}) ${type} ${services} ${circuityPercent.toFixed(2)}`;
  });
};

export const describeMatches = (set: ConnectionSet, filter: ConnectionFilter = {}): readonly string[] =>
  findAll(set, filter).map((match) => describeConnection(getConnectionDetails(set, match)).join('\n'));
