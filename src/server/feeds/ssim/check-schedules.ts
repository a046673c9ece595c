import { parseConfiguration } from '#domain/schedule/cabins.ts';
import { dataElements } from '#domain/schedule/data-elements.ts';
import { toDesignatorKey, parseFlightReferences } from '#domain/schedule/designators.ts';
import type { CarrierSchedule, Designator, Itinerary, ScheduleLeg, SegmentData } from '#domain/schedule/schedule.ts';
import { appliesTo } from '#domain/schedule/segment-data.ts';
import { haveCommonDate } from '#domain/time/period.ts';
import type { LoadReport } from '../load-report.ts';

const checkStationPair = (legs: readonly ScheduleLeg[], report: LoadReport): void => {
  const openLegs: ScheduleLeg[] = [];
  for (const leg of legs.toSorted((one, other) => one.period.from - other.period.from)) {
    const stillOpen = openLegs.filter((each) => each.period.to >= leg.period.from);
    openLegs.length = 0;
    openLegs.push(...stillOpen);
    const conflicting = openLegs.find((each) => haveCommonDate(each.period, leg.period));
    // A conflicting leg is not compared with further ones, so that open legs never share a date and stay few.
    if (conflicting === undefined) {
      openLegs.push(leg);
      continue;
    }
    const value = `${leg.carrier}${leg.flightNumber}${leg.suffix} ${leg.departure.station}-${leg.arrival.station}`;
    const message = `The record in line ${conflicting.line} has the same designator and stations on a common date.`;
    report.entries.push({
      severity: 'notice',
      line: leg.line,
      bytes: [15, 57],
      value,
      reason: 'double-departure',
      message,
    });
  }
};

/** Reports legs of one designator and pair of stations that share a date: one of them must be wrong, but which is unknown. */
const checkDepartures = ({ itineraries }: CarrierSchedule, report: LoadReport): void => {
  const byFlight = new Map<string, ScheduleLeg[]>();
  for (const { legs } of itineraries) {
    for (const leg of legs) {
      const key = `${toDesignatorKey(leg)} ${leg.departure.station} ${leg.arrival.station}`;
      const sameFlight = byFlight.get(key);
      if (sameFlight === undefined) byFlight.set(key, [leg]);
      else sameFlight.push(leg);
    }
  }
  for (const legs of byFlight.values()) if (legs.length > 1) checkStationPair(legs, report);
};

/** Reports once a carrier that legs operate outside the validity of its records 2; legs and validity are kept as filed. */
const checkValidity = ({ carrier, from, to, itineraries }: CarrierSchedule, line: number, report: LoadReport): void => {
  const outside = itineraries.reduce(
    (sum, { legs }) => sum + legs.filter(({ period }) => period.from < from || period.to > to).length,
    0,
  );
  if (outside === 0) return;
  const message = `Legs of ${carrier} operate outside the validity period of its carrier records; they were accepted.`;
  report.entries.push({
    severity: 'notice',
    line,
    bytes: [15, 28],
    value: String(outside),
    reason: 'outside-validity',
    message,
  });
};

const checkConfigurations = ({ itineraries }: CarrierSchedule, report: LoadReport): void => {
  const readability = new Map<string, boolean>();
  for (const { line, configuration } of itineraries.flatMap(({ legs }) => legs)) {
    const isReadable = readability.get(configuration) ?? parseConfiguration(configuration) !== undefined;
    readability.set(configuration, isReadable);
    if (isReadable) continue;
    const message = 'The aircraft configuration is invalid; seats and freight capacity are unknown.';
    report.entries.push({
      severity: 'notice',
      line,
      bytes: [173, 192],
      value: configuration,
      reason: 'unreadable-configuration',
      message,
    });
  }
};

const checkLegCount = ({ carrier, itineraries }: CarrierSchedule, line: number, report: LoadReport): void => {
  if (itineraries.length > 0) return;
  const message = `No leg of ${carrier} was accepted; its current schedule stays.`;
  report.entries.push({ severity: 'notice', line, value: carrier, reason: 'carrier-without-legs', message });
};

/** Reports contradictions within the schedule of a carrier; `line` is that of its first carrier record. */
export const checkSchedule = (schedule: CarrierSchedule, line: number, report: LoadReport): void => {
  checkLegCount(schedule, line, report);
  checkValidity(schedule, line, report);
  checkConfigurations(schedule, report);
  checkDepartures(schedule, report);
};

type FlightCrossReference = {
  readonly from: Designator;
  readonly to: Designator;
  readonly points: string;
  readonly data: SegmentData;
};

/** Returns the pairs of points of an itinerary to which the data applies, as text. */
const listPointPairs = ({ legs }: Itinerary, data: SegmentData): readonly string[] =>
  legs.flatMap((board, index) =>
    legs.slice(index).flatMap((off) => {
      const stations = { boardStation: board.departure.station, offStation: off.arrival.station };
      const pair = { ...stations, boardIndex: board.sequence - 1, offIndex: off.sequence };
      return appliesTo(data, pair) ? [`${stations.boardStation}-${stations.offStation}`] : [];
    }),
  );

const listReferences = (itinerary: Itinerary): readonly FlightCrossReference[] =>
  itinerary.segmentData
    .filter(({ dei }) => dei === dataElements.marketingFlights || dei === dataElements.operatingFlight)
    .flatMap((data) => {
      const designators = parseFlightReferences(data.data) ?? [];
      return listPointPairs(itinerary, data).flatMap((points) =>
        designators.map((to) => ({ from: itinerary.legs[0], to, points, data })),
      );
    });

const formatReferenceKey = (
  dei: number,
  { from, to, points }: Pick<FlightCrossReference, 'from' | 'to' | 'points'>,
): string => `${dei} ${toDesignatorKey(from)} ${toDesignatorKey(to)} ${points}`;

/**
 * Reports cross-references between an operating and a marketing flight that only one of them makes, if both carriers are in the file.
 * This is common and harmless, since the two carriers file their flights independently.
 */
export const checkCodeshares = (schedules: readonly CarrierSchedule[], report: LoadReport): void => {
  const carriers = new Set(schedules.map(({ carrier }) => carrier));
  const flights = new Set<string>();
  const references: FlightCrossReference[] = [];
  for (const { itineraries } of schedules) {
    for (const itinerary of itineraries) {
      flights.add(toDesignatorKey(itinerary.legs[0]));
      for (const reference of listReferences(itinerary)) references.push(reference);
    }
  }
  const referenceKeys = new Set(references.map((reference) => formatReferenceKey(reference.data.dei, reference)));
  const reportedKeys = new Set<string>();
  for (const { from, to, points, data } of references) {
    if (!carriers.has(to.carrier)) continue;
    const opposite =
      data.dei === dataElements.marketingFlights ? dataElements.operatingFlight : dataElements.marketingFlights;
    const key = `${data.line} ${toDesignatorKey(to)}`;
    if (referenceKeys.has(formatReferenceKey(opposite, { from: to, to: from, points })) || reportedKeys.has(key))
      continue;
    reportedKeys.add(key);
    const reason = flights.has(toDesignatorKey(to))
      ? `does not refer back with element ${opposite} between ${points}`
      : 'is not in the file';
    const message = `Data element ${data.dei} refers to ${to.carrier} ${to.flightNumber}${to.suffix}, which ${reason}.`;
    report.entries.push({
      severity: 'notice',
      line: data.line,
      bytes: [40, 194],
      value: data.data,
      reason: 'codeshare-one-sided',
      message,
    });
  }
};
