import { addDays, formatDate, parseDate } from '#domain/time/dates.ts';
import type { CarrierName } from '#domain/master-data/master-data-facts.ts';
import type { Airline } from '#feeds/master-data/sources/airlines.ts';
import { normalizeCarrierName } from '#feeds/master-data/carrier-name.ts';
import { listFormerNames } from '#feeds/master-data/overrides/carrier-overrides.ts';

/** A carrier during the years in which it had the same codes: its last row, and its former names. */
export type JoinedAirline = Airline & { readonly formerNames: readonly CarrierName[] };

/** Sorts current carriers first, the one with most flights first; then former carriers, the one that ended last first. */
const comparePrecedence = (one: Airline, other: Airline): number =>
  Number(other.isCurrent) - Number(one.isCurrent) ||
  other.flights - one.flights ||
  other.endedOn.localeCompare(one.endedOn);

/** Returns what identifies a carrier: its codes, and its name when it lacks one, as several companies had one code in turn. */
export const formatIdentity = ({ iata, icao, name }: Airline): string =>
  iata === '' || icao === '' ? `${iata}/${icao}/${name.toLowerCase()}` : `${iata}/${icao}`;

const dayAfter = (date: string): string => {
  const day = parseDate(date);
  return day === undefined ? '' : formatDate(addDays(day, 1));
};

const isSameCompany = (one: Airline, other: Airline): boolean =>
  (one.company !== '' && one.company === other.company) ||
  normalizeCarrierName(one.name) === normalizeCarrierName(other.name);

/** Companies whose codes the list wrongly gives to another company from the day after their end. */
const withoutSuccessor: ReadonlySet<string> = new Set(['Alidaunia', 'HOP Airlinair']);

/** Whether a row continues the carrier of an earlier row: from the next day, or as the same company in overlapping years. */
const isContinuation = (earlier: Airline, row: Airline): boolean => {
  const { endedOn } = earlier;
  const isOpen = endedOn === '' || row.startedOn === '';
  const isNextDay = !isOpen && (row.startedOn === endedOn || row.startedOn === dayAfter(endedOn));
  if (isNextDay && !withoutSuccessor.has(earlier.name)) return true;
  return isSameCompany(earlier, row) && (isOpen || row.startedOn <= endedOn);
};

const compareStart = (one: Airline, other: Airline): number =>
  one.startedOn.localeCompare(other.startedOn) || one.endedOn.localeCompare(other.endedOn);

const findEarliestStart = (last: Airline, rows: readonly Airline[]): string => {
  const starts = rows.filter((row) => row !== last || row.startedOn !== '').map(({ startedOn }) => startedOn);
  return starts.toSorted().at(0) ?? '';
};

const compareEnd = (one: Airline, other: Airline): number =>
  Number(other.isCurrent) - Number(one.isCurrent) || other.endedOn.localeCompare(one.endedOn);

const mergeVersions = (rows: readonly Airline[]): readonly JoinedAirline[] =>
  rows
    .toSorted(compareEnd)
    .slice(0, 1)
    .map((last) => ({
      ...last,
      flights: Math.max(...rows.map(({ flights }) => flights)),
      startedOn: findEarliestStart(last, rows),
      formerNames: rows
        .filter(({ name, endedOn }) => endedOn !== '' && normalizeCarrierName(name) !== normalizeCarrierName(last.name))
        .map(({ name, startedOn, endedOn }) => ({ name, from: startedOn, to: endedOn }))
        .concat(listFormerNames(last))
        .toSorted((one, other) => one.from.localeCompare(other.from)),
    }));

/**
 * Joins the rows of one carrier under the same codes, with its names in succession. A carrier that returned after years, or another
 * company that received the same codes, stays separate, so that each day has one owner of a code.
 */
export const joinVersions = (airlines: readonly Airline[]): readonly JoinedAirline[] => {
  const carriers: Airline[][] = [];
  for (const rows of Map.groupBy(airlines, formatIdentity).values()) {
    const companies: Airline[][] = [];
    for (const row of rows.toSorted(compareStart)) {
      const continued = companies.find((versions) => versions.some((earlier) => isContinuation(earlier, row)));
      if (continued) continued.push(row);
      else companies.push([row]);
    }
    carriers.push(...companies);
  }
  return carriers.flatMap(mergeVersions).toSorted(comparePrecedence);
};
