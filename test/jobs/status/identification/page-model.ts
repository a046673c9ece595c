import { type Airport, DAY, type DatedLeg, type World } from './schedule-model.ts';

/** A time that a message reports, minutes from 1 June. */
export type Event = { readonly end: 'out' | 'in'; readonly at: number };

/** What a message states about its flight, as the reference pages define it. */
export type Reference = {
  readonly suffix: string;
  /** A day of June. */
  readonly date?: number | undefined;
  /** Whether senders of this kind use four dates: AIDX and telegrams. */
  readonly hasFourDates: boolean;
  readonly from?: Airport | undefined;
  readonly to?: Airport | undefined;
  readonly scheduledOut?: number | undefined;
  readonly scheduledIn?: number | undefined;
  /** Whether the days of the times follow from the date. */
  readonly hasDerivedDays?: boolean;
};

/** The name of a leg, or a reason of quarantine. */
export type Result = string;

const hasDate = ({ dates }: DatedLeg, { date, hasFourDates }: Reference): boolean =>
  hasFourDates ? Object.values(dates).some((one) => one === date) : dates.originLocal === date;

const isOnRoute = (leg: DatedLeg, { suffix, from, to }: Reference): boolean =>
  leg.series.suffix === suffix && (from === undefined || leg.from === from) && (to === undefined || leg.to === to);

const fits = (leg: DatedLeg, events: readonly Event[], [early, late]: readonly [number, number]): boolean =>
  events.every(({ end, at }) => at >= leg[end] - early && at <= leg[end] + late);

/** docs/reference/status-messages.md, "Times of the message". */
const decideByTimes = (legs: readonly DatedLeg[], events: readonly Event[]): Result => {
  if (events.length === 0) return 'ambiguous-flight';
  for (const late of [6 * 60, 18 * 60]) {
    const fitting = legs.filter((leg) => fits(leg, events, [120, late]));
    if (fitting.length > 1) return 'ambiguous-flight';
    if (fitting[0]) return fitting[0].name;
  }
  return 'ambiguous-flight';
};

/** docs/reference/status-messages.md, "Scheduled times". */
const findByScheduledTime = (legs: readonly DatedLeg[], reference: Reference): readonly Result[] => {
  const { scheduledOut, scheduledIn } = reference;
  const isNear = (leg: DatedLeg, minutes: number): boolean =>
    (scheduledOut === undefined || Math.abs(leg.out - scheduledOut) <= minutes) &&
    (scheduledIn === undefined || Math.abs(leg.in - scheduledIn) <= minutes);
  const exact = legs.filter((leg) => isNear(leg, 0));
  const matching = exact.length > 0 ? exact : legs.filter((leg) => isNear(leg, 30));
  const ofDate = matching.filter((leg) => reference.date === undefined || hasDate(leg, reference));
  if (ofDate.length > 1) return ['ambiguous-flight'];
  if (ofDate[0]) return [ofDate[0].name];
  if (matching.length > 0) return ['contradictory-flight'];
  // The date can be that of a flight, on a day that is far from the times.
  return reference.date === undefined ? ['no-such-flight'] : ['contradictory-flight', 'no-such-flight'];
};

/** docs/reference/aidx.md, "Find the flight", and docs/reference/movement-telegrams.md, "Date resolution". */
const findByFourDates = (legs: readonly DatedLeg[], events: readonly Event[], reference: Reference): Result => {
  const [leg, other] = legs.filter((one) => hasDate(one, reference));
  if (!leg) return 'no-such-flight';
  const isCertain = Object.values(leg.dates).every((one) => one === reference.date);
  const isDated = !reference.hasDerivedDays && events.length > 0;
  if (other)
    return decideByTimes(
      legs.filter((one) => hasDate(one, reference)),
      events,
    );
  if (!isCertain && !isDated) return 'ambiguous-flight';
  return fits(leg, events, isCertain ? [4 * 60, 100 * DAY] : [120, 18 * 60]) ? leg.name : 'contradictory-flight';
};

/** docs/reference/status-messages.md, "Identify the flight". */
const findByOriginDate = (legs: readonly DatedLeg[], events: readonly Event[], reference: Reference): Result => {
  const ofDate = legs.filter((leg) => hasDate(leg, reference));
  if (ofDate.length > 1) return decideByTimes(ofDate, events);
  if (ofDate[0]) return ofDate[0].name;
  if (reference.from === undefined || reference.to === undefined || events.length === 0) return 'no-such-flight';
  const [leg, other] = legs.filter((one) => one.dates.ownLocal === reference.date && fits(one, events, [120, 6 * 60]));
  return leg && !other ? leg.name : 'no-such-flight';
};

/** Whether the times of a message can be those of a delayed flight of the schedule: one whose date is certain can be late by any time. */
export const canBeKnown = (
  { legs }: World,
  { suffix, date, hasFourDates }: Reference,
  events: readonly Event[],
): boolean =>
  legs.some((leg) => {
    const isCertain = hasFourDates && Object.values(leg.dates).every((one) => one === date);
    return leg.series.suffix === suffix && fits(leg, events, [isCertain ? 240 : 120, isCertain ? 100 * DAY : 18 * 60]);
  });

/** Returns what the pages say becomes of a message; several where they leave the reason open. */
export const findExpected = ({ legs }: World, reference: Reference, events: readonly Event[]): readonly Result[] => {
  const onRoute = legs.filter((leg) => isOnRoute(leg, reference));
  if (reference.scheduledOut !== undefined || reference.scheduledIn !== undefined)
    return findByScheduledTime(onRoute, reference);
  return reference.hasFourDates
    ? [findByFourDates(onRoute, events, reference)]
    : [findByOriginDate(onRoute, events, reference)];
};
