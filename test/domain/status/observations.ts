import type { FlightFacts, LandingFacts } from '#domain/status/message.ts';
import { computeFlightView, type FlightState, type FlightView } from '#domain/status/flight-view.ts';
import type { UtcMillisecond, UtcSecond } from '#domain/status/instants.ts';
import {
  applyObservation,
  compareObservations,
  type FlightObservations,
  type Observation,
  unobservedFlight,
} from '#domain/status/observed-flight.ts';

/** Merges messages in any order. */
export const applyObservations = (observations: readonly Observation[]): FlightObservations =>
  observations.toSorted(compareObservations).reduce(applyObservation, unobservedFlight);

/** Location IDs of these tests. All flights are scheduled from London to New York. */
export const locationIds = { london: 1, newYork: 2, paris: 3, lyon: 4 } as const;

/** The published order: for each state, in the same order, the new states; `x` is a correction. */
export const correctionsOfState: Readonly<Record<FlightState, string>> = {
  Proposed: '.......',
  Scheduled: 'x......',
  OutGate: 'x......',
  inAir: 'xxx...x',
  Landed: 'xxxx..x',
  InGate: 'xxxxx.x',
  Canceled: 'x......',
};

/** Returns an instant of 1 June 2026, UTC, the day of all flights in these tests: `HH:MM` or `HH:MM:SS`. */
export const toInstant = (time: string): UtcSecond => {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return (Date.UTC(2026, 5, 1, hours, minutes, seconds) / 1000) as UtcSecond;
};

export const toMessageTime = (time: string): UtcMillisecond => (toInstant(time) * 1000) as UtcMillisecond;

/** Creates the observation of a message. Its ID defaults to the time. */
export const createObservation = (
  time: string,
  facts: FlightFacts,
  { id = time, landings = [] }: { readonly id?: string; readonly landings?: readonly LandingFacts<number>[] } = {},
): Observation => ({ id, observedAt: toMessageTime(time), facts, landings });

export const createLandingObservation = (time: string, ...landings: readonly LandingFacts<number>[]): Observation =>
  createObservation(time, {}, { landings });

export const computeView = (...messages: readonly Observation[]): FlightView =>
  computeFlightView(applyObservations(messages), locationIds.london);

const parseValue = (text: string): unknown => {
  if (/^\d\d:\d\d/.test(text)) return toInstant(text);
  if (/^(null|true|false)$/.test(text)) return JSON.parse(text);
  return Reflect.get(locationIds, text) ?? text;
};

/** Parses a message: its time, facts of the flight, and facts of landings by ID: `11:10 actualOff=10:00 CDG.airport=paris CDG.actualOn=11:00`. */
export const report = (text: string): Observation => {
  const [time = '', ...items] = text.split(' ');
  const facts: Record<string, unknown> = {};
  const landings = new Map<string, Record<string, unknown>>();
  for (const item of items) {
    const [, id, name = '', value = ''] = /^(?:(\w+)\.)?(\w*)=?(.*)$/.exec(item) ?? [];
    const target = id === undefined ? facts : (landings.get(id) ?? { id });
    if (id !== undefined) landings.set(id, target);
    if (name !== '') target[name] = parseValue(value);
  }
  return createObservation(time, facts, { landings: [...landings.values()] as unknown as LandingFacts<number>[] });
};

export const computeReportedView = (...texts: readonly string[]): FlightView => computeView(...texts.map(report));
