import type { Carrier } from '../../domain/master-data.ts';
import type { LoadReport } from '../load-report.ts';
import type { Airline } from './airlines.ts';
import { completeIcaoCodes } from './complete-icao-codes.ts';

/** A carrier ready to be stored. */
export type RankedCarrier = Omit<Carrier, 'id'>;

/** Current carriers first, of those the one that flies most; of former carriers the one that ended last. */
const byPrecedence = (one: Airline, other: Airline): number =>
  Number(other.current) - Number(one.current) ||
  other.flights - one.flights ||
  other.endedOn.localeCompare(one.endedOn);

/** Two codes tell a carrier; with one code only the name must too, because several companies had it at different times. */
const identityOf = ({ iata, icao, name }: Airline): string =>
  iata === '' || icao === '' ? `${iata}/${icao}/${name.toLowerCase()}` : `${iata}/${icao}`;

const firstOfEach = <Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] =>
  [...Map.groupBy(items, keyOf).values()].flatMap((alike) => alike.slice(0, 1));

/** Whether a row with one code only repeats a row with both; `sharing` are the rows that have its code. */
const isEcho = ({ iata, icao, name }: Airline, sharing: readonly Airline[]): boolean =>
  (iata === '' || icao === '') &&
  sharing.some((other) => other.iata !== '' && other.icao !== '' && other.name.toLowerCase() === name.toLowerCase());

/**
 * Joins both lists of carriers into one row a carrier and ranks the owners of each IATA code. An operator of the second
 * list is taken only when no carrier of the first has its ICAO code (its IATA code when it has no other), and ranks after
 * them. Two current carriers with one code, or one ICAO code under two IATA codes, are reported: both stay.
 */
export const rankCarriers = (
  airlines: readonly Airline[],
  operators: readonly Airline[],
  report: LoadReport,
): readonly RankedCarrier[] => {
  const main = firstOfEach(completeIcaoCodes(airlines, operators, report).toSorted(byPrecedence), identityOf);
  const byIata = Map.groupBy(main, ({ iata }) => iata);
  const byIcao = Map.groupBy(main, ({ icao }) => icao);
  const sharing = ({ iata, icao }: Airline): readonly Airline[] =>
    (iata === '' ? byIcao.get(icao) : byIata.get(iata)) ?? [];
  const echoless = main.filter((airline) => !isEcho(airline, sharing(airline)));
  const further = operators.filter(({ iata, icao }) => (icao === '' ? !byIata.has(iata) : !byIcao.has(icao)));
  const carriers = firstOfEach([...echoless, ...further], identityOf);

  const current = echoless.filter((airline) => airline.current);
  for (const [iata, owners] of Map.groupBy(current, (airline) => airline.iata)) {
    if (iata === '' || owners.length === 1) continue;
    const message = `Current carriers share the IATA code ${iata}: ${owners.map(({ name }) => name).join(', ')}. The first answers first.`;
    report.entries.push({ severity: 'notice', field: 'iata', value: iata, reason: 'shared-iata-code', message });
  }
  for (const [icao, owners] of Map.groupBy(current, (airline) => airline.icao)) {
    if (icao === '' || owners.length === 1) continue;
    const message = `Current carriers share the ICAO code ${icao}: ${owners.map(({ name }) => name).join(', ')}.`;
    report.entries.push({ severity: 'notice', field: 'icao', value: icao, reason: 'shared-icao-code', message });
  }

  const owners = new Map<string, number>();
  return carriers.map(({ iata, icao, name }) => {
    const rank = iata === '' ? 1 : (owners.get(iata) ?? 0) + 1;
    owners.set(iata, rank);
    return { iata, icao, name, rank };
  });
};
