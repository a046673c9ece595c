import { listCarriers, type MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { computeScheduleKey, computeStatusKey } from '#domain/schedule/keys.ts';
import type { DesignatorReference } from '#domain/status/message.ts';
import { addDays, type LocalDate, toDate, type UtcMinute } from '#domain/time/dates.ts';
import type { Sql } from '#store/pool/database.ts';
import type { ScheduleReference } from '#store/status/flight-statuses.ts';
import { listCandidatesByNumber, type StatusCandidate } from '#store/status/status-instances.ts';
import { type ListRow, readListRow, toScheduleReference } from '../flights/schedule-reference.ts';
import { getStationCode, listDesignators } from './flight-codes.ts';

/**
 * Local dates on which a leg of a flight can depart, from the day before its origin date (a leg that starts beyond the date line) to the third day
 * after it.
 */
export const legDays = { back: 1, days: 5 } as const;

/** A leg, or a whole flight with stops, that has the designator of a reference. */
export type Leg = {
  readonly target: StatusCandidate;
  readonly row: ListRow;
  readonly scheduledOut: UtcMinute;
  /** Undefined when unknown. */
  readonly scheduledIn: UtcMinute | undefined;
};

/** Returns the scheduled times and airports of a candidate: those of its status, if it has one. */
export const getReference = (target: StatusCandidate): ScheduleReference =>
  target.storedStatus?.reference ?? toScheduleReference(target, readListRow(target));

const toLeg = (target: StatusCandidate): Leg => {
  const row = readListRow(target);
  const { scheduledOut, scheduledIn } = toScheduleReference(target, row);
  return { target, row, scheduledOut, scheduledIn };
};

/** Departures of one designator on the same route and day; more than two were never observed. */
export const occurrences = [1, 2, 3, 4] as const;

type Designation = Pick<DesignatorReference, 'carrier' | 'flightNumber' | 'suffix'>;

/** A reference with the reference data that its codes need. */
export type ReferenceContext = { readonly reference: Designation; readonly masterDataIndex: MasterDataIndex };

/** Whether the key of a leg is that of a designator and a date, under any code of the carrier. */
const hasKey = (
  { target }: Leg,
  { carrier, flightNumber, suffix }: Designation,
  { date, masterDataIndex }: { readonly date: LocalDate; readonly masterDataIndex: MasterDataIndex },
): boolean => {
  const [from, to] = [masterDataIndex.location(target.departure), masterDataIndex.location(target.arrival)];
  if (!from || !to) return false;
  const keyOf = target.flightType === 'S' ? computeScheduleKey : computeStatusKey;
  const [board, off] = [getStationCode(from), getStationCode(to)];
  return listDesignators(masterDataIndex, carrier).some((code) => {
    const designator = { carrier: code, flightNumber, suffix };
    return occurrences.some((occurrence) => keyOf({ designator, date, board, off, occurrence }).equals(target.key));
  });
};

/**
 * Whether a leg has the suffix of the reference. The row of an unscheduled flight can lack it; its key has it, unless the flight was refiled.
 * Airports publish numbers with and without a suffix at one time: those of published flights are always in the row.
 */
const hasSuffix = (leg: Leg, reference: DesignatorReference, masterDataIndex: MasterDataIndex): boolean => {
  if (['S', 'P'].includes(leg.target.flightType)) return (leg.row.serviceSuffix ?? '') === reference.suffix;
  return (
    (reference.suffix === '' && !leg.target.isRecovery) ||
    hasKey(leg, reference, { date: leg.target.departsOn, masterDataIndex })
  );
};

/** Whether a flight leaves its first station on a local date. The key of a scheduled flight contains that date. */
export const hasOriginDate = (leg: Leg, date: LocalDate, { reference, masterDataIndex }: ReferenceContext): boolean =>
  leg.target.flightType === 'S' ? hasKey(leg, reference, { date, masterDataIndex }) : leg.target.departsOn === date;

/** Returns the local date on which the flight of a leg leaves its first station; undefined if its key has another designator. */
const findOriginDate = (leg: Leg, context: ReferenceContext): LocalDate | undefined => {
  const { departsOn } = leg.target;
  // The likeliest first: each costs the computation of keys.
  return [0, -1, 1, -2, -3].map((days) => addDays(departsOn, days)).find((date) => hasOriginDate(leg, date, context));
};

/**
 * Returns the first leg of the flight of a leg, of the legs of one origin date. If the designator departs several times that day, its flights do not
 * overtake each other; of flights that do not have the same stations, each can be meant.
 */
const findFirstLegs = (leg: Leg, ofDate: readonly Leg[]): readonly Leg[] => {
  const ordered = ofDate.toSorted((one, other) => one.scheduledOut - other.scheduledOut);
  const station = ordered[0]?.target.departure;
  const firsts = ordered.filter(({ target }) => target.departure === station);
  const sameRoute = ordered.filter(
    ({ target }) => target.departure === leg.target.departure && target.arrival === leg.target.arrival,
  );
  const first = firsts[sameRoute.indexOf(leg)];
  return first && firsts.length === sameRoute.length ? [first] : firsts;
};

/**
 * Returns the dates that senders give each leg, local and in UTC: that of its own departure, and that of the first departure of its flight, which must
 * be among the legs.
 */
export const listLegDates = (
  legs: readonly Leg[],
  context: ReferenceContext,
): ReadonlyMap<Leg, readonly LocalDate[]> => {
  const single = legs.filter(({ target }) => !target.hasStops);
  const dated = single.map((leg) => ({ leg, originDate: findOriginDate(leg, context) }));
  const byOrigin = Map.groupBy(dated, ({ originDate }) => originDate);
  return new Map(
    dated.map(({ leg, originDate }) => {
      const own = [leg.target.departsOn, toDate(leg.scheduledOut)];
      if (originDate === undefined) return [leg, own];
      const firsts = findFirstLegs(leg, byOrigin.get(originDate)?.map((one) => one.leg) ?? []);
      return [leg, [...own, originDate, ...firsts.map((first) => toDate(first.scheduledOut))]];
    }),
  );
};

/** Local dates on which the leg of a reference can depart. */
type Window = { readonly from: LocalDate; readonly days: number };

const widen = ({ from, days }: Window): Window => ({ from: addDays(from, -1), days: days + 2 });

/** A local date is that in UTC, the day before or the day after; a leg takes up to a day. */
const getTimedWindow = ({ scheduledOut, scheduledIn }: DesignatorReference): Window | undefined => {
  if (scheduledOut !== undefined) return { from: addDays(toDate(scheduledOut), -1), days: 3 };
  if (scheduledIn !== undefined) return { from: addDays(toDate(scheduledIn), -2), days: 4 };
  return undefined;
};

const getWindow = (reference: DesignatorReference): Window => {
  const { originDate = toDate(0 as UtcMinute), datedBy } = reference;
  const timed = getTimedWindow(reference);
  const ofDate = { from: addDays(originDate, -legDays.back), days: legDays.days };
  // A date in UTC can be the day before or after the origin date. The first leg of the flight is needed to know its date.
  if (datedBy === 'utc') return timed ? { from: addDays(timed.from, -3), days: timed.days + 3 } : widen(ofDate);
  return timed ?? ofDate;
};

const listCarrierIds = (code: string, masterDataIndex: MasterDataIndex): ReadonlySet<number> =>
  new Set(listCarriers(masterDataIndex, code).map(({ id }) => id));

/** Lists the flights with the designator of each reference around its date, with one query for all references of a window. */
export const listLegsByNumber = async (
  sql: Sql,
  references: readonly DesignatorReference[],
  masterDataIndex: MasterDataIndex,
): Promise<ReadonlyMap<DesignatorReference, readonly Leg[]>> => {
  const legs = new Map<DesignatorReference, readonly Leg[]>();
  const windows = references.map((reference) => ({ reference, ...getWindow(reference) }));
  for (const ofWindow of Map.groupBy(windows, ({ from, days }) => `${from}/${days}`).values()) {
    const [first] = ofWindow;
    if (!first) continue;
    const { from, days } = first;
    const carriers = new Map(
      ofWindow.map(({ reference }) => [reference, listCarrierIds(reference.carrier, masterDataIndex)]),
    );
    const targets = await listCandidatesByNumber(sql, {
      from,
      days,
      carriers: [...new Set([...carriers.values()].flatMap((ids) => [...ids]))],
      flightNumbers: [...new Set(ofWindow.map(({ reference }) => reference.flightNumber))],
    });
    const byNumber = Map.groupBy(targets.map(toLeg), ({ row }) => row.flightNumber);
    for (const { reference } of ofWindow) {
      const ofNumber = byNumber.get(reference.flightNumber) ?? [];
      legs.set(
        reference,
        ofNumber.filter(
          (leg) => carriers.get(reference)?.has(leg.target.carrier) && hasSuffix(leg, reference, masterDataIndex),
        ),
      );
    }
  }
  return legs;
};
