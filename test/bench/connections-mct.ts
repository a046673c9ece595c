import { blankMctRecord, blankMctSide, mctStatuses } from '#domain/connections/mct/mct-record.ts';
import type { MctFile, MctRecord, MctSide } from '#domain/connections/mct/mct-record.ts';
import type { SeededRandom } from '../lib/seeded-random.ts';

/** Stations and carriers of minimum connecting times, busiest first. */
export type BusiestAirports = { readonly stations: readonly string[]; readonly carriers: readonly string[] };

const types = ['320', '738', '77W', '789', 'AT7', 'E90'] as const;

const busy = <T>(list: readonly T[], chance: SeededRandom): T => {
  const at = Math.min(chance.integer(0, list.length - 1), chance.integer(0, list.length - 1));
  return chance.pick(list.slice(at, at + 1));
};

const sideOf = ({ stations, carriers }: BusiestAirports, chance: SeededRandom): MctSide => ({
  ...blankMctSide,
  carrier: chance.chance(85) ? busy(carriers, chance) : '',
  flights: chance.chance(12) ? { from: chance.integer(1, 4000), to: chance.integer(4001, 9999) } : undefined,
  terminal: chance.chance(25) ? chance.pick(['1', '2', '3', 'A']) : '',
  station: chance.chance(10) ? busy(stations, chance) : '',
  countryCode: chance.chance(12) ? chance.pick(['US', 'GB', 'DE', 'FR', 'CN', 'JP', 'BR']) : '',
  region: chance.chance(6) ? chance.pick(['SCH', 'EUR']) : '',
  equipment: chance.chance(6) ? chance.pick(types) : '',
  body: chance.chance(5) ? chance.pick(['W', 'N'] as const) : '',
});

const exceptionOf = (line: number, busiest: BusiestAirports, chance: SeededRandom): MctRecord => {
  const station = busy(busiest.stations, chance);
  const suppression = chance.chance(8) ? chance.pick(['Y', 'Y', 'Y', 'N'] as const) : '';
  const from = chance.chance(4) ? chance.integer(20_759, 21_000) : undefined;
  return {
    ...blankMctRecord,
    line,
    status: chance.pick(mctStatuses),
    arrivalStation: station,
    departureStation: station,
    arrival: sideOf(busiest, chance),
    departure: sideOf(busiest, chance),
    from: from as MctRecord['from'],
    to: (from === undefined ? undefined : from + chance.integer(20, 200)) as MctRecord['to'],
    suppression,
    minutes: suppression === '' ? 25 + 5 * chance.integer(0, 20) : undefined,
  };
};

/** Creates `count` records: standards of the 500 busiest stations for each status, and carrier exceptions there. Same seed, same records. */
export const syntheticMct = (count: number, busiest: BusiestAirports, chance: SeededRandom): MctFile => {
  const records: MctRecord[] = [];
  for (const station of busiest.stations.slice(0, 500))
    for (const status of mctStatuses) {
      const minutes = { DD: 30, DI: 60, ID: 75, II: 60 }[status] + 5 * chance.integer(0, 4);
      const stations = { arrivalStation: station, departureStation: station };
      records.push({ ...blankMctRecord, line: records.length + 2, status, ...stations, minutes });
    }
  while (records.length < count) records.push(exceptionOf(records.length + 2, busiest, chance));
  return { records, partners: [] };
};
