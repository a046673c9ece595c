import { listCarriers, type MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { computeScheduleKey, computeStatusKey } from '#domain/schedule/keys.ts';
import type { DesignatorReference } from '#domain/status/message.ts';
import { addDays, type LocalDate, toDate, type UtcMinute } from '#domain/time/dates.ts';
import type { Sql } from '#store/pool/database.ts';
import { listCandidatesByNumber, type StatusCandidate } from '#store/status/status-instances.ts';
import { type ListRow, readListRow, toScheduleReference } from '../flights/schedule-reference.ts';
import { getStationCode, listDesignators } from './flight-codes.ts';

/** Legs of a flight depart within this many days of its origin date, including that day. */
export const MAX_LEG_DAYS = 4;

/** A leg, or a whole flight with stops, that has the designator of a reference. */
export type Leg = {
  readonly target: StatusCandidate;
  readonly row: ListRow;
  readonly scheduledOut: UtcMinute;
  /** Undefined when unknown. */
  readonly scheduledIn: UtcMinute | undefined;
};

const toLeg = (target: StatusCandidate): Leg => {
  const row = readListRow(target);
  const { scheduledOut, scheduledIn } = toScheduleReference(target, row);
  return { target, row, scheduledOut, scheduledIn };
};

/** Departures of one designator on the same route and day; more than two were never observed. */
const occurrences = [1, 2, 3, 4] as const;

type Designation = Pick<DesignatorReference, 'carrier' | 'flightNumber' | 'suffix'>;

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

/** Whether a leg has the suffix of the reference. The row of an unscheduled flight lacks it; its key has it, unless the flight was refiled. */
const hasSuffix = (leg: Leg, reference: DesignatorReference, masterDataIndex: MasterDataIndex): boolean => {
  if (leg.target.flightType === 'S') return (leg.row.serviceSuffix ?? '') === reference.suffix;
  return (
    (reference.suffix === '' && !leg.target.isRecovery) ||
    hasKey(leg, reference, { date: leg.target.departsOn, masterDataIndex })
  );
};

/** Whether a flight leaves its first station on a local date. The key of a scheduled flight contains that date. */
export const hasOriginDate = (
  leg: Leg,
  date: LocalDate,
  { reference, masterDataIndex }: { readonly reference: Designation; readonly masterDataIndex: MasterDataIndex },
): boolean =>
  leg.target.flightType === 'S' ? hasKey(leg, reference, { date, masterDataIndex }) : leg.target.departsOn === date;

/** Local dates on which the leg of a reference can depart. */
type Window = { readonly from: LocalDate; readonly days: number };

/** A local date is that in UTC, the day before or the day after; a leg takes up to a day. */
const getWindow = ({ originDate, scheduledOut, scheduledIn }: DesignatorReference): Window => {
  if (scheduledOut !== undefined) return { from: addDays(toDate(scheduledOut), -1), days: 3 };
  if (scheduledIn !== undefined) return { from: addDays(toDate(scheduledIn), -2), days: 4 };
  return { from: addDays(originDate ?? toDate(0 as UtcMinute), -1), days: MAX_LEG_DAYS + 1 };
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
