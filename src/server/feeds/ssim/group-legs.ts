import { MINUTES_A_DAY } from '#domain/time/dates.ts';
import type { ScheduleLeg } from '#domain/schedule/schedule.ts';
import { narrowPeriod, shiftPeriod } from '#domain/time/period.ts';
import type { LoadReport, ReportEntry } from '../load-report.ts';
import type { LegDraft } from './leg-record.ts';

export type LegGroup = { readonly legs: readonly [ScheduleLeg, ...ScheduleLeg[]]; readonly isComplete: boolean };

/** Returns the operating days counted from the flight's origin date, which are equal for all legs of a flight. */
const formatOriginDays = (leg: ScheduleLeg): string => {
  const { from, to, days, everyWeeks } = narrowPeriod(shiftPeriod(leg.period, -leg.departure.dateVariation));
  return `${leg.timeMode} ${from} ${to} ${days} ${everyWeeks}`;
};

const toUtcMinute = (leg: ScheduleLeg, end: 'departure' | 'arrival'): number => {
  const { aircraftMinutes, utcVariationMinutes, dateVariation } = leg[end];
  return aircraftMinutes + dateVariation * MINUTES_A_DAY - (leg.timeMode === 'utc' ? 0 : utcVariationMinutes);
};

const canFollow = (leg: ScheduleLeg, previous: ScheduleLeg): boolean =>
  leg.departure.station === previous.arrival.station &&
  toUtcMinute(leg, 'departure') >= toUtcMinute(previous, 'arrival');

/** Returns the leg with a departure some days later in its flight; its own dates do not change. */
const delayDeparture = (leg: ScheduleLeg, days: number): ScheduleLeg => ({
  ...leg,
  departure: { ...leg.departure, dateVariation: leg.departure.dateVariation + days },
  arrival: { ...leg.arrival, dateVariation: leg.arrival.dateVariation + days },
});

const MAX_WAIT_DAYS = 2;

const toEntry = (
  leg: ScheduleLeg,
  [severity, reason, message]: readonly [ReportEntry['severity'], string, string],
): ReportEntry => ({
  severity,
  line: leg.line,
  value: `${leg.carrier}${leg.flightNumber}${leg.suffix} variation ${leg.itinerary} leg ${leg.sequence} ${leg.departure.station}-${leg.arrival.station}`,
  reason,
  message,
});

/**
 * Finds the day on which a later leg without date variation departs: the first on which it can follow the previous leg with the same
 * origin dates. Some senders also count the period from the origin; such a leg would depart before the previous one lands, and its
 * period is moved.
 */
const dateLeg = (leg: ScheduleLeg, previous: readonly ScheduleLeg[], report: LoadReport): ScheduleLeg => {
  for (let days = 0; days <= MAX_WAIT_DAYS; days += 1) {
    const later = delayDeparture(leg, days);
    if (!previous.some((each) => canFollow(later, each) && formatOriginDays(later) === formatOriginDays(each)))
      continue;
    if (days > 0)
      report.entries.push(
        toEntry(leg, [
          'corrected',
          'departure-date-inferred',
          `Departure date variation is blank; ${days} day(s) after the origin date was assumed.`,
        ]),
      );
    return later;
  }
  for (let days = 1; days <= MAX_WAIT_DAYS; days += 1) {
    const later = delayDeparture({ ...leg, period: shiftPeriod(leg.period, days) }, days);
    if (!previous.some((each) => formatOriginDays(leg) === formatOriginDays(each) && canFollow(later, each))) continue;
    const message = `The leg would depart before the previous leg arrives; its period was read as origin dates and moved by ${days} day(s).`;
    report.entries.push(toEntry(leg, ['corrected', 'period-of-origin', message]));
    return later;
  }
  return leg;
};

/**
 * Reads the period of a later leg with a date variation. By the rule it counts the leg's own departures. If no leg before it then has the same
 * origin dates, but one has the same period as filed, the sender counted origin dates: the period is moved.
 */
