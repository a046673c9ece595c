import type { UtcMillisecond, UtcSecond } from './instants.ts';
import type { DiversionType, FlightFacts } from './message.ts';
import {
  type FlightObservations,
  getLevel,
  getValue,
  hasLanded,
  type LandingObservations,
  isPreferred,
  type LatestValue,
  type LatestValues,
  listValues,
} from './observed-flight.ts';

/** State of a flight. Neither a delay nor a diversion is a state. */
export type FlightState = 'Scheduled' | 'OutGate' | 'inAir' | 'Landed' | 'InGate' | 'Canceled' | 'Proposed';

type LandingTimes = {
  readonly estimatedOn: UtcSecond | undefined;
  readonly estimatedIn: UtcSecond | undefined;
  readonly actualOn: UtcSecond | undefined;
  readonly actualIn: UtcSecond | undefined;
};

/** A landing at another airport as currently known; `airport` is undefined while it is unknown. */
export type LandingView = LandingTimes & {
  readonly airport: number | undefined;
  readonly type: DiversionType;
  readonly actualOff: UtcSecond | undefined;
  readonly since: UtcMillisecond;
};

/** The status of a flight that results from its observations. */
export type FlightView = {
  readonly state: FlightState;
  /**
   * Progress of the flight: tens count the completed stops at other airports; ones are 1 out, 2 off, 3 on, 4 in of the current leg, 0 before it
   * moves.
   */
  readonly progress: number;
  readonly estimatedOut: UtcSecond | undefined;
  readonly estimatedOff: UtcSecond | undefined;
  readonly actualOut: UtcSecond | undefined;
  readonly actualOff: UtcSecond | undefined;
  /** At the scheduled arrival airport. */
  readonly destination: LandingTimes;
  /** Landings at other airports: completed ones in order, then expected ones. */
  readonly landings: readonly LandingView[];
  /** The other airport that the flight is heading for or standing at; undefined for the scheduled arrival. */
  readonly boundFor: LandingView | undefined;
  /** Names of the times that were left out because they contradict newer ones: out, off, on and in must be in order. */
  readonly contradictions: readonly string[];
};

type Moment = {
  readonly name: string;
  readonly progress: number;
  readonly time: UtcSecond;
  readonly at: UtcMillisecond;
  readonly level: number;
};

const stages = [
  ['actualOut', 1],
  ['actualOff', 2],
  ['actualOn', 3],
  ['actualIn', 4],
] as const satisfies (readonly [keyof FlightFacts, number])[];

const onwardTimes: ReadonlySet<string> = new Set<keyof FlightFacts>(['actualOut', 'actualOff']);

