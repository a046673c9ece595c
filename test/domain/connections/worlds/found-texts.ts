import {
  getConnectionDetails,
  type ConnectionDetails,
} from '../../../../src/domain/connections/search/connection-details.ts';
import type { ConnectionSet } from '../../../../src/domain/connections/set/connection-set.ts';
import { createConnectionSearch } from '../../../../src/domain/connections/search/connection-search.ts';
import type { ConnectionMatch } from '../../../../src/domain/connections/search/connection-dates.ts';
import type { ConnectionFilter } from '../../../../src/domain/connections/search/connection-filter.ts';
import { flightOn } from './dated-flights.ts';
import { minuteText } from './oracle/clock.ts';
import { nameText } from './oracle/flights.ts';

/** Walks to the end at once. */
export const walkAll = (set: ConnectionSet, wanted: ConnectionFilter = {}): readonly ConnectionMatch[] => {
  const walk = createConnectionSearch(set, wanted, { limit: Infinity, count: true });
  while (!walk.advance(1_000_000));
  const found = walk.matches();
  if (walk.total() !== found.length) throw new Error(`counted ${walk.total()} connections, found ${found.length}`);
  return found;
};

/** A connection on each of its dates in words, as the oracle has them. */
export const textsOf = (details: ConnectionDetails): readonly string[] => {
  const { leg1, leg2, dayOffset, minutes, mct, type, passenger, cargo, circuityPercent } = details;
  const services = [...(passenger ? ['passenger'] : []), ...(cargo ? ['cargo'] : [])].join('+');
  return details.dates.map((date) => {
    const [one, other] = [flightOn(leg1, date), flightOn(leg2, date + dayOffset)];
    if (other.departsUtc - one.arrivesUtc !== minutes) throw new Error(`${minutes} is not the connecting time`);
    const words = ({ of, departsLocal }: typeof one): string =>
      `${nameText(of.flight)} ${of.flight.airports.map(({ iata }) => iata).join('-')} ${minuteText(departsLocal)}`;
    const rule = `${mct.status} ${mct.minutes} line ${mct.record?.line ?? 'none'}`;
    return `${words(one)} > ${words(other)} after ${minutes} (${rule}) ${type} ${services} ${circuityPercent.toFixed(2)}`;
  });
};

/** All that a question finds, each connection on each of its dates. */
export const foundTexts = (set: ConnectionSet, wanted: ConnectionFilter = {}): readonly string[] =>
  walkAll(set, wanted).flatMap((found) => textsOf(getConnectionDetails(set, found)));
