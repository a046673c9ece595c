import { addDays, formatDate } from '../../../domain/time/dates.ts';
import type { Directory } from '../../../domain/master-data/directory.ts';
import { computeScheduleKey, computeStatusKey } from '../../../domain/schedule/keys.ts';
import type { FlightReference } from '../../../domain/status/message.ts';
import type { Sql } from '../../../store/pool/database.ts';
import { listCandidatesByNumber, type StatusCandidate } from '../../../store/status/status-candidates.ts';
import { readListRow, type ListRow } from '../flights/schedule-reference.ts';
import { listDesignators, getStationCode } from './code-lookups.ts';

/** A reference by designator, number and date. */
export type DesignatorReference = Extract<FlightReference, { by: 'designator' }>;

/** Legs of a flight depart within this many days of its origin date, including that day. */
const MAX_LEG_DAYS = 4;

type Leg = { readonly target: StatusCandidate; readonly row: ListRow };

const listCarrierIds = (code: string, directory: Directory): ReadonlySet<number> =>
  new Set(
    [code, ...listDesignators(directory, code)].flatMap((one) =>
      directory.carriers(one.length === 3 ? 'icao' : 'iata', one).map(({ id }) => id),
    ),
  );

/** Whether the key of a leg is that of the reference, under any code of the carrier. */
const hasKey = (
  { target }: Leg,
  { carrier, flightNumber, suffix, originDate }: DesignatorReference,
  directory: Directory,
): boolean => {
  const [from, to] = [directory.location(target.departure), directory.location(target.arrival)];
  if (!from || !to) return false;
  const keyOf = target.flightType === 'S' ? computeScheduleKey : computeStatusKey;
  const [board, off] = [getStationCode(from), getStationCode(to)];
  return listDesignators(directory, carrier).some((designator) =>
    keyOf({
      designator: { carrier: designator, flightNumber, suffix },
      date: originDate,
      board,
      off,
      occurrence: 1,
    }).equals(target.key),
  );
};

/** Whether a leg has the suffix of the reference. The row of an unscheduled flight lacks it; its key has it, unless the flight was refiled. */
const hasSuffix = (leg: Leg, reference: DesignatorReference, directory: Directory): boolean => {
  if (leg.target.flightType === 'S') return (leg.row.serviceSuffix ?? '') === reference.suffix;
  return (reference.suffix === '' && !leg.target.isRecovery) || hasKey(leg, reference, directory);
};

const isOfDate = (leg: Leg, reference: DesignatorReference, directory: Directory): boolean =>
  leg.target.flightType !== 'S' || reference.datedBy === 'departure'
    ? leg.target.departsOn === reference.originDate
    : // The key contains the origin date.
      hasKey(leg, reference, directory);

const selectLegs = (
  targets: readonly Leg[],
  reference: DesignatorReference,
  directory: Directory,
): readonly StatusCandidate[] => {
  const legs = targets.filter((leg) => hasSuffix(leg, reference, directory));
  const date = formatDate(reference.originDate);
  const ofUtcDate = reference.datedBy === 'utc' ? legs.filter(({ row }) => row.departure.date.utc === date) : [];
  // Not all sources of telegrams use UTC: if no leg departs on that UTC date, it is the date of the flight.
  const selected = ofUtcDate.length > 0 ? ofUtcDate : legs.filter((leg) => isOfDate(leg, reference, directory));
  return selected.map(({ target }) => target);
};

/** Finds the legs of each reference by number and date, with one query for all references of a date. */
export const findLegsByNumber = async (
  sql: Sql,
  references: readonly DesignatorReference[],
  directory: Directory,
): Promise<ReadonlyMap<DesignatorReference, readonly StatusCandidate[]>> => {
  const legs = new Map<DesignatorReference, readonly StatusCandidate[]>();
  for (const [date, ofDate] of Map.groupBy(references, ({ originDate }) => originDate)) {
    const carriers = new Map(ofDate.map((reference) => [reference, listCarrierIds(reference.carrier, directory)]));
    const targets = await listCandidatesByNumber(sql, {
      from: addDays(date, -1),
      days: MAX_LEG_DAYS + 1,
      carriers: [...new Set([...carriers.values()].flatMap((ids) => [...ids]))],
      flightNumbers: [...new Set(ofDate.map(({ flightNumber }) => flightNumber))],
    });
    const single = targets
      .map((target) => ({ target, row: readListRow(target) }))
      .filter(({ row }) => row.segmentInfo.numberOfStops === 0);
    const byNumber = Map.groupBy(single, ({ row }) => row.flightNumber);
    for (const reference of ofDate) {
      const ofNumber = byNumber.get(reference.flightNumber) ?? [];
      const ofCarrier = ofNumber.filter(({ target }) => carriers.get(reference)?.has(target.carrier));
      legs.set(reference, selectLegs(ofCarrier, reference, directory));
    }
  }
  return legs;
};
