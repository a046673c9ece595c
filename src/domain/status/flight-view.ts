import type { UtcMillisecond, UtcSecond } from './instants.ts';
import {
  hasLanded,
  getValue,
  type FlightObservations,
  type LandingObservations,
  type Registers,
} from './observed-flight.ts';
import type { DiversionType, FlightFacts } from './message.ts';

/** Where a flight stands. A delay is no state, nor is a diversion. */
export type FlightState = 'Scheduled' | 'OutGate' | 'inAir' | 'Landed' | 'InGate' | 'Canceled' | 'Proposed';

type LandingTimes = {
  readonly estimatedOn: UtcSecond | undefined;
  readonly estimatedIn: UtcSecond | undefined;
  readonly actualOn: UtcSecond | undefined;
  readonly actualIn: UtcSecond | undefined;
};

/** A landing elsewhere as it is known now; `airport` is undefined while nobody has said where. */
export type LandingView = LandingTimes & {
  readonly airport: number | undefined;
  readonly type: DiversionType;
  readonly actualOff: UtcSecond | undefined;
  readonly since: UtcMillisecond;
};

/** What the registers of a flight amount to. */
export type FlightView = {
  readonly state: FlightState;
  /**
   * How far the flight has come: tens count the landings it has gone on from, ones are 1 out, 2 off, 3 on, 4 in of the leg
   * it is on; 0 before it moves.
   */
  readonly progress: number;
  readonly estimatedOut: UtcSecond | undefined;
  readonly estimatedOff: UtcSecond | undefined;
  readonly actualOut: UtcSecond | undefined;
  readonly actualOff: UtcSecond | undefined;
  /** At the scheduled arrival airport. */
  readonly destination: LandingTimes;
  /** Landings elsewhere: those made in their order, then those ahead. */
  readonly landings: readonly LandingView[];
  /** The landing elsewhere that the flight is bound for or stands at; undefined when that is the scheduled arrival. */
  readonly boundFor: LandingView | undefined;
  /** Names of the times left out because they contradict newer ones: out, off, on, in must follow each other. */
  readonly contradictions: readonly string[];
};

type Moment = {
  readonly name: string;
  readonly progress: number;
  readonly time: UtcSecond;
  readonly at: UtcMillisecond;
};

const stages = [
  ['actualOut', 1],
  ['actualOff', 2],
  ['actualOn', 3],
  ['actualIn', 4],
] as const;

const onwardTimes = new Set<string>(['actualOut', 'actualOff']);

/** All actual times in the order of the flight: the leg as scheduled, with each landing elsewhere between its two halves. */
const listMoments = (
  facts: Registers<FlightFacts>,
  landings: readonly (readonly [string, LandingObservations])[],
): Moment[] => {
  const moments: Moment[] = [];
  const add = (name: string, register: readonly [UtcSecond | null, UtcMillisecond] | undefined, progress: number) => {
    if (register && register[0] !== null) moments.push({ name, progress, time: register[0], at: register[1] });
  };
  for (const [name, stage] of stages)
    add(name, facts[name], onwardTimes.has(name) ? stage : landings.length * 10 + stage);
  landings.forEach(([id, landing], index) => {
    for (const [name, stage] of stages)
      add(`${id}.${name}`, landing.facts[name], (onwardTimes.has(name) ? index + 1 : index) * 10 + stage);
  });
  return moments;
};

const isConsistent = (a: Moment, b: Moment): boolean =>
  a.progress < b.progress ? a.time <= b.time : a.progress > b.progress ? a.time >= b.time : true;

/** The moments that can be true together: of two that contradict each other the one of the newer message stands, else the earlier. */
const selectConsistent = (moments: readonly Moment[]): readonly Moment[] => {
  const ordered = moments.every((moment, index) =>
    moments.slice(index + 1).every((other) => isConsistent(moment, other)),
  );
  if (ordered) return moments;
  const accepted: Moment[] = [];
  for (const moment of moments.toSorted((a, b) => b.at - a.at || a.progress - b.progress))
    if (accepted.every((other) => isConsistent(other, moment))) accepted.push(moment);
  return accepted;
};

/** When a landing was or will be: landings are told apart by id, and only their times say which came first. */
const landingOrder = ({ facts, since }: LandingObservations): number =>
  getValue(facts, 'actualOn') ?? getValue(facts, 'estimatedOn') ?? since / 1000;

type NamedLanding = readonly [id: string, landing: LandingObservations];

