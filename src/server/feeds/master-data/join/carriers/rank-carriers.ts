import type { LoadReport } from '#feeds/load-report.ts';
import { findDomicileByCode } from '#feeds/master-data/overrides/carrier-overrides.ts';
import type { Airline } from '#feeds/master-data/sources/airlines.ts';
import { completeIcaoCodes, endCarriers } from './correct-carriers.ts';
import { formatIdentity, type JoinedAirline, joinVersions } from './join-versions.ts';

/**
 * Returns the last day, `YYYY-MM-DD`, on which another carrier, which has ended, had the IATA code of a current carrier since that
 * carrier began; '' when there is none. The list often has the day on which the company began, long before it received the code.
 * Owners with the same ICAO code are the carrier itself or a part of it. `sharing` are all carriers that have or had the code.
 */
const findPrecededUntil = (carrier: JoinedAirline, sharing: readonly JoinedAirline[]): string => {
  if (!carrier.isCurrent || carrier.iata === '') return '';
  const ends = sharing
    .filter(({ isCurrent, icao }) => !isCurrent && (icao === '' || icao !== carrier.icao))
    .map(({ endedOn }) => endedOn)
    .filter((endedOn) => endedOn !== '' && carrier.startedOn <= endedOn);
  return ends.toSorted().at(-1) ?? '';
};

/** A carrier with its rank among the owners of its IATA code. */
export type RankedCarrier = JoinedAirline & {
  readonly rank: number;
  /** The list that it comes from. */
  readonly list: 'airlines' | 'operators';
  /** True when it is unknown when it had its IATA code, and another carrier has the code or had it for a known time. */
  readonly isCodeClaimed: boolean;
  /** The last day on which a former owner of its IATA code takes precedence, '' when none does. */
  readonly precededUntil: string;
};

/** Whether a row with one code repeats a row of another company with both codes; `sharing` are the rows with its code. */
const isRepetition = (row: Airline, sharing: readonly Airline[]): boolean =>
  (row.iata === '' || row.icao === '') &&
  sharing.some(
    (other) =>
      other.iata !== '' &&
      other.icao !== '' &&
      other.name.toLowerCase() === row.name.toLowerCase() &&
      // Rows of one company show how its codes changed.
      (row.company === '' || row.company !== other.company),
  );

const reportSharedCodes = (current: readonly Airline[], code: 'iata' | 'icao', report: LoadReport): void => {
  for (const [value, ownerCounts] of Map.groupBy(current, (airline) => airline[code])) {
    if (value === '' || ownerCounts.length === 1) continue;
    const names = ownerCounts.map(({ name }) => name).join(', ');
    const order =
      code === 'iata'
        ? ' The first one is returned first.'
        : ' The one that ranks first under its own IATA code is returned first.';
    const message = `Current carriers share the ${code.toUpperCase()} code ${value}: ${names}.${order}`;
    report.entries.push({ severity: 'notice', field: code, value, reason: `shared-${code}-code`, message });
  }
};

/** Well-known operators are in the table of domiciles; of the others it is unknown whether they still fly. */
const isKnownOperator = ({ icao }: Airline): boolean => findDomicileByCode(icao) !== undefined;

/** Rows of the list of carriers with an IATA code and no other evidence: many of these ended without an end date. */
const isDoubtful = ({ icao, flights }: Airline): boolean => icao === '' && flights === 0;

/**
 * Joins both lists of carriers and ranks the owners of each IATA code: current carriers, well-known operators, former and doubtful
 * carriers, other operators. An operator is added only when no carrier has its ICAO code (its IATA code when it has no other).
 * Current carriers that share a code are reported, and all are kept.
 */
export const rankCarriers = (
  airlines: readonly Airline[],
  operators: readonly Airline[],
  report: LoadReport,
): readonly RankedCarrier[] => {
  const main = joinVersions(endCarriers(completeIcaoCodes(airlines, operators, report), report));
  const byIata = Map.groupBy(main, ({ iata }) => iata);
  const byIcao = Map.groupBy(main, ({ icao }) => icao);
  const listSharing = ({ iata, icao }: Airline): readonly Airline[] =>
    (iata === '' ? byIcao.get(icao) : byIata.get(iata)) ?? [];
  const distinct = main.filter((airline) => !isRepetition(airline, listSharing(airline)));
  // Without dates, two operators with the same codes are one.
  const additionalByCodes = Map.groupBy(
    operators.filter(({ iata, icao }) => (icao === '' ? !byIata.has(iata) : !byIcao.has(icao))),
    formatIdentity,
  );
  const additional = [...additionalByCodes.values()].flatMap((sameCodes) =>
    sameCodes.slice(0, 1).map((operator): JoinedAirline => ({ ...operator, formerNames: [] })),
  );
  const knownOperators = additional.filter(isKnownOperator);
  const currentAirlines = distinct.filter((airline) => airline.isCurrent && !isDoubtful(airline));
  const remainingAirlines = distinct.filter((airline) => !airline.isCurrent || isDoubtful(airline));
  const current = [...currentAirlines, ...knownOperators, ...remainingAirlines].filter((airline) => airline.isCurrent);
  reportSharedCodes(current, 'iata', report);
  reportSharedCodes(current, 'icao', report);

  const dated = distinct.filter(({ endedOn }) => endedOn !== '');
  const heldCodes = new Set([...current, ...dated].map(({ iata }) => iata));
  heldCodes.delete('');
  const ownerCounts = new Map<string, number>();
  const rankIn =
    (list: RankedCarrier['list']) =>
    (airline: JoinedAirline): RankedCarrier => {
      const { iata } = airline;
      const rank = iata === '' ? 1 : (ownerCounts.get(iata) ?? 0) + 1;
      ownerCounts.set(iata, rank);
      // Lists without dates contain former carriers, and the last day of some former carriers is unknown.
      const isUncertain =
        list === 'operators' ? !isKnownOperator(airline) : !airline.isCurrent && airline.endedOn === '';
      return {
        ...airline,
        rank,
        list,
        isCodeClaimed: heldCodes.has(iata) && isUncertain,
        precededUntil: findPrecededUntil(airline, byIata.get(iata) ?? []),
      };
    };
  return [
    ...currentAirlines.map(rankIn('airlines')),
    ...knownOperators.map(rankIn('operators')),
    ...remainingAirlines.map(rankIn('airlines')),
    ...additional.filter((operator) => !isKnownOperator(operator)).map(rankIn('operators')),
  ];
};
