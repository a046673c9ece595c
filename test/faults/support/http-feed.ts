import { setTimeout as delay } from 'node:timers/promises';
import { formatLine } from '#test/jobs/status/messages.ts';
import { headers } from '../database/served-world.ts';

/** Messages are observed on this day, XX 101 of `serveWorld`. */
const FIRST_OBSERVED_AT = Date.UTC(2026, 5, 1);
const OBSERVED_EACH_MS = 100;

export type AcknowledgedBatch = { readonly last: number; readonly at: number };

/**
 * Sends batches of status messages over HTTP, one every `periodMs`, and repeats each until it is acknowledged. Message n has the ID and the departure
 * gate `Gn`; those of a batch are about one flight, so that they make one event, of the last of them.
 */
export const startHttpFeed = (
  base: string,
  { batch, periodMs }: { readonly batch: number; readonly periodMs: number },
) => {
  const acknowledged: AcknowledgedBatch[] = [];
  /** The requests that were sent again, by their status or error. */
  const failures = new Map<string, number>();
  let isOver = false;
  /** Returns why a batch is not acknowledged; undefined when it is. */
  const send = async (body: string): Promise<string | undefined> => {
    const response = await fetch(`${base}/status-messages`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/x-ndjson' },
      body,
      signal: AbortSignal.timeout(10_000),
    });
    const report: { stored?: number; duplicates?: number; type?: string } = await response.json();
    const { stored = 0, duplicates = 0, type = '' } = report;
    return response.status === 200 && stored + duplicates === batch ? undefined : `${response.status} ${type}`.trim();
  };
  const run = async (): Promise<void> => {
    let dueAt = performance.now();
    for (let first = 1; !isOver; first += batch) {
      const body = Array.from({ length: batch }, (_, index) => {
        const gate = `G${first + index}`;
        const observedAt = new Date(FIRST_OBSERVED_AT + (first + index) * OBSERVED_EACH_MS).toISOString();
        return `${formatLine(gate, { observedAt, departure: { gate } })}\n`;
      }).join('');
      for (;;) {
        const failure = await send(body).catch(String);
        if (failure === undefined) break;
        failures.set(failure, (failures.get(failure) ?? 0) + 1);
        await delay(50);
      }
      acknowledged.push({ last: first + batch - 1, at: Date.now() });
      dueAt = Math.max(dueAt + periodMs, performance.now());
      await delay(Math.max(0, dueAt - performance.now()));
    }
  };
  const running = run();
  return {
    acknowledged: acknowledged as readonly AcknowledgedBatch[],
    /** Lists the requests that were sent again, by their status or error. */
    listFailures: () => Object.fromEntries(failures),
    /** Resolves after the batch in progress is acknowledged. */
    stop: async (): Promise<void> => {
      isOver = true;
      await running;
    },
  };
};