/** Lists all actual times in the order of the flight: the scheduled leg, with each stop at another airport between its halves. */
const listMoments = (
  facts: LatestValues<FlightFacts>,
  landings: readonly (readonly [string, LandingObservations])[],
): Moment[] => {
  const moments: Moment[] = [];
  const add = (name: string, known: LatestValue<UtcSecond | null> | undefined, progress: number) => {
    if (known && known[0] !== null)
      moments.push({ name, progress, time: known[0], at: known[1], level: getLevel(known) });
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

/**
 * Selects the times that can be true together: of two contradicting times, that of the source with precedence, of equal sources that of the newer
 * message, otherwise the earlier.
 */
const selectConsistent = (moments: readonly Moment[]): readonly Moment[] => {
  const ordered = moments.every((moment, index) =>
    moments.slice(index + 1).every((other) => isConsistent(moment, other)),
  );
  if (ordered) return moments;
  const accepted: Moment[] = [];
  for (const moment of moments.toSorted((a, b) => a.level - b.level || b.at - a.at || a.progress - b.progress))
    if (accepted.every((other) => isConsistent(other, moment))) accepted.push(moment);
  return accepted;
};

/** Landings are identified by ID; only their times define their order. */
const landingOrder = ({ facts, since }: LandingObservations): number =>
  getValue(facts, 'actualOn') ?? getValue(facts, 'estimatedOn') ?? since / 1000;

type NamedLanding = readonly [id: string, landing: LandingObservations];

const compareLandings = ([a, first]: NamedLanding, [b, second]: NamedLanding): number =>
  landingOrder(first) - landingOrder(second) || (a < b ? -1 : 1);

/** Reports of one landing by two sources differ by less; an aircraft that leaves and returns needs more, seconds. */
const MAX_SAME_LANDING_SECONDS = 30 * 60;

/** A number is the count of a source, not a code of an airport: two numbers are two landings. */
const isNumbered = (id: string): boolean => /^\d$/.test(id);

/** Whether two IDs, the one that landed earlier first, name one landing: by number and by airport, or by two codes of the airport. */
const isSameLanding = ([a, first]: NamedLanding, [b, second]: NamedLanding): boolean => {
  const airport = getValue(first.facts, 'airport');
  if (airport === undefined || airport !== getValue(second.facts, 'airport')) return false;
  if (isNumbered(a) && isNumbered(b)) return false;
  const [landed, landedAgain] = [first, second].map(
    ({ facts }) => getValue(facts, 'actualOn') ?? getValue(facts, 'actualIn'),
  );
  const left = getValue(first.facts, 'actualOff') ?? getValue(first.facts, 'actualOut') ?? Infinity;
  if (left < (landedAgain ?? getValue(second.facts, 'estimatedOn') ?? -Infinity)) return false;
  return landed === undefined || landedAgain === undefined || landedAgain - landed <= MAX_SAME_LANDING_SECONDS;
};

/** Of each fact, the later report counts. The ID is that of the first report. */
const mergeLandings = (one: NamedLanding, other: NamedLanding): NamedLanding => {
  const isFirst = one[1].since < other[1].since || (one[1].since === other[1].since && one[0] < other[0]);
  const [[id, { since, facts }], [, { facts: added }]] = isFirst ? [one, other] : [other, one];
  const known = new Map(listValues(facts));
  const preferred = listValues(added).filter(([name, value]) => isPreferred(value, known.get(name)));
  return [id, { since, facts: { ...facts, ...Object.fromEntries(preferred) } }];
};

/** Lists the landings that were not withdrawn, in order; those that are reported under two IDs count once. */
const listDistinctLandings = ({ landings }: FlightObservations): readonly NamedLanding[] => {
  const distinct: NamedLanding[] = [];
  const reported = Object.entries(landings).filter(([, { facts }]) => facts.airport?.[0] !== null);
  for (const landing of reported.toSorted(compareLandings)) {
    const index = distinct.findIndex((one) => isSameLanding(one, landing));
    const known = distinct[index];
    if (known) distinct[index] = mergeLandings(known, landing);
    else distinct.push(landing);
  }
  return distinct;
};

/** When a source last reported on a landing. */
const getLastReportTime = ({ since, facts }: LandingObservations): number =>
  Math.max(since, ...Object.values(facts).map((latest) => latest[1]));

/**
 * Lists the completed and the expected landings. An expected one is dropped when another is first reported after its last report: sources seldom
 * withdraw the old airport of a second diversion.
 */
const listLandings = (
  known: FlightObservations,
): { readonly completed: readonly NamedLanding[]; readonly expected: readonly NamedLanding[] } => {
  const reported = listDistinctLandings(known);
  const isDropped = ([, landing]: NamedLanding): boolean => {
    const last = getLastReportTime(landing);
    return reported.some(([, { since }]) => since > last);
  };
  return {
    completed: reported.filter(([, landing]) => hasLanded(landing)).toSorted(compareLandings),
    expected: reported.filter((one) => !hasLanded(one[1]) && !isDropped(one)).toSorted(compareLandings),
  };
};

const computeDiversionType = (
  { facts }: LandingObservations,
  { isOrigin, hasContinued }: { readonly isOrigin: boolean; readonly hasContinued: boolean },
): DiversionType => {
  const reported = getValue(facts, 'type');
  if (reported !== undefined) return reported;
  if (getValue(facts, 'airport') === undefined) return 'Undefined';
  if (isOrigin) return 'InAirReturn';
  return hasContinued || getValue(facts, 'continues') === true ? 'TechnicalStop' : 'Unplanned';
};

const movedStates = ['Scheduled', 'OutGate', 'inAir', 'Landed', 'InGate'] as const;

const computeState = ({ facts }: FlightObservations, moments: readonly Moment[], progress: number): FlightState => {
  const [cancelled, cancelledAt] = facts.cancelled ?? [];
  // A movement reported after the cancellation shows that the flight operates.
  if (cancelled === true && !moments.some(({ at }) => at > (cancelledAt ?? 0))) return 'Canceled';
  if (progress === 0 && getValue(facts, 'proposed') === true) return 'Proposed';
  return movedStates[progress % 10] ?? 'Scheduled';
};

const actualNames = {
  estimatedOut: 'actualOut',
  estimatedOff: 'actualOff',
  estimatedOn: 'actualOn',
  estimatedIn: 'actualIn',
} as const;

type TimeName = keyof typeof actualNames | (typeof actualNames)[keyof typeof actualNames];

/** Returns an estimate, unless it was reported after the actual time of its event. `timeOf` returns the actual times that count. */
const selectEstimate = (
  values: Pick<LatestValues<FlightFacts>, TimeName>,
  name: keyof typeof actualNames,
  timeOf: (actualName: string) => UtcSecond | undefined,
): UtcSecond | undefined => {
  const [estimate, at = 0] = values[name] ?? [];
  const actualName = actualNames[name];
  const isSuperseded = at > (values[actualName]?.[1] ?? Infinity) && timeOf(actualName) !== undefined;
  return isSuperseded ? undefined : (estimate ?? undefined);
};

/** Computes the status of a flight from its observations and its scheduled departure airport (location ID). The order of messages is irrelevant. */
export const computeFlightView = (known: FlightObservations, departureAirport: number): FlightView => {
  const { facts } = known;
  const { completed, expected } = listLandings(known);
  const all = listMoments(facts, completed);
  const moments = selectConsistent(all);
  const timeOf = (name: string): UtcSecond | undefined => moments.find((moment) => moment.name === name)?.time;
  const progress = moments.reduce((max, moment) => Math.max(max, moment.progress), 0);
  const landings = [...completed, ...expected].map(([id, landing], index): LandingView => {
    const airport = getValue(landing.facts, 'airport');
    // A flight at its destination has left every other airport, even without a report of it.
    const hasContinued = progress > Math.min(index, completed.length) * 10 + (index < completed.length ? 10 : 2);
    return {
      airport,
      type: computeDiversionType(landing, { isOrigin: airport === departureAirport, hasContinued }),
      estimatedOn: selectEstimate(landing.facts, 'estimatedOn', (name) => timeOf(`${id}.${name}`)),
      estimatedIn: selectEstimate(landing.facts, 'estimatedIn', (name) => timeOf(`${id}.${name}`)),
      actualOn: timeOf(`${id}.actualOn`),
      actualIn: timeOf(`${id}.actualIn`),
      actualOff: timeOf(`${id}.actualOff`),
      since: landing.since,
    };
  });
  // The flight heads for another airport until it takes off there, and for an expected one until it is at its destination.
  const boundFor = landings.find((_, index) => progress < Math.min(index * 10 + 12, completed.length * 10 + 3));
  return {
    state: computeState(known, all, progress),
    progress,
    estimatedOut: selectEstimate(facts, 'estimatedOut', timeOf),
    estimatedOff: selectEstimate(facts, 'estimatedOff', timeOf),
    actualOut: timeOf('actualOut'),
    actualOff: timeOf('actualOff'),
    destination: {
      estimatedOn: selectEstimate(facts, 'estimatedOn', timeOf),
      estimatedIn: selectEstimate(facts, 'estimatedIn', timeOf),
      actualOn: timeOf('actualOn'),
      actualIn: timeOf('actualIn'),
    },
    landings,
    boundFor,
    contradictions: all.filter((moment) => !moments.includes(moment)).map(({ name }) => name),
  };
};

/**
 * The regular transitions other than progress (states may be skipped, and a new leg starts when a flight continues from a diversion airport): return
 * to the stand, cancellation, reinstatement, departure of a proposed flight.
 */
const ordinarySteps: Readonly<Record<FlightState, readonly FlightState[]>> = {
  Proposed: ['Scheduled', 'OutGate', 'inAir', 'Landed', 'InGate', 'Canceled'],
  Scheduled: ['OutGate', 'inAir', 'Landed', 'InGate', 'Canceled'],
  OutGate: ['Scheduled', 'inAir', 'Landed', 'InGate', 'Canceled'],
  inAir: ['Landed', 'InGate'],
  Landed: ['InGate'],
  InGate: [],
  Canceled: ['Scheduled', 'OutGate', 'inAir', 'Landed', 'InGate'],
};

const isAtDestination = ({ destination }: FlightView): boolean =>
  destination.actualOn !== undefined || destination.actualIn !== undefined;

const getLeg = ({ progress }: FlightView): number => Math.floor(progress / 10);

/** Number of legs the flight has progressed; a landing that is reported after the arrival is no progress. */
const legsBetween = (before: FlightView, after: FlightView): number =>
  isAtDestination(before) && isAtDestination(after) ? 0 : getLeg(after) - getLeg(before);

const hasFlown = new Set<FlightState>(['inAir', 'Landed', 'InGate']);

/**
 * Returns whether a transition revises what was reported: a step against the regular order, which only a newer message can cause. Neither a new leg,
 * nor a return to the gate, nor the first message (`before` is undefined) is a correction.
 */
export const isCorrection = (before: FlightView | undefined, after: FlightView): boolean => {
  if (!before) return false;
  const legs = legsBetween(before, after);
  if (before.state === after.state) return legs < 0 && after.state !== 'Canceled';
  if (legs < 0 && hasFlown.has(before.state)) return true;
  const isNewLeg = legs > 0 && !isAtDestination(before) && after.state !== 'Canceled';
  return !isNewLeg && !ordinarySteps[before.state].includes(after.state);
};
