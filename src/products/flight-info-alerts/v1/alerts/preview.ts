import { alertMatches } from '../../../../domain/alerts/alert-match.ts';
import type { AlertSelection } from '../../../../domain/alerts/alert.ts';
import type { EventFacts } from '../../../../domain/alerts/event-facts.ts';
import { eventsBefore } from '../../../../store/events/past-events.ts';
import type { Deps } from '../shared/deps.ts';

const DAY_MS = 86_400_000;
const SAMPLES = 10;

/** Events read at once: what is decided about them takes some milliseconds, in which nobody else is answered. */
const SLICE = 2000;

type Counts = { readonly scheduleEvents: number; readonly statusEvents: number };

/** What an alert would have chosen. */
export type ExaminedPast = Counts & {
  /** From this moment on every event was examined. */
  readonly from: Date;
  readonly isComplete: boolean;
  readonly examined: number;
  /** By the UTC date on which the events were made, `YYYY-MM-DD`, newest first. */
  readonly byDay: readonly (Counts & { readonly date: string })[];
  /** Of the newest events that it would have chosen, newest first. */
  readonly samplePositions: readonly number[];
};

const none: Counts = { scheduleEvents: 0, statusEvents: 0 };

const withOneMore = ({ scheduleEvents, statusEvents }: Counts, { kind }: EventFacts): Counts => ({
  scheduleEvents: scheduleEvents + (kind === 'schedule' ? 1 : 0),
  statusEvents: statusEvents + (kind === 'status' ? 1 : 0),
});

/** Holds the events of the last days against an alert, from the newest back, for as long as a preview may take. */
export const examinePast = async (
  selection: AlertSelection,
  days: number,
  { sql, clock, events: { previewMs } }: Deps,
): Promise<ExaminedPast> => {
  const alert = { ...selection, active: true };
  const since = new Date(clock().getTime() - days * DAY_MS);
  const endsAt = performance.now() + previewMs;
  const byDay = new Map<string, Counts>();
  const samplePositions: number[] = [];
  let [all, examined, isComplete] = [none, 0, false];
  let last: { readonly position: number; readonly sequencedAt: Date } | undefined;
  while (!isComplete) {
    const slice = await eventsBefore(sql, { before: last?.position, limit: SLICE });
    const inTime = slice.filter(({ sequencedAt }) => sequencedAt >= since);
    for (const { position, madeAt, facts } of inTime) {
      if (alertMatches(alert, facts) !== 'matched') continue;
      const date = madeAt.toISOString().slice(0, 10);
      all = withOneMore(all, facts);
      byDay.set(date, withOneMore(byDay.get(date) ?? none, facts));
      if (samplePositions.length < SAMPLES) samplePositions.push(position);
    }
    examined += inTime.length;
    last = inTime.at(-1) ?? last;
    isComplete = inTime.length < SLICE;
    if (performance.now() >= endsAt) break;
  }
  return {
    ...all,
    // Of the moment of the last one there can be more that were not examined.
    from: isComplete || !last ? since : new Date(last.sequencedAt.getTime() + 1),
    isComplete,
    examined,
    byDay: [...byDay].map(([date, counts]) => ({ date, ...counts })).toSorted((a, b) => (a.date < b.date ? 1 : -1)),
    samplePositions,
  };
};
