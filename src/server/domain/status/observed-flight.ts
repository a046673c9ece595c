import { compareTexts } from '#lib/compare-texts.ts';
import type { UtcMillisecond } from './instants.ts';
import { factEnds, type FlightFacts, type LandingFacts, OPERATOR, type StatusMessage } from './message.ts';
import { computeLevel, type AirportEnd, getSourceName, openSources } from './source-precedence.ts';

/** The facts of one message about a flight. Airports are location IDs. */
export type Observation = {
  readonly id: string;
  /** Absent where only the newest message is known. */
  readonly source?: string | undefined;
  readonly sender?: number | undefined;
  readonly observedAt: UtcMillisecond;
  /** The rank of its source, if that is not 0: see `SourcePrecedence`. */
  readonly rank?: number | undefined;
  /** The end of the flight that is at the airport of the source. */
  readonly ownEnd?: AirportEnd | undefined;
  readonly facts: FlightFacts;
  readonly landings: readonly LandingFacts<number>[];
  /** What it and the messages before it report together, where it replaces them. */
  readonly earlier?: FlightObservations | undefined;
};

/**
 * The value of a fact, when the source reported it, its level if that is not 0 (see `computeLevel`), and the source if it is a public feed. A withdrawn
 * value is null.
 */
export type LatestValue<Value> = readonly [value: Value, at: UtcMillisecond, level?: number, source?: string];

/** The value of each fact: that of the source with precedence, and of several messages the last one. */
export type LatestValues<Facts> = {
  readonly [Name in keyof Facts]?: LatestValue<Exclude<Facts[Name], undefined>>;
};

/** The observations of one landing at another airport; `since` is its first report, or the first after it was withdrawn or moved. */
export type LandingObservations = {
  readonly since: UtcMillisecond;
  readonly facts: LatestValues<Omit<LandingFacts<number>, 'id'>>;
};

/** All observations of a flight, merged; stored as JSON. */
export type FlightObservations = {
  readonly facts: LatestValues<FlightFacts>;
  readonly landings: Readonly<Record<string, LandingObservations>>;
  /** When each public feed last reported on the flight, by its name; absent without any. */
  readonly reports?: Readonly<Record<string, UtcMillisecond>>;
  /** The number of messages; absent where it was not counted. */
  readonly messages?: number;
};

/** A flight without observations. */
export const unobservedFlight: FlightObservations = { facts: {}, landings: {} };

/** Returns the latest value of a fact; undefined when nothing was reported, or the value was withdrawn. */
export const getValue = <Facts, Name extends keyof Facts>(
  values: LatestValues<Facts>,
  name: Name,
): NonNullable<Facts[Name]> | undefined => values[name]?.[0] ?? undefined;

/** Whether a source has hidden the status of a flight. */
export const isHidden = ({ facts }: FlightObservations): boolean => getValue(facts, 'hidden') === true;

/** Where the facts of a message come from. */
type FactOrigin = {
  readonly at: UtcMillisecond;
  readonly rank: number;
  readonly ownEnd: AirportEnd | undefined;
  /** The name of a public feed. */
  readonly source: string | undefined;
};

const toOrigin = ({ observedAt, source, rank = 0, ownEnd }: Observation): FactOrigin => {
  const name = source === undefined ? undefined : getSourceName(source);
  return { at: observedAt, rank, ownEnd, source: name !== undefined && openSources.has(name) ? name : undefined };
};

const isOfEnd = (name: string, end: AirportEnd): boolean => factEnds[name] === end;

const toLatestValue = (value: unknown, level: number, { at, source }: FactOrigin): LatestValue<unknown> =>
  source !== undefined ? [value, at, level, source] : level === 0 ? [value, at] : [value, at, level];

/** Returns the level of a known fact. */
export const getLevel = (known: LatestValue<unknown>): number => known[2] ?? 0;

/** Whether a newer report of a fact counts: its source has precedence or is equal, or the known value was withdrawn. */
const isOverruled = (level: number, known: LatestValue<unknown> | undefined): boolean =>
  known !== undefined && known[0] !== null && level > getLevel(known);

/** Returns the actual value of a resource; the planned one where there is no actual one, or that is of a source without precedence. */
export const selectResource = (
  actual: LatestValue<string | null> | undefined,
  planned: LatestValue<string | null> | undefined,
): string | undefined => {
  const value = planned && actual && isOverruled(getLevel(actual), planned) ? planned[0] : actual?.[0];
  return value ?? planned?.[0] ?? undefined;
};

const updateLatestValues = <Facts extends object>(
  values: LatestValues<Facts>,
  facts: Facts,
  origin: FactOrigin,
): LatestValues<Facts> => {
  const known: Readonly<Record<string, LatestValue<unknown> | undefined>> = values;
  const updated: Record<string, LatestValue<unknown>> = {};
  for (const [name, value] of Object.entries(facts)) {
    if (value === undefined) continue;
    const level = computeLevel(origin.rank, origin.ownEnd !== undefined && isOfEnd(name, origin.ownEnd));
    if (!isOverruled(level, known[name])) updated[name] = toLatestValue(value, level, origin);
  }
  return { ...values, ...updated };
};

const landingTimes = ['actualOn', 'actualIn', 'actualOut', 'actualOff'] as const;

/** Returns whether a landing has taken place: the aircraft landed, or left again. */
export const hasLanded = ({ facts }: LandingObservations): boolean =>
  landingTimes.some((name) => getValue(facts, name) !== undefined);

