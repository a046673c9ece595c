import type { ConnectionSet } from '#domain/connections/set/connection-set.ts';
import type { ConnectionFilter } from '#domain/connections/search/connection-filter.ts';
import { addDays } from '#domain/time/dates.ts';
import { createWeightedPicker } from './synthetic/flights.ts';
import type { SeededRandom } from '../lib/seeded-random.ts';

const MAX_CONNECTING_MINUTES = 360;

/** Builds one query of each kind: airports weighted by departures, on a day or in a week, with the defaults of the contract. */
export const askers = (set: ConnectionSet, chance: SeededRandom): Readonly<Record<string, () => ConnectionFilter>> => {
  const { header, columns } = set;
  const departures = header.airports.map(
    (_, airport) => (columns.boardUnits[airport + 1] ?? 0) - (columns.boardUnits[airport] ?? 0),
  );
  const picker = createWeightedPicker(departures);
  const pick = (): number => picker(chance.integer(0, 999_999) / 1e6);
  const hubs = [...departures.keys()]
    .toSorted((one, other) => (departures[other] ?? 0) - (departures[one] ?? 0))
    .slice(0, 50);
  const airport = (): string => header.airports[pick()]?.iata ?? '';
  const hub = (): string => header.airports[chance.pick(hubs)]?.iata ?? '';
  const city = (): string => header.airports[pick()]?.cityCode ?? '';
  const carrierAt = (code: string): string => {
    const at = set.findAirportNumber(code) ?? 0;
    const record = chance.integer(columns.boardRecords[at] ?? 0, (columns.boardRecords[at + 1] ?? 1) - 1);
    return header.carriers[columns.recordCarrier[record] ?? 0] ?? '';
  };
  const when = (): ConnectionFilter => {
    const from = addDays(set.from, chance.integer(0, set.days - 8));
    return {
      dates: { from, to: addDays(from, chance.chance(50) ? 0 : 6) },
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
