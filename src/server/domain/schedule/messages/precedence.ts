import { compareTexts } from '#lib/compare-texts.ts';
import type { LocalDate } from '#domain/time/dates.ts';
import { toDesignatorKey } from '../designators.ts';
import { listFlights } from './apply-amendments.ts';
import type { Amendment } from './schedule-message.ts';

type AmendmentAge = Pick<
  Amendment,
  'id' | 'createdOn' | 'group' | 'receivedAt' | 'originator' | 'sentAt' | 'subMessages'
>;

/** The time of the origin line, or of the receipt: the amendment was written no later. */
const getLatestTime = ({ sentAt, receivedAt }: AmendmentAge): number => sentAt ?? receivedAt;

/** Two messages of one sender with numbers are compared by these. */
const toSeries = ({ createdOn, group, originator = '' }: AmendmentAge): string | undefined =>
  group === '' ? undefined : `${createdOn} ${originator}`;

/**
 * Returns a time for each amendment, from the last to the first: its own, or less than that of the next one of the same flight by `step`.
 * Amendments of other flights do not count, so that the result does not depend on what is computed together.
 */
const limitByNext = <T extends AmendmentAge>(
  ordered: readonly T[],
  step: number,
): readonly (readonly [T, number])[] => {
  const nextTimes = new Map<string, number>();
  return ordered.toReversed().map((amendment) => {
    const flights = listFlights(amendment.subMessages).map(toDesignatorKey);
    const limits = flights.map((flight) => (nextTimes.get(flight) ?? Infinity) - step);
    const time = Math.min(getLatestTime(amendment), ...limits);
    for (const flight of flights) nextTimes.set(flight, time);
    return [amendment, time];
  });
};

/**
 * Computes when each amendment was written at the latest. A sender counts its messages: one with a lower number was written before one with a
 * higher number, also when it arrived after it. This makes messages of several senders, and those without a number, comparable by time.
 */
const computeLatestTimes = <T extends AmendmentAge>(amendments: readonly T[]): ReadonlyMap<T, number> => {
  const times = new Map<T, number>(amendments.map((one) => [one, getLatestTime(one)]));
  for (const [series, members] of Map.groupBy(amendments, toSeries)) {
    if (series === undefined) continue;
    const byNumber = members.toSorted((a, b) => compareTexts(a.group, b.group) || getLatestTime(a) - getLatestTime(b));
    for (const [amendment, time] of limitByNext(byNumber, 0)) times.set(amendment, time);
  }
  return times;
};

/**
 * Lists the amendments that apply to schedule files, in the order in which they apply: by creation date, then by time, and those of one sender
 * by message number. A file contains what was known before its creation date, so older amendments are superseded. An ASM wins over an SSM by
 * itself: it changes a single date, over the periods (docs/reference/schedule-precedence.md). `fileCreatedOn` is that of the file of all
 * amendments that name none themselves.
 */
export const listAmendmentsInForce = <T extends AmendmentAge & { readonly fileCreatedOn?: LocalDate | undefined }>(
  amendments: readonly T[],
  fileCreatedOn?: LocalDate,
): readonly T[] => {
  const inForce = amendments.filter((one) => one.createdOn >= (one.fileCreatedOn ?? fileCreatedOn ?? one.createdOn));
  const times = computeLatestTimes(inForce);
  const timeOf = (one: T): number => times.get(one) ?? getLatestTime(one);
  return inForce.toSorted(
    (a, b) =>
      a.createdOn - b.createdOn ||
      timeOf(a) - timeOf(b) ||
      compareTexts(a.originator ?? '', b.originator ?? '') ||
      compareTexts(a.group, b.group) ||
      a.receivedAt - b.receivedAt ||
      a.id - b.id,
  );
};

/**
 * Returns the times to which the effects of amendments on statuses are dated, milliseconds since 1970: ascending as the amendments of a flight are.
 */
export const computeEffectiveTimes = (ordered: readonly AmendmentAge[]): ReadonlyMap<number, number> =>
  new Map(limitByNext(ordered, 1).map(([{ id }, time]) => [id, time]));
