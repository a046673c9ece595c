import { formatDate, type LocalDate } from '#domain/time/dates.ts';
import type { LegEnd } from '#domain/schedule/schedule.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import type { ExpansionCounts } from './build-day-rows.ts';

/** The first and last byte of both UTC variations in a flight leg record. */
const VARIATION_BYTES: readonly [number, number] = [48, 70];

const formatSpan = (days: readonly LocalDate[]): string => {
  const [first] = days;
  const last = days.at(-1);
  return first === undefined || last === undefined ? 'no days' : `${formatDate(first)} to ${formatDate(last)}`;
};

const formatVariation = ({ station, utcVariationMinutes }: LegEnd): string => {
  const size = Math.abs(utcVariationMinutes);
  const digits = `${String(Math.floor(size / 60)).padStart(2, '0')}${String(size % 60).padStart(2, '0')}`;
  return `${station} ${utcVariationMinutes < 0 ? '-' : '+'}${digits}`;
};

/** Adds the remarks of an expansion to the load report. */
export const addExpansionRemarks = (report: LoadReport, days: readonly LocalDate[], counts: ExpansionCounts): void => {
  const span = formatSpan(days);
  for (const { leg, flights, asFiled } of counts.mismatches.values())
    report.entries.push({
      severity: 'corrected',
      line: leg.line,
      bytes: VARIATION_BYTES,
      value: `${formatVariation(leg.departure)}, ${formatVariation(leg.arrival)}`,
      reason: asFiled ? 'variation-kept' : 'variation-mismatch',
      message: asFiled
        ? `On ${flights} flights of ${span}, a UTC variation differs from its time zone; it was kept, because with the time zone the flight would arrive before it departs.`
        : `On ${flights} flights of ${span}, a UTC variation differs from its time zone; local times were kept, and UTC times follow the time zone.`,
    });
  if (counts.doubleDepartures > 0)
    report.entries.push({
      severity: 'notice',
      field: 'flight',
      value: String(counts.doubleDepartures),
      reason: 'double-departure',
      message: `${counts.doubleDepartures} flights of ${span} repeat a designator, route and date; their order distinguishes them.`,
    });
};
