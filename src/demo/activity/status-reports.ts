import { toDesignatorKey } from '#domain/schedule/designators.ts';
import type { UtcMillisecond, UtcSecond } from '#domain/status/instants.ts';
import type { FlightFacts, UnscheduledFlightDescription, LandingFacts, StatusMessage } from '#domain/status/message.ts';
import { formatDate } from '#domain/time/dates.ts';
import { interpolate, createSeededRandom, type NamedRandom } from '#lib/seeded-random.ts';
import type { DemoFlight } from './demo-flight.ts';

/** Letters of piers; each terminal has one of them permanently. */
const PIERS = 'ABCDEF';

const findPier = (station: string, terminal: string): string =>
  PIERS[Math.floor(createSeededRandom('pier')(`${station}/${terminal}`) * PIERS.length)] ?? 'A';

const pickNumber = (share: number, min: number, max: number): number => Math.floor(interpolate(share, min, max + 1));

/** Returns a gate such as `B14` in the pier of the terminal. */
export const assignGate = (station: string, terminal: string, share: number): string =>
  `${findPier(station, terminal)}${pickNumber(share, 1, 48)}`;

/** Returns an aircraft stand such as `214`. */
export const assignStand = (share: number): string => String(pickNumber(share, 101, 399));

/** Returns check-in counters such as `D21-D26`. */
export const assignCounters = (station: string, terminal: string, share: number): string => {
  const [pier, first] = [findPier(station, terminal), pickNumber(share, 1, 60)];
  return `${pier}${first}-${pier}${first + 5}`;
};

/** Returns a baggage belt such as `7`. */
export const assignBelt = (random: NamedRandom): string => String(pickNumber(random('belt'), 1, 14));

/** Facts that become known at an instant, before they become a message with an ID and a flight. */
export type StatusReport = {
  readonly at: UtcSecond;
  readonly facts: FlightFacts;
  readonly landings?: readonly LandingFacts<string>[];
};

const buildPlan = (flight: DemoFlight): UnscheduledFlightDescription | undefined => {
  const { reference, departsAt, arrivesAt, serviceType, aircraftType, unscheduled } = flight;
  if (!unscheduled) return undefined;
  const { flightType, recovers } = unscheduled;
  const { departureAirport, arrivalAirport } = reference;
  return { flightType, departureAirport, arrivalAirport, departsAt, arrivesAt, serviceType, aircraftType, recovers };
};

/**
 * Returns the messages of a flight, in ascending order at distinct instants, numbered from 1. Equal reports have equal IDs, such as
 * `demo:L0/101/2026-11-21/LHR/1`, so that the store recognizes messages that it already has.
 */
export const toMessages = (reports: readonly StatusReport[], flight: DemoFlight): readonly StatusMessage[] => {
  const { reference } = flight;
  const leg = `${toDesignatorKey(reference)}/${formatDate(reference.originDate)}/${reference.departureAirport}`;
  const plan = buildPlan(flight);
  let last = -Infinity;
  return reports
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, facts, landings = [] }, index) => {
      last = Math.max(at * 1000, last + 1000);
      const observedAt = last as UtcMillisecond;
      return { id: `demo:${leg}/${index + 1}`, source: 'demo', observedAt, flight: reference, facts, landings, plan };
    });
};
