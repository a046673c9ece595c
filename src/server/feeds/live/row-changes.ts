import { hash } from 'node:crypto';
import { findArrivalOriginDate, type FindLiveStation } from './origin-date.ts';
import {
  factNames,
  factPaths,
  formatDesignator,
  formatRowKey,
  getOtherStation,
  isFinal,
  type LiveAnswer,
  type LiveDesignator,
  type LiveFacts,
  type LiveRemark,
  type LiveRow,
} from './live-row.ts';

/** What is known of a row: its facts over all answers. `scheduled` stays that of the first answer: it identifies the leg. */
export type LastRow = LiveRow & {
  readonly originDate?: string | undefined;
  /** The time of its last message. */
  readonly reportedAt?: string;
  /** Whether that message has no flight. */
  readonly isHeld?: boolean;
};

/** The last rows of a place by their key in the feed. */
export type LastRows = ReadonlyMap<string, LastRow>;

/** A status message in its wire format, and the row to store with it. */
export type LiveMessage = {
  readonly id: string;
  readonly key: string;
  readonly row: LastRow;
  /** The key of a row at another time that this one replaces. */
  readonly replaces?: string;
  /** Whether the row has no news: the message only says that the source still has the flight. */
  readonly isConfirmation: boolean;
  readonly message: Readonly<Record<string, unknown>>;
};

/** What became of the rows of an answer: each is in one of the three counts. */
export type RowChanges = {
  readonly messages: readonly LiveMessage[];
  readonly taken: number;
  readonly unchanged: number;
  readonly rejected: readonly LiveRemark[];
};

export type ChangeContext = {
  readonly source: string;
  readonly zone: string;
  readonly last: LastRows;
  /** Whether the answer has all flights of a date, not only changed ones. */
  readonly isComplete: (date: string) => boolean;
  readonly findStation: FindLiveStation;
};

/** A flight that continues from an airport leaves it within this time; one that does not is another one. */
const CONTINUES_WITHIN_MS = 12 * 3_600_000;

/** A flight that is about to leave or arrive, or late, is confirmed this often. */
const CONFIRM_EVERY_MS = 3_600_000;
const CONFIRM_AHEAD_MS = 6 * 3_600_000;

const formatCodeshares = (codeshares: readonly LiveDesignator[]): string => codeshares.map(formatDesignator).join(' ');

/** Identifies the flights of a number on a leg and day. */
const formatDayKey = (row: LiveRow): string =>
  [row.direction, formatDesignator(row), getOtherStation(row), row.airport, row.date].join(' ');

type KnownRow = readonly [key: string, row: LastRow];

/** Finds the known row that a new one replaces: the same flight of the day, at another time, that is no longer in the feed. */
const findReplaced = (
  row: LiveRow,
  candidates: readonly KnownRow[] = [],
  { isComplete }: ChangeContext,
): KnownRow | undefined => {
  const distance = (one: LastRow): number => Math.abs(Date.parse(one.scheduled) - Date.parse(row.scheduled));
  return candidates
    .filter(([, one]) => isComplete(row.date) || (one.legId !== undefined && one.legId === row.legId))
    .toSorted(([, a], [, b]) => distance(a) - distance(b))[0];
};

/**
 * Returns the local date on which the flight leaves its first station, if it is certain, and that of the departure of this leg. A number that arrived
 * shortly before may have an earlier one.
 */
const findOriginDate = (row: LiveRow, arrivals: readonly LiveRow[], context: ChangeContext): string | undefined => {
  if (row.direction === 'arrival') return findArrivalOriginDate(row, context.zone, context.findStation);
  const departs = Date.parse(row.scheduled);
  const hasArrived = arrivals.some(({ scheduled }) => {
    const gap = departs - Date.parse(scheduled);
    return gap >= 0 && gap <= CONTINUES_WITHIN_MS;
  });
  return hasArrived ? undefined : row.date;
};

