import { addDays, formatDate, parseDate } from '../../../../domain/time/dates.ts';
import type { CarrierName } from '../../../../domain/master-data/master-data-facts.ts';
import type { Airline } from '../../sources/airlines.ts';
import { normalizeCarrierName } from '../../carrier-name.ts';
import { listFormerNames } from '../../overrides/carrier-overrides.ts';

/** A carrier through the years in which it had the same codes: the row that tells of it last, and its names before. */
export type JoinedAirline = Airline & { readonly formerNames: readonly CarrierName[] };

/** Current carriers first, of those the one that flies most; of former carriers the one that ended last. */
const byPrecedence = (one: Airline, other: Airline): number =>
  Number(other.current) - Number(one.current) ||
  other.flights - one.flights ||
  other.endedOn.localeCompare(one.endedOn);

/** Rows without both codes are told apart by their names too, because several companies had one code at different times. */
export const identityOf = ({ iata, icao, name }: Airline): string =>
  iata === '' || icao === '' ? `${iata}/${icao}/${name.toLowerCase()}` : `${iata}/${icao}`;

const dayAfter = (date: string): string => {
  const day = parseDate(date);
  return day === undefined ? '' : formatDate(addDays(day, 1));
};

const isSameCompany = (one: Airline, other: Airline): boolean =>
  (one.company !== '' && one.company === other.company) ||
  normalizeCarrierName(one.name) === normalizeCarrierName(other.name);

/** Companies whose codes stand, by a slip of the list, with another company from the day after their end. */
const withoutSuccessor: ReadonlySet<string> = new Set(['Alidaunia', 'HOP Airlinair']);

/** Whether a row goes on with the carrier of an earlier row: without a day between them, or as the same company in the same years. */
const continues = (earlier: Airline, row: Airline): boolean => {
  const { endedOn } = earlier;
  const isOpen = endedOn === '' || row.startedOn === '';
  const isNextDay = !isOpen && (row.startedOn === endedOn || row.startedOn === dayAfter(endedOn));
  if (isNextDay && !withoutSuccessor.has(earlier.name)) return true;
  return isSameCompany(earlier, row) && (isOpen || row.startedOn <= endedOn);
};

const byStart = (one: Airline, other: Airline): number =>
  one.startedOn.localeCompare(other.startedOn) || one.endedOn.localeCompare(other.endedOn);

const earliestStart = (last: Airline, rows: readonly Airline[]): string => {
  const told = rows.filter((row) => row !== last || row.startedOn !== '').map(({ startedOn }) => startedOn);
  return told.toSorted().at(0) ?? '';
};

const byEnd = (one: Airline, other: Airline): number =>
  Number(other.current) - Number(one.current) || other.endedOn.localeCompare(one.endedOn);

const join = (rows: readonly Airline[]): readonly JoinedAirline[] =>
  rows
    .toSorted(byEnd)
    .slice(0, 1)
    .map((last) => ({
      ...last,
      flights: Math.max(...rows.map(({ flights }) => flights)),
      startedOn: earliestStart(last, rows),
      formerNames: rows
        .filter(({ name, endedOn }) => endedOn !== '' && normalizeCarrierName(name) !== normalizeCarrierName(last.name))
        .map(({ name, startedOn, endedOn }) => ({ name, from: startedOn, to: endedOn }))
        .concat(listFormerNames(last))
        .toSorted((one, other) => one.from.localeCompare(other.from)),
    }));

/**
 * Joins the rows that tell of one carrier under the same codes, its names one after the other. A carrier that came back
 * after years, or another company that got the same codes, stays apart, so that each day has its own owner of a code.
 */
export const joinVersions = (airlines: readonly Airline[]): readonly JoinedAirline[] => {
  const carriers: Airline[][] = [];
  for (const rows of Map.groupBy(airlines, identityOf).values()) {
    const found: Airline[][] = [];
    for (const row of rows.toSorted(byStart)) {
      const same = found.find((versions) => versions.some((earlier) => continues(earlier, row)));
      if (same) same.push(row);
      else found.push([row]);
    }
    carriers.push(...found);
  }
  return carriers.flatMap(join).toSorted(byPrecedence);
};
