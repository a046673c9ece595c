import type { UtcSecond } from '#domain/status/instants.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import { createSeededRandom, type NamedRandom } from '#lib/seeded-random.ts';
import { type FlightTimes, computeFlightTimes, computeOutcome, type FlightOutcome } from './flight-times.ts';
import {
  carriesPassengers,
  isSurfaceFlight,
  toLegKey,
  type DemoFlight,
  assignAircraft,
  addMinutes,
  subtractMinutes,
} from './demo-flight.ts';
import { buildMovementReports } from './movement-reports.ts';
import { assignCounters, assignGate, assignStand, type StatusReport, toMessages } from './status-reports.ts';

const GATE_CHANGED = 0.08;
/** A shorter delay is estimated correctly at once; a longer one grows from one estimate to the next. Minutes. */
const LONG_DELAY = 45;

/** Estimates are multiples of five minutes. */
const roundToFive = (minutes: number): number => Math.round(minutes / 5) * 5;

/** Returns the estimate of a delay; an early arrival is not estimated before departure. */
const buildEstimate = ({ departsAt, arrivesAt }: DemoFlight, at: UtcSecond, delay: number): StatusReport => ({
  at,
  facts: { estimatedOut: addMinutes(departsAt, delay), estimatedIn: addMinutes(arrivesAt, Math.max(0, delay)) },
});

const buildFacilityReports = (flight: DemoFlight, random: NamedRandom, leaves: UtcSecond): readonly StatusReport[] => {
  const { reference, departsAt, departureTerminal, arrivalTerminal } = flight;
  if (!carriesPassengers(flight) || isSurfaceFlight(flight)) return [];
  const { departureAirport, arrivalAirport } = reference;
  const checkInCounter = assignCounters(departureAirport, departureTerminal, random('counter'));
  const counterAt = subtractMinutes(departsAt, random('counter at'), [200, 260]);
  const departureGate = assignGate(departureAirport, departureTerminal, random('departure gate'));
  const other = assignGate(departureAirport, departureTerminal, random('other gate'));
  const changesGate = random('gate change') < GATE_CHANGED && other !== departureGate;
  const boardingAt = subtractMinutes(leaves, random('boarding at'), [30, 45]);
  const closedAt = subtractMinutes(leaves, random('gate closed at'), [8, 15]);
  return [
    { at: counterAt, facts: { checkInCounter, checkIn: { status: 'Open', at: counterAt } } },
    {
      at: subtractMinutes(departsAt, random('gate at'), [90, 180]),
      facts: {
        departureGate,
        departureStand: assignStand(random('departure stand')),
        arrivalGate: assignGate(arrivalAirport, arrivalTerminal, random('arrival gate')),
        arrivalStand: assignStand(random('arrival stand')),
      },
    },
    { at: boardingAt, facts: { boarding: { status: 'Boarding', at: boardingAt } } },
    { at: closedAt, facts: { boarding: { status: 'GateClosed', at: closedAt } } },
    ...(changesGate
      ? [{ at: subtractMinutes(leaves, random('change at'), [25, 60]), facts: { departureGate: other } }]
      : []),
  ];
};

/** Returns the estimates of a delay: a rough one hours ahead, a better one before departure, and a third for a long delay. */
const buildEstimates = (flight: DemoFlight, random: NamedRandom, leaves: UtcSecond): readonly StatusReport[] => {
  const { departsAt } = flight;
  const delay = (leaves - departsAt) / 60;
  const estimated = delay > LONG_DELAY ? delay * 0.6 : delay;
  const guessAt = subtractMinutes(departsAt, random('guess at'), [85, 150]);
  const estimateAt = subtractMinutes(departsAt, random('estimate at'), [20, 45]);
  return [
    buildEstimate(flight, guessAt, roundToFive(Math.max(0, estimated * 0.5))),
    buildEstimate(flight, estimateAt, roundToFive(estimated)),
    ...(delay > LONG_DELAY ? [buildEstimate(flight, addMinutes(departsAt, delay * 0.3), delay)] : []),
  ];
};