const movePeriodOfOrigin = (leg: ScheduleLeg, previous: readonly ScheduleLeg[], report: LoadReport): ScheduleLeg => {
  const days = leg.departure.dateVariation;
  const isAligned = (candidate: ScheduleLeg): boolean =>
    previous.some((each) => formatOriginDays(each) === formatOriginDays(candidate) && canFollow(candidate, each));
  if (days === 0 || isAligned(leg)) return leg;
  const moved = { ...leg, period: shiftPeriod(leg.period, days) };
  if (!isAligned(moved)) return leg;
  const message = `With a departure date variation of ${days}, the period fits the previous leg only as origin dates; it was read as these and moved by ${days} day(s) to the dates of the leg's own departure.`;
  report.entries.push(toEntry(leg, ['corrected', 'period-of-origin', message]));
  return moved;
};

const removeDuplicates = (drafts: readonly LegDraft[], report: LoadReport): readonly LegDraft[] => {
  const seen = new Set<string>();
  return drafts.filter(({ leg }) => {
    const content = JSON.stringify({ ...leg, line: 0 });
    if (!seen.has(content)) return seen.add(content);
    report.entries.push(toEntry(leg, ['corrected', 'duplicate-leg', 'Duplicate leg; the first record was used.']));
    return false;
  });
};

const isChain = (legs: readonly ScheduleLeg[]): boolean =>
  legs.every((leg, index) => {
    const previous = legs[index - 1];
    return leg.sequence === index + 1 && (previous === undefined || canFollow(leg, previous));
  });

const firstDate = (legs: readonly ScheduleLeg[]): number =>
  legs.reduce((date, leg) => Math.min(date, leg.period.from), Infinity);
const lastDate = (legs: readonly ScheduleLeg[]): number =>
  legs.reduce((date, leg) => Math.max(date, leg.period.to), -Infinity);

/** Whether the variation has further legs whose dates overlap those of a chain, so that the chain may be longer. */
const mayContinue = (chain: readonly ScheduleLeg[], further: readonly ScheduleLeg[]): boolean => {
  const from = firstDate(chain);
  const to = lastDate(chain) + MAX_WAIT_DAYS;
  return further.some((leg) => leg.sequence > chain.length && leg.period.from <= to && leg.period.to >= from);
};

/**
 * Groups the legs of one itinerary variation into flights: legs with the same origin dates that follow one another from sequence 1.
 * Other legs become flights of one leg that are not `isComplete`, with a notice in the report.
 */
export const groupLegs = (drafts: readonly LegDraft[], report: LoadReport): readonly LegGroup[] => {
  const [onlyDraft] = drafts;
  if (onlyDraft !== undefined && drafts.length === 1 && onlyDraft.leg.sequence === 1)
    return [{ legs: [onlyDraft.leg], isComplete: true }];
  const sorted = removeDuplicates(drafts, report).toSorted((one, other) => one.leg.sequence - other.leg.sequence);
  const bySequence = new Map<number, ScheduleLeg[]>();
  for (const { leg: filed, isUndated } of sorted) {
    const previous = bySequence.get(filed.sequence - 1) ?? [];
    const leg =
      filed.sequence === 1
        ? filed
        : isUndated
          ? dateLeg(filed, previous, report)
          : movePeriodOfOrigin(filed, previous, report);
    const sameSequence = bySequence.get(leg.sequence);
    if (sameSequence === undefined) bySequence.set(leg.sequence, [leg]);
    else sameSequence.push(leg);
  }
  const all = [...bySequence.values()].flat();
  return [...Map.groupBy(all, formatOriginDays).values()].flatMap((legs): readonly LegGroup[] => {
    const [first, ...rest] = legs;
    if (first === undefined) return [];
    if (isChain(legs) && !mayContinue(legs, all)) return [{ legs: [first, ...rest], isComplete: true }];
    report.entries.push(
      toEntry(first, [
        'notice',
        'legs-not-aligned',
        'The stations, dates and times of the legs of this itinerary variation do not connect; each leg was loaded as a separate flight on the dates of its own departure.',
      ]),
    );
    return legs.map((leg) => ({ legs: [leg], isComplete: false }));
  });
};
