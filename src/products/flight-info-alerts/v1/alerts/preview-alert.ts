import type { AlertPreview } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { alertMatches } from '../../../../domain/alerts/alert-match.ts';
import type { AlertSelection } from '../../../../domain/alerts/alert.ts';
import type { EventFacts } from '../../../../domain/alerts/event-facts.ts';
import { isCoveredBy } from '../../../../domain/alerts/is-covered-by.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import { type HttpResponse, renderedResponse } from '../../../../http/response/http-response.ts';
import { type AlertContent, streamAlerts } from '../../../../store/alerts/alerts.ts';
import { listEventsAt, listEventsBefore } from '../../../../store/events/event-log.ts';
import { renderSampleEvent } from '../events/render-event.ts';
import { getStream } from '../shared/account-access.ts';
import type { Deps } from '../shared/deps.ts';
import type { PreviewAlertInput } from '../shared/routes.ts';
import { toTimestamp } from '../shared/to-timestamp.ts';
import { parseNewAlert } from './parse-alert.ts';

const DAY_MS = 86_400_000;
const MAX_SAMPLES = 10;

/** Events read at once: what is decided about them takes some milliseconds, in which nobody else is answered. */
const SLICE = 2000;

type Counts = { readonly scheduleEvents: number; readonly statusEvents: number };

/** What an alert would have chosen. */
type EventPreview = Counts & {
  /** From this moment on every event was examined. */
  readonly from: Date;
  readonly isComplete: boolean;
  readonly examined: number;
  /** By the UTC date on which the events were made, `YYYY-MM-DD`, newest first. */
  readonly byDay: readonly (Counts & { readonly date: string })[];
  /** Of the newest events that it would have chosen, newest first. */
  readonly samplePositions: readonly number[];
};

const noCounts: Counts = { scheduleEvents: 0, statusEvents: 0 };

const addToCounts = ({ scheduleEvents, statusEvents }: Counts, { kind }: EventFacts): Counts => ({
  scheduleEvents: scheduleEvents + (kind === 'schedule' ? 1 : 0),
  statusEvents: statusEvents + (kind === 'status' ? 1 : 0),
});

/** Holds the events of the last days against an alert, from the newest back, for as long as a preview may take. */
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
    const slice = await listEventsBefore(sql, { before: last?.position, limit: SLICE });
    const inTime = slice.filter(({ sequencedAt }) => sequencedAt >= since);
    for (const { position, madeAt, facts } of inTime) {
      if (alertMatches(alert, facts) !== 'matched') continue;
      const date = madeAt.toISOString().slice(0, 10);
      all = addToCounts(all, facts);
      byDay.set(date, addToCounts(byDay.get(date) ?? noCounts, facts));
      if (samplePositions.length < MAX_SAMPLES) samplePositions.push(position);
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

/** The first full second that is not before an instant: what is told to the second must not reach back further than it did. */
const roundUpToSecond = (instant: Date): Date => new Date(Math.ceil(instant.getTime() / 1000) * 1000);

const findCoveringAlert = async (
  { sql }: Deps,
  accountId: string,
  alert: AlertContent,
): Promise<string | undefined> => {
  let covering: string | undefined;
  await sql.begin(async (transaction) => {
    for await (const others of streamAlerts(transaction, accountId)) {
      covering = others.find((other) => other.active && isCoveredBy(alert, other))?.id;
      if (covering !== undefined) return;
    }
  });
  return covering;
};

/** POST /flight-info-alerts/alerts/preview: which events of the last days an alert would have chosen. */
export const previewAlert = async (
  { body }: PreviewAlertInput,
  context: RequestContext,
  deps: Deps,
): Promise<HttpResponse<200, AlertPreview>> => {
  const { days, accountId, ...asked } = body;
  const alert = parseNewAlert(asked);
  await getStream(deps.sql, context, accountId);
  const covering = await findCoveringAlert(deps, accountId, alert);
  const past = await previewEvents(alert, days, deps);
  const shows = { changes: alert.changeIndicator, seats: alert.content === 'seats' };
  const samples = (await listEventsAt(deps.sql, past.samplePositions)).map((event) => renderSampleEvent(event, shows));
  const preview: Omit<AlertPreview, 'samples'> = {
    from: toTimestamp(roundUpToSecond(past.from)),
    complete: past.isComplete,
    examined: past.examined,
    scheduleEvents: past.scheduleEvents,
    statusEvents: past.statusEvents,
    byDay: [...past.byDay],
    coveredBy: covering ?? null,
  };
  const text = `${JSON.stringify(preview).slice(0, -1)},"samples":[${samples.join(',')}]}`;
  return renderedResponse<AlertPreview>(Buffer.from(text), { 'Cache-Control': 'no-store' });
};