const compareLandings = ([a, first]: NamedLanding, [b, second]: NamedLanding): number =>
  landingOrder(first) - landingOrder(second) || (a < b ? -1 : 1);

/** When a source last said anything of a landing. */
const lastReportedAt = ({ since, facts }: LandingObservations): number =>
  Math.max(since, ...Object.values(facts).map((register) => register[1]));

/**
 * The landings made, and those still ahead. One that was never made is given up when another is spoken of for the first time
 * after the last word on it: a flight that is diverted anew is seldom said to be no longer bound for the airport before.
 */
const listLandings = (
  known: FlightObservations,
): { readonly made: readonly NamedLanding[]; readonly ahead: readonly NamedLanding[] } => {
  const told = Object.entries(known.landings).filter(([, { facts }]) => facts.airport?.[0] !== null);
  const isGivenUp = ([, landing]: NamedLanding): boolean => {
    const last = lastReportedAt(landing);
    return told.some(([, { since }]) => since > last);
  };
  return {
    made: told.filter(([, landing]) => hasLanded(landing)).toSorted(compareLandings),
    ahead: told.filter((one) => !hasLanded(one[1]) && !isGivenUp(one)).toSorted(compareLandings),
  };
};

const computeDiversionType = (
  { facts }: LandingObservations,
  { isOrigin, wentOn }: { readonly isOrigin: boolean; readonly wentOn: boolean },
): DiversionType => {
  const told = getValue(facts, 'type');
  if (told !== undefined) return told;
  if (getValue(facts, 'airport') === undefined) return 'Undefined';
  if (isOrigin) return 'InAirReturn';
  return wentOn || getValue(facts, 'continues') === true ? 'TechnicalStop' : 'Unplanned';
};

const movedStates = ['Scheduled', 'OutGate', 'inAir', 'Landed', 'InGate'] as const;

const computeState = ({ facts }: FlightObservations, moments: readonly Moment[], progress: number): FlightState => {
  const [cancelled, cancelledAt] = facts.cancelled ?? [];
  // A movement that became known after the cancellation shows that the flight goes all the same.
  if (cancelled === true && !moments.some(({ at }) => at > (cancelledAt ?? 0))) return 'Canceled';
  if (progress === 0 && getValue(facts, 'proposed') === true) return 'Proposed';
  return movedStates[progress % 10] ?? 'Scheduled';
};

/** What is known of a flight whose scheduled departure airport has this id; the same for any order in which messages came. */
export const computeFlightView = (known: FlightObservations, departureAirport: number): FlightView => {
  const { facts } = known;
  const { made, ahead } = listLandings(known);
  const all = listMoments(facts, made);
  const moments = selectConsistent(all);
  const timeOf = (name: string): UtcSecond | undefined => moments.find((moment) => moment.name === name)?.time;
  const progress = moments.reduce((most, moment) => Math.max(most, moment.progress), 0);
  const landings = [...made, ...ahead].map(([id, landing], index): LandingView => {
    const airport = getValue(landing.facts, 'airport');
    // A flight that reaches its destination has gone on from every landing, were it made or not.
    const wentOn = progress > Math.min(index, made.length) * 10 + (index < made.length ? 10 : 2);
    return {
      airport,
      type: computeDiversionType(landing, { isOrigin: airport === departureAirport, wentOn }),
      estimatedOn: getValue(landing.facts, 'estimatedOn'),
      estimatedIn: getValue(landing.facts, 'estimatedIn'),
      actualOn: timeOf(`${id}.actualOn`),
      actualIn: timeOf(`${id}.actualIn`),
      actualOff: timeOf(`${id}.actualOff`),
      since: landing.since,
    };
  });
  // The flight is bound for a landing elsewhere until it is in the air again, and for one ahead until it is at its destination.
  const boundFor = landings.find((_, index) => progress < Math.min(index * 10 + 12, made.length * 10 + 3));
  return {
    state: computeState(known, all, progress),
    progress,
    estimatedOut: getValue(facts, 'estimatedOut'),
    estimatedOff: getValue(facts, 'estimatedOff'),
    actualOut: timeOf('actualOut'),
    actualOff: timeOf('actualOff'),
    destination: {
      estimatedOn: getValue(facts, 'estimatedOn'),
      estimatedIn: getValue(facts, 'estimatedIn'),
      actualOn: timeOf('actualOn'),
      actualIn: timeOf('actualIn'),
    },
    landings,
    boundFor,
    contradictions: all.filter((moment) => !moments.includes(moment)).map(({ name }) => name),
  };
};
