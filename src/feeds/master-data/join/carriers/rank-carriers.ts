import type { LoadReport } from '../../../load-report.ts';
import { findDomicileByCode } from '../../overrides/carrier-overrides.ts';
import type { Airline } from '../../sources/airlines.ts';
import { completeIcaoCodes, endCarriers } from './correct-carriers.ts';
import { identityOf, type JoinedAirline, joinVersions } from './join-versions.ts';

/**
 * The last day, `YYYY-MM-DD`, on which others that have ended had the IATA code of a present carrier, '' when none had it in its
 * time. For many carriers the list has the day on which the company began, long before it got the code. Who had the code under
 * the same ICAO code was the carrier itself, or a part of it. `sharing` are all that have or had the code.
 */
const precededUntil = (carrier: JoinedAirline, sharing: readonly JoinedAirline[]): string => {
  if (!carrier.current || carrier.iata === '') return '';
  const ends = sharing
    .filter(({ current, icao }) => !current && (icao === '' || icao !== carrier.icao))
    .map(({ endedOn }) => endedOn)
    .filter((endedOn) => endedOn !== '' && carrier.startedOn <= endedOn);
  return ends.toSorted().at(-1) ?? '';
};

/** A carrier with its place among the owners of its IATA code. */
export type RankedCarrier = JoinedAirline & {
  readonly rank: number;
  /** Which list tells of it. */
  readonly list: 'airlines' | 'operators';
  /** Nobody tells when it had its IATA code, and another carrier is known to have it or to have had it for a time. */
  readonly isCodeClaimed: boolean;
  /** The last day on which former owners of its IATA code answer before it, '' when none does. */
  readonly precededUntil: string;
};

/** Whether a row with one code only repeats a row with both about another company entry; `sharing` are the rows that have its code. */
const isEcho = (row: Airline, sharing: readonly Airline[]): boolean =>
  (row.iata === '' || row.icao === '') &&
  sharing.some(
    (other) =>
      other.iata !== '' &&
      other.icao !== '' &&
      other.name.toLowerCase() === row.name.toLowerCase() &&
      // Of one company, the rows tell how its codes changed.
      (row.company === '' || row.company !== other.company),
  );

const reportShared = (current: readonly Airline[], code: 'iata' | 'icao', report: LoadReport): void => {
  for (const [value, owners] of Map.groupBy(current, (airline) => airline[code])) {
    if (value === '' || owners.length === 1) continue;
    const names = owners.map(({ name }) => name).join(', ');
    const order =
      code === 'iata'
        ? ' The first answers first.'
        : ' The one that ranks first under its own IATA code answers first.';
    const message = `Current carriers share the ${code.toUpperCase()} code ${value}: ${names}.${order}`;
    report.entries.push({ severity: 'notice', field: code, value, reason: `shared-${code}-code`, message });
  }
};

/** Operators of common knowledge have a line in the list of domiciles; of the others nobody tells whether they still fly. */
const isKnownOperator = ({ icao }: Airline): boolean => findDomicileByCode(icao) !== undefined;

/** Rows of the list of carriers that nothing but their IATA code speaks for: many of those ended without its saying so. */
const isFaint = ({ icao, flights }: Airline): boolean => icao === '' && flights === 0;

/**
 * Joins both lists of carriers into one row a carrier and ranks the owners of each IATA code. An operator of the second
 * list is taken only when no carrier of the first has its ICAO code (its IATA code when it has no other), and ranks after
 * them; one that the service itself knows ranks before former ones and those of which nothing is known. Two current carriers with one code, or one ICAO code under two IATA codes, are reported: both stay.
 */
export const rankCarriers = (
  airlines: readonly Airline[],
  operators: readonly Airline[],
  report: LoadReport,
): readonly RankedCarrier[] => {
  const main = joinVersions(endCarriers(completeIcaoCodes(airlines, operators, report), report));
  const byIata = Map.groupBy(main, ({ iata }) => iata);
  const byIcao = Map.groupBy(main, ({ icao }) => icao);
  const sharing = ({ iata, icao }: Airline): readonly Airline[] =>
    (iata === '' ? byIcao.get(icao) : byIata.get(iata)) ?? [];
  const echoless = main.filter((airline) => !isEcho(airline, sharing(airline)));
  // Without dates, two operators with the same codes are one.
  const furtherByCodes = Map.groupBy(
    operators.filter(({ iata, icao }) => (icao === '' ? !byIata.has(iata) : !byIcao.has(icao))),
    identityOf,
  );
  const further = [...furtherByCodes.values()].flatMap((alike) =>
    alike.slice(0, 1).map((operator): JoinedAirline => ({ ...operator, formerNames: [] })),
  );
  const known = further.filter(isKnownOperator);
  const first = echoless.filter((airline) => airline.current && !isFaint(airline));
  const second = echoless.filter((airline) => !airline.current || isFaint(airline));
  const current = [...first, ...known, ...second].filter((airline) => airline.current);
  reportShared(current, 'iata', report);
  reportShared(current, 'icao', report);

  const dated = echoless.filter(({ endedOn }) => endedOn !== '');
  const held = new Set([...current, ...dated].map(({ iata }) => iata));
  held.delete('');
  const owners = new Map<string, number>();
  const ranked =
    (list: RankedCarrier['list']) =>
    (airline: JoinedAirline): RankedCarrier => {
      const { iata } = airline;
      const rank = iata === '' ? 1 : (owners.get(iata) ?? 0) + 1;
      owners.set(iata, rank);
      // Lists without dates hold carriers of the past too, and some have ended on a day that nobody tells.
      const isUncertain = list === 'operators' ? !isKnownOperator(airline) : !airline.current && airline.endedOn === '';
      return {
        ...airline,
        rank,
        list,
        isCodeClaimed: held.has(iata) && isUncertain,
        precededUntil: precededUntil(airline, byIata.get(iata) ?? []),
      };
    };
  return [
    ...first.map(ranked('airlines')),
    ...known.map(ranked('operators')),
    ...second.map(ranked('airlines')),
    ...further.filter((operator) => !isKnownOperator(operator)).map(ranked('operators')),
  ];
};
