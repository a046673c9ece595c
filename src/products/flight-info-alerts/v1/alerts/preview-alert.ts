import type { AlertPreview } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { isCoveredBy } from '../../../../domain/alerts/is-covered-by.ts';
import { answer, rendered, type Answer } from '../../../../http/response/rendered.ts';
import type { RequestContext } from '../../../../http/router/request-context.ts';
import { alertsInPieces, type AlertContent } from '../../../../store/alerts/alerts.ts';
import { eventsAt } from '../../../../store/events/past-events.ts';
import { newAlert } from './parse-alert.ts';
import type { Deps } from '../shared/deps.ts';
import { examinePast } from './preview.ts';
import { foundStream } from '../shared/find-stream.ts';
import type { PreviewAlertInput } from '../shared/routes.ts';
import { showSample } from '../events/to-event.ts';
import { showTimestamp } from '../shared/to-timestamp.ts';

/** The first full second that is not before an instant: what is told to the second must not reach back further than it did. */
const nextSecond = (instant: Date): Date => new Date(Math.ceil(instant.getTime() / 1000) * 1000);

const coveringAlert = async ({ sql }: Deps, accountId: string, alert: AlertContent): Promise<string | undefined> => {
  let covering: string | undefined;
  await sql.begin(async (transaction) => {
    for await (const others of alertsInPieces(transaction, accountId)) {
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
): Promise<Answer<200, AlertPreview>> => {
  const { days, accountId, ...asked } = body;
  const alert = newAlert(asked);
  await foundStream(deps.sql, context, accountId);
  const covering = await coveringAlert(deps, accountId, alert);
  const past = await examinePast(alert, days, deps);
  const shows = { changes: alert.changeIndicator, seats: alert.content === 'seats' };
  const samples = (await eventsAt(deps.sql, past.samplePositions)).map((event) => showSample(event, shows));
  const preview: Omit<AlertPreview, 'samples'> = {
    from: showTimestamp(nextSecond(past.from)),
    complete: past.isComplete,
    examined: past.examined,
    scheduleEvents: past.scheduleEvents,
    statusEvents: past.statusEvents,
    byDay: [...past.byDay],
    coveredBy: covering ?? null,
  };
  const text = `${JSON.stringify(preview).slice(0, -1)},"samples":[${samples.join(',')}]}`;
  return answer(200, rendered<AlertPreview>(Buffer.from(text)), { 'Cache-Control': 'no-store' });
};