const orUndefined = (text: string): string | undefined => (text === '' ? undefined : text);

/** Returns the reports before departure, from two days ahead; up to seven hours ahead they do not depend on the outcome. */
const buildPredepartureReports = (flight: DemoFlight, { gateReturn, out }: FlightTimes): readonly StatusReport[] => {
  const { reference, departsAt, arrivesAt, aircraftType } = flight;
  const random = createSeededRandom(`preparation|${toLegKey(reference)}`);
  const { planned, spare } = assignAircraft(flight);
  const departureTerminal = orUndefined(flight.departureTerminal);
  const arrivalTerminal = orUndefined(flight.arrivalTerminal);
  const leaves = gateReturn?.out ?? out;
  return [
    {
      at: subtractMinutes(departsAt, random('first at'), [2760, 2880]),
      facts: { aircraftType, departureTerminal, arrivalTerminal },
    },
    {
      at: subtractMinutes(departsAt, random('day before at'), [1380, 1560]),
      facts: { registration: orUndefined(planned), estimatedOut: departsAt, estimatedIn: arrivesAt },
    },
    ...(spare === undefined
      ? []
      : [{ at: subtractMinutes(departsAt, random('spare at'), [300, 480]), facts: { registration: spare } }]),
    ...buildFacilityReports(flight, random, leaves),
    ...buildEstimates(flight, random, leaves),
  ];
};

/** Postpones the reports of an interval to its end; their order stays. */
const postponeReports = (reports: readonly StatusReport[], from: number, until: UtcSecond): readonly StatusReport[] =>
  reports
    .toSorted((a, b) => a.at - b.at)
    .map((report) => (report.at >= from && report.at < until ? { ...report, at: until } : report));

/** Returns the departure of the first leg: a cancellation applies to all legs, and its time counts from there. */
const findFirstDeparture = ({ previousLeg, departsAt }: DemoFlight): UtcSecond =>
  previousLeg === undefined ? departsAt : findFirstDeparture(previousLeg);

const applyCancellation = (
  reports: readonly StatusReport[],
  flight: DemoFlight,
  outcome: FlightOutcome,
): readonly StatusReport[] => {
  if (outcome.kind !== 'cancelled' && outcome.kind !== 'reinstated') return reports;
  const departsAt = findFirstDeparture(flight);
  const at = addMinutes(departsAt, -outcome.minutesBefore);
  const cancellation: StatusReport = { at, facts: { cancelled: true } };
  if (outcome.kind === 'cancelled') return [...reports.filter((report) => report.at < at), cancellation];
  const again = addMinutes(departsAt, -outcome.againMinutesBefore);
  return [cancellation, { at: again, facts: { cancelled: false } }, ...postponeReports(reports, at, again)];
};

/** Returns the movements of a leg with its reporting delay, 30 to 110 seconds; it is constant, so that reports stay in order. */
const buildDelayedReports = (flight: DemoFlight, times: FlightTimes): readonly StatusReport[] => {
  const latency = 30 + Math.floor(createSeededRandom('latency')(toLegKey(flight.reference)) * 80);
  return buildMovementReports(flight, times).map((report) => ({ ...report, at: (report.at + latency) as UtcSecond }));
};

/**
 * Returns all messages of a flight in ascending order, from two days before departure or from its announcement to the delivery of its
 * baggage. They depend on flight and outcome only; until seven hours before the first departure not on the outcome.
 */
export const buildFlightMessages = (
  flight: DemoFlight,
  outcome: FlightOutcome = computeOutcome(flight),
): readonly StatusMessage[] => {
  const times = computeFlightTimes(flight, outcome);
  const reports = [...buildPredepartureReports(flight, times), ...buildDelayedReports(flight, times)];
  const announcedAt = flight.unscheduled?.announcedAt;
  const announced = announcedAt === undefined ? reports : postponeReports(reports, -Infinity, announcedAt);
  return toMessages(applyCancellation(announced, flight, outcome), flight);
};