const hasTime = ({ facts }: LiveRow): boolean =>
  [facts.estimatedOut, facts.actualOut, facts.estimatedIn, facts.actualOn, facts.actualIn].some(
    (time) => time !== undefined,
  );

/** Returns what is new in the facts of a row. An absent fact is no news: a gate that is blank after departure stays. */
const listNewFacts = (row: LiveRow, known: LastRow | undefined): LiveFacts => {
  const facts: LiveFacts =
    known?.facts.cancelled === 'true' && row.isOperating ? { ...row.facts, cancelled: 'false' } : row.facts;
  return Object.fromEntries(
    factNames.flatMap((name) => {
      const value = facts[name];
      return value === undefined || value === known?.facts[name] ? [] : [[name, value] as const];
    }),
  );
};

/** Whether the source must be quoted again for a row without news, so that its flight does not look unconfirmed. */
const needsConfirmation = (row: LiveRow, { facts, reportedAt = '', isHeld = false }: LastRow, now: number): boolean => {
  if (isHeld || isFinal({ ...row, facts })) return false;
  const latest = Date.parse(facts.estimatedOut ?? facts.estimatedIn ?? row.scheduled);
  return latest - now <= CONFIRM_AHEAD_MS && !(now - Date.parse(reportedAt) < CONFIRM_EVERY_MS);
};

const setPath = (target: Record<string, unknown>, path: readonly string[], value: unknown): void => {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const next: Record<string, unknown> = { ...(typeof target[name] === 'object' ? target[name] : {}) };
  setPath(next, rest, value);
  target[name] = next;
};

const toFactMembers = (facts: LiveFacts, direction: string, observedAt: string): Readonly<Record<string, unknown>> => {
  const members: Record<string, unknown> = {};
  for (const name of factNames) {
    const text = facts[name];
    if (text === undefined) continue;
    const value =
      name === 'cancelled' ? text === 'true' : name === 'boarding' ? { status: text, at: observedAt } : text;
    setPath(members, factPaths[name].replace('{end}', direction).split('.'), value);
  }
  return members;
};

const toDesignatorMembers = ({ carrier, flightNumber, suffix }: LiveDesignator) => ({
  carrier,
  flightNumber,
  ...(suffix !== '' && { suffix }),
});

/** Formats the status message of a row. Its ID is that of source, leg, facts and time: a fact that returns counts again. */
const toMessage = (
  row: LastRow,
  {
    facts,
    observedAt,
    source,
  }: { readonly facts: LiveFacts | undefined; readonly observedAt: string; readonly source: string },
): Pick<LiveMessage, 'id' | 'message' | 'isConfirmation'> => {
  const { direction, airport, scheduled, originDate, codeshares, serviceType } = row;
  const other = getOtherStation(row);
  const [here, there] = [{ airport, at: scheduled }, { airport: other }];
  const [departs, arrives] = direction === 'departure' ? [here, there] : [there, here];
  const plan = {
    flightType: 'Scheduled',
    departs,
    arrives,
    ...(serviceType !== '' && { serviceType }),
    ...(codeshares.length > 0 && { codeshares: codeshares.map(toDesignatorMembers) }),
  };
  const stated = {
    observedAt,
    source,
    flight: {
      ...toDesignatorMembers(row),
      ...(originDate !== undefined && { originDate }),
      departureAirport: departs.airport,
      arrivalAirport: arrives.airport,
      ...(direction === 'departure' ? { scheduledDeparture: scheduled } : { scheduledArrival: scheduled }),
    },
    ...(facts && { ...toFactMembers(facts, direction, observedAt), plan }),
  };
  const id = `${source}:${formatRowKey(row)}:${hash('sha256', JSON.stringify(stated)).slice(0, 24)}`;
  return { id, message: { messageId: id, ...stated }, isConfirmation: !facts };
};