/**
 * Whether a reported airport makes it another landing: it is withdrawn, reported again, or not completed and now planned elsewhere. Earlier facts
 * then no longer hold.
 */
const isOtherLanding = (before: LandingObservations, airport: LandingFacts<number>['airport']): boolean => {
  const planned = before.facts.airport?.[0];
  if (airport === undefined) return false;
  if (airport === null || planned === null) return true;
  return planned !== undefined && airport !== planned && !hasLanded(before);
};

const updateLanding = (
  before: LandingObservations | undefined,
  { id: _, ...reported }: LandingFacts<number>,
  origin: FactOrigin,
): LandingObservations => {
  const known = before?.facts.airport;
  // A source without precedence cannot move or withdraw a landing, nor make it another one.
  const isOther =
    before !== undefined &&
    isOtherLanding(before, reported.airport) &&
    !isOverruled(computeLevel(origin.rank, false), known);
  const { since, facts } = before && !isOther ? before : { since: origin.at, facts: {} };
  return { since, facts: updateLatestValues(facts, reported, origin) };
};

type ObservationOrder = Pick<Observation, 'observedAt' | 'id' | 'source' | 'sender'>;

/** Compares messages by source time, then by ID, then by source and sender if both have one, independent of the order of arrival. */
export const compareObservations = (a: ObservationOrder, b: ObservationOrder): number =>
  a.observedAt - b.observedAt ||
  compareTexts(a.id, b.id) ||
  (a.source === undefined || b.source === undefined
    ? 0
    : compareTexts(a.source, b.source) || (a.sender ?? OPERATOR) - (b.sender ?? OPERATOR));

/** Lists the latest values by the names of their facts. */
export const listValues = (values: object): readonly (readonly [string, LatestValue<unknown>])[] =>
  Object.entries(values);

/** Whether the value of a fact counts rather than another one: that with precedence, of two with equal precedence the later. */
export const isPreferred = (one: LatestValue<unknown>, other: LatestValue<unknown> | undefined): boolean => {
  if (!other) return true;
  const [older, newer] = one[1] > other[1] ? [other, one] : [one, other];
  return (isOverruled(getLevel(newer), older) ? older : newer) === one;
};

/** Returns the value of each fact that counts; those of `earlier` if the times are equal. */
const selectPreferred = <Facts>(known: LatestValues<Facts>, earlier: LatestValues<Facts>): LatestValues<Facts> => {
  const others = new Map(listValues(earlier));
  const preferred = listValues(known).filter(([name, value]) => isPreferred(value, others.get(name)));
  return { ...earlier, ...Object.fromEntries(preferred) };
};

type Reports = FlightObservations['reports'];

const addReport = (reports: Reports, { source, at }: FactOrigin): Pick<FlightObservations, 'reports'> => {
  const all = source === undefined ? reports : { ...reports, [source]: at };
  return all ? { reports: all } : {};
};

const mergeReports = (known: Reports = {}, earlier: Reports = {}): Pick<FlightObservations, 'reports'> => {
  const names = new Set([...Object.keys(known), ...Object.keys(earlier)]);
  if (names.size === 0) return {};
  const latest = (name: string): UtcMillisecond =>
    Math.max(known[name] ?? -Infinity, earlier[name] ?? -Infinity) as UtcMillisecond;
  return { reports: Object.fromEntries([...names].map((name) => [name, latest(name)])) };
};

/**
 * Applies a message that is newer, by `compareObservations`, than all that went into `known`. If it replaces messages, `known` has those that arrived
 * later than they were replaced: their facts count by their times, and their landings unless it has them.
 */
export const applyObservation = (known: FlightObservations, observation: Observation): FlightObservations => {
  const { facts, landings, earlier } = observation;
  const messages = (known.messages ?? 0) + 1;
  if (earlier)
    return {
      facts: selectPreferred(known.facts, earlier.facts),
      landings: { ...known.landings, ...earlier.landings },
      ...mergeReports(known.reports, earlier.reports),
      messages,
    };
  const origin = toOrigin(observation);
  let byId = known.landings;
  for (const reported of landings)
    byId = { ...byId, [reported.id]: updateLanding(byId[reported.id], reported, origin) };
  return {
    facts: updateLatestValues(known.facts, facts, origin),
    landings: byId,
    ...addReport(known.reports, origin),
    messages,
  };
};

/** Formats the stored part of an observation as JSON; ID and time have their own columns. */
export const formatObservation = ({
  facts,
  landings,
  earlier,
  rank,
  ownEnd,
}: Omit<Observation, 'id' | 'observedAt'>): string => JSON.stringify({ facts, landings, earlier, rank, ownEnd });

/** Parses a stored observation. */
export const parseObservation = ({
  id,
  source,
  sender,
  observedAt,
  observation,
}: {
  readonly id: string;
  readonly source?: string | undefined;
  readonly sender?: number | undefined;
  readonly observedAt: UtcMillisecond;
  readonly observation: string;
}): Observation => {
  const { facts, landings, earlier, rank, ownEnd }: Omit<Observation, 'id' | 'observedAt'> = JSON.parse(observation);
  return {
    id,
    ...(source !== undefined && { source }),
    ...(sender !== undefined && { sender }),
    observedAt,
    facts,
    landings,
    ...(earlier && { earlier }),
    ...(rank !== undefined && { rank }),
    ...(ownEnd && { ownEnd }),
  };
};

/** Parses a message that is stored as JSON. */
export const parseStatusMessage = (text: string): StatusMessage => {
  const message: StatusMessage = JSON.parse(text);
  return message;
};
