import type { Itinerary, ScheduleLeg, SegmentData } from '../../../domain/schedule/schedule.ts';
import { shiftPeriod } from '../../../domain/time/shift-period.ts';
import type { ClockChanges } from './clock-changes.ts';
import { editionsOf, type Edition } from './editions.ts';
import { isSurface } from './equipment.ts';
import type { FlightPlan } from './flight-plan.ts';
import { arrivalEnd, departureEnd } from './leg-ends.ts';
import { legFacts } from './leg-facts.ts';
import { firstDeparture, minutesAfter, timeLegs, type TimedLeg } from './leg-times.ts';
import type { DateRange } from './seasons.ts';
import { terminalOf } from './terminals.ts';

type Context = { readonly plan: FlightPlan; readonly edition: Edition; readonly sequence: number };

/** Lines are numbered when the whole world is laid out; until then they are 0. */
const buildLeg = ({ leg, leaves, arrives }: TimedLeg, { plan, edition, sequence }: Context): ScheduleLeg => {
  const { carrier, flightNumber, suffix, serviceType, variant, days, everyWeeks } = plan;
  const origin = edition.from;
  const start = firstDeparture(plan, origin);
  const departure = departureEnd(leg, { utc: minutesAfter(start, leaves), origin });
  const arrival = arrivalEnd(leg, { utc: minutesAfter(start, arrives), origin });
  const facts = legFacts(carrier, leg, { departs: departure.aircraftMinutes, minutes: arrives - leaves });
  const usesTerminals = facts.bookingClasses !== '' && !isSurface(leg.equipment);
  const terminal = (station: string): string => (usesTerminals ? terminalOf(station, carrier) : '');
  return {
    carrier,
    flightNumber,
    suffix,
    line: 0,
    itinerary: edition.changes * variant[1] + variant[0],
    sequence,
    serviceType,
    timeMode: 'local',
    period: shiftPeriod({ from: edition.from, to: edition.to, days, everyWeeks }, departure.dateVariation),
    departure: { ...departure, terminal: terminal(leg.from) },
    arrival: { ...arrival, terminal: terminal(leg.to) },
    equipment: leg.equipment,
    ...facts,
  };
};

const buildSegmentData = ({ legs, elements }: FlightPlan): readonly SegmentData[] => {
  const stations = [legs[0].from, ...legs.map(({ to }) => to)];
  return elements.map(({ dei, from, to, data }) => ({
    dei,
    boardStation: stations[from] ?? '',
    offStation: stations[to] ?? '',
    boardIndex: from,
    offIndex: to,
    data,
    line: 0,
  }));
};

/** The itineraries of a flight that leaves its first station within a range of dates, one for each edition. */
export const buildItineraries = (
  plan: FlightPlan,
  range: DateRange,
  clockChanges: ClockChanges,
): readonly Itinerary[] => {
  const [firstLeg, ...otherLegs] = timeLegs(plan);
  const segmentData = buildSegmentData(plan);
  if (!firstLeg) return [];
  return editionsOf(plan, range, clockChanges).map((edition) => ({
    legs: [
      buildLeg(firstLeg, { plan, edition, sequence: 1 }),
      ...otherLegs.map((leg, index) => buildLeg(leg, { plan, edition, sequence: index + 2 })),
    ],
    segmentData,
    complete: true,
  }));
};
