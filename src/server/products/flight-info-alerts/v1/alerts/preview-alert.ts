import type { previewAlertRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import type { AlertPreview } from '#generated/flight-info-alerts/v1/types.gen.ts';
import { matchAlert } from '#domain/alerts/alert-match.ts';
import type { AlertSelection } from '#domain/alerts/alert.ts';
import type { EventFacts } from '#domain/alerts/event-facts.ts';
import { sendRendered } from '#http/context/body.ts';
import { type AlertContent, streamAlerts } from '#store/alerts/alerts.ts';
import { listEventsAt, listEventsBefore } from '#store/events/event-log.ts';
import { renderSampleEvent } from '../events/render-event.ts';
import { getStream } from '../shared/account-access.ts';
import type { Deps } from '../shared/deps.ts';
import { toTimestamp } from '../shared/to-timestamp.ts';
import { parseNewAlert } from './parse-alert.ts';
import { isRepeatedBy } from './reject-duplicate-alert.ts';

const DAY_MS = 86_400_000;
const MAX_SAMPLES = 10;
const DEFAULT_DAYS = 1;

/** Events in one batch: matching them blocks the event loop for some milliseconds. */
const BATCH = 2000;

type Counts = { readonly scheduleEvents: number; readonly statusEvents: number };

/** The events that an alert would have selected. */
type EventPreview = Counts & {
  /** All events since this instant were examined. */
  readonly from: Date;
  readonly isComplete: boolean;
  readonly examined: number;
  /** By UTC creation date, `YYYY-MM-DD`, newest first. */
  readonly byDay: readonly (Counts & { readonly date: string })[];
  /** Positions of the newest selected events, newest first. */
  readonly samplePositions: readonly number[];
};

const noCounts: Counts = { scheduleEvents: 0, statusEvents: 0 };

const addToCounts = ({ scheduleEvents, statusEvents }: Counts, { kind }: EventFacts): Counts => ({
  scheduleEvents: scheduleEvents + (kind === 'schedule' ? 1 : 0),
  statusEvents: statusEvents + (kind === 'status' ? 1 : 0),
});

/** Matches the events of the last days against an alert, newest first, within the time limit of a preview. */
const previewEvents = async (
  selection: AlertSelection,
  days: number,
  { sql, clock, events: { previewMs } }: Deps,
): Promise<EventPreview> => {
  const alert = { ...selection, active: true };
  const since = new Date(clock().getTime() - days * DAY_MS);
  const endsAt = performance.now() + previewMs;
  const byDay = new Map<string, Counts>();
  const samplePositions: number[] = [];
  let [all, examined, isComplete] = [noCounts, 0, false];
  let last: { readonly position: number; readonly sequencedAt: Date } | undefined;
  while (!isComplete) {
    const batch = await listEventsBefore(sql, { before: last?.position, limit: BATCH });
    const inTime = batch.filter(({ sequencedAt }) => sequencedAt >= since);
    for (const { position, madeAt, facts } of inTime) {
      if (matchAlert(alert, facts) !== 'matched') continue;
      const date = madeAt.toISOString().slice(0, 10);
      all = addToCounts(all, facts);
      byDay.set(date, addToCounts(byDay.get(date) ?? noCounts, facts));
      if (samplePositions.length < MAX_SAMPLES) samplePositions.push(position);
    }
    examined += inTime.length;
    last = inTime.at(-1) ?? last;
    isComplete = inTime.length < BATCH;
    if (performance.now() >= endsAt) break;
  }
  return {
    ...all,
    // Events of the same instant as the last one may be unexamined.
    from: isComplete || !last ? since : new Date(last.sequencedAt.getTime() + 1),
    isComplete,
    examined,
    byDay: [...byDay].map(([date, counts]) => ({ date, ...counts })).toSorted((a, b) => (a.date < b.date ? 1 : -1)),
    samplePositions,
  };
};

/** Rounds up to a full second: the response, precise to the second, must not claim events that were not examined. */
const roundUpToSecond = (instant: Date): Date => new Date(Math.ceil(instant.getTime() / 1000) * 1000);

const findCoveringAlert = async (
  { sql }: Deps,
  accountId: string,
  alert: AlertContent,
): Promise<string | undefined> => {
  let covering: string | undefined;
  await sql.begin(async (transaction) => {
    for await (const others of streamAlerts(transaction, accountId)) {
      covering = others.find((other) => isRepeatedBy(alert, other))?.id;
      if (covering !== undefined) return;
    }
  });
  return covering;
};

/** POST /flight-info-alerts/alerts/preview: which events of the last days an alert would have selected. */
export const previewAlert = async (c: OperationContext<typeof previewAlertRoute>, deps: Deps) => {
  const body = c.req.valid('json');
  const variables = c.var;
  const { days, accountId, ...content } = body;
  const alert = parseNewAlert(content);
  await getStream(deps.sql, variables, accountId);
  const covering = await findCoveringAlert(deps, accountId, alert);
  const events = await previewEvents(alert, Number(days ?? DEFAULT_DAYS), deps);
  const parts = { changes: alert.changeIndicator, seats: alert.content === 'seats' };
  const samples = (await listEventsAt(deps.sql, events.samplePositions)).map((event) =>
    renderSampleEvent(event, parts),
  );
  const preview: Omit<AlertPreview, 'samples'> = {
    from: toTimestamp(roundUpToSecond(events.from)),
    complete: events.isComplete,
    examined: events.examined,
    scheduleEvents: events.scheduleEvents,
    statusEvents: events.statusEvents,
    byDay: [...events.byDay],
    coveredBy: covering ?? null,
  };
  const text = `${JSON.stringify(preview).slice(0, -1)},"samples":[${samples.join(',')}]}`;
  return sendRendered<AlertPreview>(c, Buffer.from(text), { 'Cache-Control': 'no-store' });
};
