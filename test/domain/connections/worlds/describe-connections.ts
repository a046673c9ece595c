import {
  getConnectionDetails,
  type ConnectionDetails,
} from '../../../../src/domain/connections/search/connection-details.ts';
import type { ConnectionSet } from '../../../../src/domain/connections/set/connection-set.ts';
import { createConnectionSearch } from '../../../../src/domain/connections/search/connection-search.ts';
import type { ConnectionMatch } from '../../../../src/domain/connections/search/connection-dates.ts';
import type { ConnectionFilter } from '../../../../src/domain/connections/search/connection-filter.ts';
import { toDatedFlight } from './dated-flights.ts';
import { formatMinute } from './oracle/clock.ts';
import { formatDesignator } from './oracle/flights.ts';

/** Runs a search to its end. */
export const findAll = (set: ConnectionSet, filter: ConnectionFilter = {}): readonly ConnectionMatch[] => {
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
  return details.dates.map((date) => {
    const [one, other] = [toDatedFlight(leg1, date), toDatedFlight(leg2, date + dayOffset)];
    if (other.departsUtc - one.arrivesUtc !== minutes) throw new Error(`${minutes} is not the connecting time`);
    const describe = ({ of, departsLocal }: typeof one): string =>
      `${formatDesignator(of.flight)} ${of.flight.airports.map(({ iata }) => iata).join('-')} ${formatMinute(departsLocal)}`;
    const rule = `${mct.status} ${mct.minutes} line ${mct.record?.line ?? 'none'}`;
    return `${describe(one)} > ${describe(other)} after ${minutes} (${rule}) ${type} ${services} ${circuityPercent.toFixed(2)}`;
  });
};

/** Describes all matches of a filter, each on each of its dates. */
export const describeMatches = (set: ConnectionSet, filter: ConnectionFilter = {}): readonly string[] =>
  findAll(set, filter).flatMap((matches) => describeConnection(getConnectionDetails(set, matches)));
