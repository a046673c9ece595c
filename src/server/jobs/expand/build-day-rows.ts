import { addDays, toDate, formatDate, type LocalDate } from '#domain/time/dates.ts';
import { listInstances, type SegmentInstance, type ZoneLookup } from '#domain/schedule/instances.ts';
import { computeScheduleKey, computeStatusKey, toKeyOrder } from '#domain/schedule/keys.ts';
import type { InstanceRow } from '#store/flights/instance-row.ts';
import type { PlannedFlight, PlannedSegment } from './plan-schedules.ts';
import { VariationCheck } from './variation-check.ts';

/** What is counted while days are expanded. */
export type ExpansionCounts = {
  instances: number;
  doubleDepartures: number;
  readonly variations: VariationCheck;
};

/** Creates counts of zero. */
export const createExpansionCounts = (): ExpansionCounts => ({
  instances: 0,
  doubleDepartures: 0,
  variations: new VariationCheck(),
});

/**
 * The date in the status key: that of the departure, or the earlier one at which the flight was filed before a message retimed it over midnight. A
 * flight keeps its observations when it is retimed.
 */
const toStatusDate = ({ firstLeg }: PlannedSegment, { departsAtLocal }: SegmentInstance): LocalDate =>
  addDays(toDate(departsAtLocal), -firstLeg.departure.dateVariation);

/** The ordinal number of a departure: on the origin date of the flight for the schedule key, on its status date for the status key. */
type Occurrence = { readonly ofOrigin: number; readonly ofStatusDate: number };
const singleDeparture: Occurrence = { ofOrigin: 1, ofStatusDate: 1 };

const buildRow = (
  planned: PlannedSegment,
  instance: SegmentInstance,
  { ofOrigin, ofStatusDate }: Occurrence,
): InstanceRow => {
  const { segment } = planned;
  const [first] = segment.legs;
  const last = segment.legs.at(-1) ?? first;
  const [board, off] = [first.departure.station, last.arrival.station];
  const scheduleInstanceKey = computeScheduleKey({
    designator: segment,
    date: instance.originDate,
    board,
    off,
    occurrence: ofOrigin,
  });
  const statusKey = computeStatusKey({
    designator: segment.operatingFlight ?? segment,
    date: toStatusDate(planned, instance),
    board,
    off,
    occurrence: ofStatusDate,
  });
  const codeshares = planned.codeshares.map(({ designator, ...codeshare }) => {
    const key = computeScheduleKey({ designator, date: instance.originDate, board, off, occurrence: ofOrigin });
    return { ...codeshare, key: key.toString('hex'), order: String(toKeyOrder(key)) };
  });
  return {
    departsAt: instance.departsAtLocal,
    arrivesAt: instance.arrivesAtLocal,
    key: scheduleInstanceKey,
    statusKey,
    carrierId: planned.carrierId,
    departureId: planned.departureId,
    arrivalId: planned.arrivalId,
    segmentId: planned.segmentId,
    flightNumber: segment.flightNumber,
    flightType: 'S',
    serviceType: segment.serviceType,
    isMarketing: segment.isMarketing,
    doc: planned.renderRow(instance, {
      scheduleInstanceKey: scheduleInstanceKey.toString('hex'),
      statusKey: statusKey.toString('hex'),
    }),
    codeshares,
  };
};

type Departure = { readonly planned: PlannedSegment; readonly instance: SegmentInstance };

/**
 * Builds the rows of a flight with several departures on a day. A designator should fly a route once a day; if its
 * itineraries overlap, departures are numbered in order of time, so that each has its own key.
 */
function* buildOverlappingRows(departures: Departure[], counts: ExpansionCounts): Generator<InstanceRow> {
  departures.sort(
    (a, b) => a.instance.departsAtUtc - b.instance.departsAtUtc || a.planned.segmentId - b.planned.segmentId,
  );
  const counted = new Map<string, number>();
  const countNext = (group: string): number => {
    const count = (counted.get(group) ?? 0) + 1;
    counted.set(group, count);
    return count;
  };
  for (const { planned, instance } of departures) {
    const { legs } = planned.segment;
    const route = `${legs[0].departure.station}|${legs.at(-1)?.arrival.station}`;
    const ofOrigin = countNext(`${formatDate(instance.originDate)}|${route}`);
    if (ofOrigin > 1) counts.doubleDepartures += 1;
    const ofStatusDate = countNext(`status ${formatDate(toStatusDate(planned, instance))}|${route}`);
    yield buildRow(planned, instance, { ofOrigin, ofStatusDate });
  }
}

/** Builds the rows of the flights that depart on a local date. */
export function* buildDayRows(
  flights: Iterable<PlannedFlight>,
  day: LocalDate,
  { zoneOf, counts }: { readonly zoneOf: ZoneLookup; readonly counts: ExpansionCounts },
): Generator<InstanceRow> {
  for (const { segments } of flights) {
    const departures: Departure[] = [];
    for (const planned of segments)
      for (const instance of listInstances(planned.segment, day, { firstLeg: planned.firstLeg, zoneOf })) {
        counts.instances += 1;
        if (planned.segment.legs.length === 1) counts.variations.add(day, planned.segment.legs[0], instance);
        departures.push({ planned, instance });
      }
    const [first] = departures;
    if (departures.length === 1 && first) yield buildRow(first.planned, first.instance, singleDeparture);
    else yield* buildOverlappingRows(departures, counts);
  }
}
