import { formatDate, formatTime, toMinuteOfDay, type LocalDate } from '#domain/time/dates.ts';
import type { ZoneLookup } from '#domain/schedule/instances.ts';
import type { LegEnd } from '#domain/schedule/schedule.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import type { ExpansionCounts } from './build-day-rows.ts';
import type { LegDifference, StationDifference, VariationCheck } from './variation-check.ts';

/** The first and last byte of both UTC variations in a flight leg record, and of its times. */
const VARIATION_BYTES: readonly [number, number] = [48, 70];
const TIME_BYTES: readonly [number, number] = [40, 65];

const formatSpan = (days: readonly LocalDate[]): string => {
  const [first] = days;
  const last = days.at(-1);
  return first === undefined || last === undefined ? 'no days' : `${formatDate(first)} to ${formatDate(last)}`;
};

const formatOffset = (minutes: number): string => {
  const size = Math.abs(minutes);
  const digits = `${String(Math.floor(size / 60)).padStart(2, '0')}${String(size % 60).padStart(2, '0')}`;
  return `${minutes < 0 ? '-' : '+'}${digits}`;
};

const formatVariation = ({ station, utcVariationMinutes }: LegEnd): string =>
  `${station} ${formatOffset(utcVariationMinutes)}`;

const describeUsedTimes = ({ leg, utcAsFiled }: LegDifference): string => {
  if (utcAsFiled) return 'the variation was kept, because with the time zone the flight would arrive before it departs';
  return leg.timeMode === 'utc'
    ? 'UTC times were kept, and local times follow the time zone'
    : 'local times were kept, and UTC times follow the time zone';
};

const addLegDifference = (report: LoadReport, difference: LegDifference): void => {
  const { leg, days, ends, utcAsFiled } = difference;
  const zones = ends.map(({ station, byZone }) => `${station} ${formatOffset(byZone)}`).join(', ');
  report.entries.push({
    severity: 'corrected',
    line: leg.line,
    bytes: VARIATION_BYTES,
    value: `${formatVariation(leg.departure)}, ${formatVariation(leg.arrival)}`,
    reason: utcAsFiled ? 'variation-kept' : 'variation-mismatch',
    message: `A UTC variation differs from its time zone (${zones}) on ${days.toString()}; ${describeUsedTimes(difference)}.`,
  });
};

const addStationDifference = (report: LoadReport, difference: StationDifference, zone: string): void => {
  const { station, filed, byZone, days, records, movements, timeMode } = difference;
  const minutes = filed - byZone;
  // With a larger variation, local times are later, and UTC times that follow from local ones are earlier.
  const isLater = timeMode === 'utc' ? minutes > 0 : minutes < 0;
  const [kept, changed] = timeMode === 'utc' ? ['UTC', 'local'] : ['local', 'UTC'];
  report.entries.push({
    severity: 'corrected',
    field: 'station',
    value: `${station} ${formatOffset(filed)}`,
    reason: 'station-variation',
    message: `On ${days.toString()}, all ${records} records of ${station} have another UTC variation than its time zone ${zone} (${formatOffset(byZone)}); ${kept} times were kept. By the filed variations, the ${changed} times of ${movements} departures and arrivals would be ${Math.abs(minutes)} minutes ${isLater ? 'later' : 'earlier'}: check the time zone of the station.`,
  });
};

const addVariationRemarks = (report: LoadReport, variations: VariationCheck, zoneOf: ZoneLookup): void => {
  const stations = variations.listStations();
  for (const difference of stations) addStationDifference(report, difference, zoneOf(difference.station) ?? '');
  for (const difference of variations.listLegs(stations)) addLegDifference(report, difference);
  for (const { leg, station, filed, shown, days } of variations.listSkippedTimes())
    report.entries.push({
      severity: 'corrected',
      line: leg.line,
      bytes: TIME_BYTES,
      value: `${station} ${formatTime(toMinuteOfDay(filed))}`,
      reason: 'skipped-local-time',
      message: `The clock of ${station} skips this local time on ${days.toString()}; the flight has the time that the clock shows at that moment, ${formatTime(toMinuteOfDay(shown))}.`,
    });
};

/** Adds the remarks of an expansion to the load report. */
export const addExpansionRemarks = (
  report: LoadReport,
  {
    days,
    counts,
    zoneOf,
  }: { readonly days: readonly LocalDate[]; readonly counts: ExpansionCounts; readonly zoneOf: ZoneLookup },
): void => {
  addVariationRemarks(report, counts.variations, zoneOf);
  if (counts.doubleDepartures > 0)
    report.entries.push({
      severity: 'notice',
      field: 'flight',
      value: String(counts.doubleDepartures),
      reason: 'double-departure',
      message: `${counts.doubleDepartures} flights of ${formatSpan(days)} repeat a designator, route and date; their order distinguishes them.`,
    });
};
