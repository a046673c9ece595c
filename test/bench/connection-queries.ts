import type { ConnectionSet } from '../../src/domain/connections/connection-set.ts';
import type { WantedConnections } from '../../src/domain/connections/wanted-connections.ts';
import { addDays } from '../../src/domain/time/dates.ts';
import type { Chance } from '../domain/connections/worlds/random/chance.ts';

/** Picks by weight. */
const weighted = (weights: readonly number[], chance: Chance): (() => number) => {
  const sums: number[] = [];
  let sum = 0;
  for (const weight of weights) sums.push((sum += weight));
  return () => {
    const at = chance.int(0, sum - 1);
    return sums.findIndex((upTo) => at < upTo);
  };
};

const MAX_CONNECTING_MINUTES = 360;

/** One question of each kind a time: by airports that are picked as often as flights leave them, on a day or in a week, as the contract asks by default. */
export const askers = (set: ConnectionSet, chance: Chance): Readonly<Record<string, () => WantedConnections>> => {
  const { header, columns } = set;
  const departures = header.airports.map(
    (_, airport) => (columns.boardUnits[airport + 1] ?? 0) - (columns.boardUnits[airport] ?? 0),
  );
  const pick = weighted(departures, chance);
  const hubs = [...departures.keys()]
    .toSorted((one, other) => (departures[other] ?? 0) - (departures[one] ?? 0))
    .slice(0, 50);
  const airport = (): string => header.airports[pick()]?.iata ?? '';
  const hub = (): string => header.airports[chance.pick(hubs)]?.iata ?? '';
  const city = (): string => header.airports[pick()]?.cityCode ?? '';
  const carrierAt = (code: string): string => {
    const at = set.airportNumber(code) ?? 0;
    const record = chance.int(columns.boardRecords[at] ?? 0, (columns.boardRecords[at + 1] ?? 1) - 1);
    return header.carriers[columns.recordCarrier[record] ?? 0] ?? '';
  };
  const when = (): WantedConnections => {
    const from = addDays(set.from, chance.int(0, set.days - 8));
    return {
      dates: { from, to: addDays(from, chance.percent(50) ? 0 : 6) },
      maxConnectingMinutes: MAX_CONNECTING_MINUTES,
    };
  };
  return {
    'origin and destination': () => ({ ...when(), departureAirports: [airport()], arrivalAirports: [airport()] }),
    'city pair': () => ({ ...when(), departureCities: [city()], arrivalCities: [city()] }),
    'departure airport': () => ({ ...when(), departureAirports: [airport()] }),
    'arrival airport': () => ({ ...when(), arrivalAirports: [airport()] }),
    'via one of 50 hubs': () => ({ ...when(), viaPoints: [hub()] }),
    'hub and two carriers': () => {
      const via = hub();
      return { ...when(), viaPoints: [via], leg1Carriers: [carrierAt(via)], leg2Carriers: [carrierAt(via)] };
    },
  };
};