/** Two rows for one leg: facts on which they agree, or that only one has, are kept. */
const mergeRows = (
  rows: readonly LiveRow[],
): { readonly row: LiveRow | undefined; readonly rejected: readonly LiveRemark[] } => {
  const [first, ...others] = rows;
  if (!first) return { row: undefined, rejected: [] };
  let facts: Readonly<Record<string, string | undefined>> = first.facts;
  const rejected: LiveRemark[] = [];
  for (const other of others) {
    const differing = factNames.filter((name) => {
      const [a, b] = [facts[name], other.facts[name]];
      return a !== undefined && b !== undefined && a !== b;
    });
    facts = { ...facts, ...other.facts, ...Object.fromEntries(differing.map((name) => [name, undefined])) };
    if (differing.length > 0)
      rejected.push({
        reason: 'contradicts-another-row',
        value: `${formatRowKey(first)}: ${differing.join(', ')}`.slice(0, 80),
      });
  }
  return {
    row: { ...first, facts: Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) },
    rejected,
  };
};

/**
 * Compares the rows of an answer with the last ones, and returns a status message for each row that is new or reports something new. Rows that are
 * absent change nothing.
 */
export const listRowChanges = (answer: LiveAnswer, context: ChangeContext): RowChanges => {
  const { observedAt } = answer;
  const byKey = Map.groupBy(answer.rows, formatRowKey);
  const present = new Set(byKey.keys());
  /** Known rows that are not in the answer, by the flights of a day. */
  const gone = new Map(
    Map.groupBy(
      [...context.last].filter(([key]) => !present.has(key)),
      ([, row]) => formatDayKey(row),
    ),
  );
  const messages: LiveMessage[] = [];
  const rejected: LiveRemark[] = [...answer.rejected];
  let unchanged = 0;
  const around: readonly LastRow[] = [
    ...answer.rows,
    ...[...context.last].flatMap(([key, row]) => (present.has(key) ? [] : [row])),
  ];
  const arrivals = Map.groupBy(
    around.filter(({ direction }) => direction === 'arrival'),
    formatDesignator,
  );
  for (const [key, rows] of byKey) {
    const merged = mergeRows(rows);
    rejected.push(...merged.rejected);
    unchanged += rows.length - 1 - merged.rejected.length;
    const { row } = merged;
    if (!row) continue;
    const same = context.last.get(key);
    const before = same ? undefined : findReplaced(row, gone.get(formatDayKey(row)), context);
    const known = same ?? before?.[1];
    if (before) gone.set(formatDayKey(row), gone.get(formatDayKey(row))?.filter(([one]) => one !== before[0]) ?? []);
    // A flight that was moved keeps its identity, and is expected at the new time.
    const estimate = row.direction === 'departure' ? 'estimatedOut' : 'estimatedIn';
    const current: LiveRow =
      before && !hasTime(row) ? { ...row, facts: { [estimate]: row.scheduled, ...row.facts } } : row;
    const facts = listNewFacts(current, known);
    const isSame =
      known !== undefined &&
      !before &&
      Object.keys(facts).length === 0 &&
      formatCodeshares(known.codeshares) === formatCodeshares(row.codeshares);
    if (isSame) {
      unchanged += 1;
      if (!needsConfirmation(row, known, Date.parse(observedAt))) continue;
    }
    const originDate = known?.originDate ?? findOriginDate(row, arrivals.get(formatDesignator(row)) ?? [], context);
    const next: LastRow = {
      ...row,
      scheduled: known?.scheduled ?? row.scheduled,
      facts: { ...known?.facts, ...facts },
      ...(originDate !== undefined && { originDate }),
      reportedAt: observedAt,
    };
    const message = toMessage(next, { facts: isSame ? undefined : facts, observedAt, source: context.source });
    messages.push({ key, row: next, ...(before && { replaces: before[0] }), ...message });
  }
  const taken = messages.filter(({ isConfirmation }) => !isConfirmation).length;
  return { messages, taken, unchanged, rejected };
};
