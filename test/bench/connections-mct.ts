import { anyConnection, anyFlight } from '../../src/domain/connections/mct/any-connection.ts';
import {
  mctStatuses,
  type MctFile,
  type MctRecord,
  type MctSide,
} from '../../src/domain/connections/mct/mct-record.ts';
import type { Chance } from '../domain/connections/worlds/random/chance.ts';

/** What minimum connecting times are filed for: stations and carriers, the busiest first. */
export type BusiestAirports = { readonly stations: readonly string[]; readonly carriers: readonly string[] };

const types = ['320', '738', '77W', '789', 'AT7', 'E90'] as const;

/** The first of a list are picked more often than the last. */
const busy = <T>(list: readonly T[], chance: Chance): T => {
  const at = Math.min(chance.int(0, list.length - 1), chance.int(0, list.length - 1));
  return chance.pick(list.slice(at, at + 1));
};

const sideOf = ({ stations, carriers }: BusiestAirports, chance: Chance): MctSide => ({
  ...anyFlight,
  carrier: chance.percent(85) ? busy(carriers, chance) : '',
  flights: chance.percent(12) ? { from: chance.int(1, 4000), to: chance.int(4001, 9999) } : undefined,
  terminal: chance.percent(25) ? chance.pick(['1', '2', '3', 'A']) : '',
  station: chance.percent(10) ? busy(stations, chance) : '',
  countryCode: chance.percent(12) ? chance.pick(['US', 'GB', 'DE', 'FR', 'CN', 'JP', 'BR']) : '',
  region: chance.percent(6) ? chance.pick(['SCH', 'EUR']) : '',
  equipment: chance.percent(6) ? chance.pick(types) : '',
  body: chance.percent(5) ? chance.pick(['W', 'N'] as const) : '',
});

const exceptionOf = (line: number, busiest: BusiestAirports, chance: Chance): MctRecord => {
  const station = busy(busiest.stations, chance);
  const suppression = chance.percent(8) ? chance.pick(['Y', 'Y', 'Y', 'N'] as const) : '';
  const from = chance.percent(4) ? chance.int(20_759, 21_000) : undefined;
  return {
    ...anyConnection,
    line,
    status: chance.pick(mctStatuses),
    arrivalStation: station,
    departureStation: station,
    arrival: sideOf(busiest, chance),
    departure: sideOf(busiest, chance),
    from: from as MctRecord['from'],
    to: (from === undefined ? undefined : from + chance.int(20, 200)) as MctRecord['to'],
    suppression,
    minutes: suppression === '' ? 25 + 5 * chance.int(0, 20) : undefined,
  };
};

/** Standards of the 500 busiest stations for each status, and exceptions of carriers there: `count` records, the same for the same chance. */
export const syntheticMct = (count: number, busiest: BusiestAirports, chance: Chance): MctFile => {
  const records: MctRecord[] = [];
  for (const station of busiest.stations.slice(0, 500))
    for (const status of mctStatuses) {
      const minutes = { DD: 30, DI: 60, ID: 75, II: 60 }[status] + 5 * chance.int(0, 4);
      const stations = { arrivalStation: station, departureStation: station };
      records.push({ ...anyConnection, line: records.length + 2, status, ...stations, minutes });
    }
  while (records.length < count) records.push(exceptionOf(records.length + 2, busiest, chance));
  return { records, partners: [] };
};
