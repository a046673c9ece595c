import type { JoinedAirline } from './join-versions.ts';

/**
 * The last day, `YYYY-MM-DD`, on which others that have ended had the IATA code of a present carrier, '' when none had it in its
 * time. For many carriers the list has the day on which the company began, long before it got the code. Who had the code under
 * the same ICAO code was the carrier itself, or a part of it. `sharing` are all that have or had the code.
 */
export const precededUntil = (carrier: JoinedAirline, sharing: readonly JoinedAirline[]): string => {
  if (!carrier.current || carrier.iata === '') return '';
  const ends = sharing
    .filter(({ current, icao }) => !current && (icao === '' || icao !== carrier.icao))
    .map(({ endedOn }) => endedOn)
    .filter((endedOn) => endedOn !== '' && carrier.startedOn <= endedOn);
  return ends.toSorted().at(-1) ?? '';
};
