import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createEnvironment, type Environment } from '#test/cli/run-command.ts';
import { buildFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import type { RandomDraw } from './random-draw.ts';

const main = fileURLToPath(new URL('../../../src/server/cli/main.ts', import.meta.url));

/** The counts of a batch that the feed command has acknowledged. */
export type Acknowledged = Readonly<Record<'line' | 'stored' | 'duplicates' | 'quarantined' | 'rejected', number>> & {
  readonly conflicts?: number;
};

/** A remark on a line of a feed. */
export type FeedRemark = { readonly severity: string; readonly line: number; readonly reason: string };

type FeedOutput = {
  readonly onAcknowledged?: ((batch: Acknowledged) => void) | undefined;
  readonly onReply?: (reply: { readonly text: string }) => void;
  readonly onRemark?: (remark: FeedRemark) => void;
};

/** Starts `flightdata import <feed> -` with a pipe for its lines and reports each line of its output. */
export const startFeedImport = (
  feed: 'status' | 'schedule-messages',
  env: Environment,
  { onAcknowledged, onReply, onRemark }: FeedOutput,
) => {
  const child = spawn(process.execPath, [main, 'import', feed, '-'], { env: createEnvironment(env) });
  // EPIPE after a kill or an error is expected; the exit is handled by the caller.
  child.stdin.on('error', () => {});
  let errorOutput = '';
  child.stderr.on('data', (piece: Buffer) => (errorOutput += piece.toString()));
  const lines = createInterface({ input: child.stdout }).on('line', (line) => {
    const output: { acknowledged?: Acknowledged; reply?: { text: string }; remark?: FeedRemark } = JSON.parse(line);
    if (output.remark) onRemark?.(output.remark);
    if (output.reply) onReply?.(output.reply);
    if (output.acknowledged) onAcknowledged?.(output.acknowledged);
  });
  const closed = Promise.all([once(child, 'close'), once(lines, 'close')]);
  return { child, stdin: child.stdin, closed, errorOutput: () => errorOutput };
};

/** Starts `flightdata import status -`. */
export const startStatusImport = (env: Environment, onAcknowledged?: (batch: Acknowledged) => void) =>
  startFeedImport('status', env, { onAcknowledged });

/** XX 1000 to XX 1032 LHR-JFK, 1 to 3 June 2026. */
const numbers = Array.from({ length: 33 }, (_, index) => 1000 + index);
export const feedSchedule = buildFile(
  ...numbers.map((number) => buildLeg({ 6: String(number), 15: '01JUN26', 22: '03JUN26' })),
);

/** A line of a feed and the ID of its message; a malformed line has none. */
export type FeedLine = { readonly id: string | undefined; readonly text: string };

const firstMinute = Date.UTC(2026, 5, 1, 6);
const formatMinute = (minutes: number): string => new Date(firstMinute + minutes * 60_000).toISOString();

const drawFacts = (draw: RandomDraw, minute: number): object => {
  const outGate = { out: formatMinute(minute) };
  const cases: readonly object[] = [
    { departure: { estimated: outGate } },
    { departure: { actual: outGate } },
    { departure: { actual: { off: formatMinute(minute + 10) } } },
    { arrival: { actual: { on: formatMinute(minute + 400), in: formatMinute(minute + 410) } } },
    { departure: { gate: `B${draw(40)}` }, aircraft: { registration: `G-XX${draw(9)}A` } },
    { departure: { actual: { out: null } }, cancelled: draw(2) === 0 },
    { returnedToGate: true },
    {
      diversions: [
        { number: 1 + draw(2), airport: draw(4) === 0 ? null : 'CDG', actual: { on: formatMinute(minute + 60) } },
      ],
    },
    { seats: { totalSeats: 100 + draw(100) } },
  ];
  return cases[draw(cases.length)] ?? {};
};

const drawScheduledFlight = (draw: RandomDraw): object => ({
  carrier: 'XX',
  flightNumber: numbers[draw(numbers.length)],
  originDate: `2026-06-0${1 + draw(3)}`,
  departureAirport: 'LHR',
  ...(draw(2) === 0 && { arrivalAirport: 'JFK' }),
});

/** General aviation flights of a carrier that may be missing in master data, on a day without schedules. */
const drawUnscheduledFlight = (draw: RandomDraw, minute: number): object => {
  const at = `2026-07-0${1 + draw(3)}T10:${10 + draw(50)}:00Z`;
  return {
    flight: {
      carrier: 'ZZJ',
      flightNumber: 1 + draw(5),
      originDate: at.slice(0, 10),
      departureAirport: 'OPO',
      arrivalAirport: 'LIS',
    },
    plan: { flightType: 'GA', departs: { airport: 'OPO', at }, arrives: { airport: 'LIS' } },
    ...drawFacts(draw, minute),
  };
};

/** Formats the lines of a round: mostly scheduled flights, some unscheduled, unmatched, malformed or late. */
export const formatFeedLines = (round: number, count: number, draw: RandomDraw): readonly FeedLine[] =>
  Array.from({ length: count }, (_, index): FeedLine => {
    const id = `${round}-${index}`;
    const minute = round * 10 + draw(60);
    const observed = { messageId: id, observedAt: formatMinute(minute) };
    const kind = draw(40);
    if (kind === 0) return { id: undefined, text: `{"messageId":"${id}"` };
    if (kind === 1) return { id, text: JSON.stringify({ ...observed, ...drawUnscheduledFlight(draw, minute) }) };
    const flight = { ...drawScheduledFlight(draw), ...(kind === 2 && { flightNumber: 9999 }) };
    return { id, text: JSON.stringify({ ...observed, flight, ...drawFacts(draw, minute) }) };
  });
