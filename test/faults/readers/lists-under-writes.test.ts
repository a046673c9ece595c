/* Readers page through a list while it changes. WALK_ROUNDS is the number of rounds of every writer. */
import { afterAll, expect, test } from 'vitest';
import { toRequestPath } from '#test/contract/responses/envelope.ts';
import { buildCarrier, header, buildLeg, buildRecord, buildWholeFile } from '#test/feeds/ssim/build-file.ts';
import { publishText, serveTinyWorld } from '#test/support/tiny-world.ts';
import { flight, message, plan, ingest } from '#test/jobs/status/messages.ts';
import { reportFault } from '../support/report-fault.ts';

const rounds = Number(process.env['WALK_ROUNDS'] ?? 2);
const READERS = 10;

const world = await serveTinyWorld();
afterAll(world.drop);

const formatTime = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}${String(minute % 60).padStart(2, '0')}`;

/** Builds a schedule of flights LHR-CDG with these numbers, one every `intervalMinutes` on three days. */
const buildSchedule = (designator: string, numbers: readonly number[], intervalMinutes: number): string => {
  const legs = numbers.map((number) => {
    const minute = (number * intervalMinutes) % 1200;
    const [departs, arrives] = [formatTime(minute), formatTime(minute + 75)];
    const times = { 40: departs, 44: departs, 58: arrives, 62: arrives, 66: '+0200' };
    const route = { 3: designator, 6: String(number).padStart(4, '0'), 55: 'CDG', 73: '320' };
    return buildLeg({ 15: '01JUN26', 22: '03JUN26', ...route, ...times });
  });
  const end = buildRecord({ 1: '5', 3: designator, 188: '??????', 194: 'E' });
  return buildWholeFile(header, buildCarrier({ 3: designator }), ...legs, end);
};

const listNumbers = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => first + index);

/** A flight of a list; unscheduled flights have only the key of their status. */
type ListedFlight = { readonly scheduleInstanceKey?: string; readonly statusKey: string };

const keyOf = ({ scheduleInstanceKey, statusKey }: ListedFlight): string => scheduleInstanceKey ?? statusKey;

/** Reads all pages of the list; undefined when the flight of a cursor was deleted meanwhile, as the contract allows. */
const readAllPages = async (): Promise<readonly ListedFlight[] | undefined> => {
  const flights: ListedFlight[] = [];
  let path: string | undefined = '/flight-instances?version=v2&DepartureDateTime=2026-06-01/2026-06-03&Limit=7';
  while (path !== undefined) {
    const response = await world.get(path);
    const body: { data: ListedFlight[]; paging: { next?: string }; type?: string } = await response.json();
    if (response.status === 400 && body.type === '/docs/errors#cursor-gone') return undefined;
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${body.type}`);
    flights.push(...body.data);
    path = body.paging.next === undefined ? undefined : toRequestPath(body.paging.next);
  }
  return flights;
};

test(
  'paging through a list during writes returns each lasting flight exactly once',
  async () => {
    await publishText(world.db, buildSchedule('XX', listNumbers(100, 30), 37));
    const stable = new Set((await readAllPages())?.map(keyOf));
    expect(stable.size).toBe(90);

    let isWriting = true;
    const outcomes = { walks: 0, ended: 0, missed: 0, repeated: 0, others: 0 };
    const readRepeatedly = async (): Promise<void> => {
      while (isWriting) {
        const flights = await readAllPages();
        outcomes.walks += 1;
        outcomes.ended += flights ? 0 : 1;
        if (!flights) continue;
        const keys = new Set(flights.map(keyOf));
        outcomes.repeated += flights.length - keys.size;
        outcomes.missed += [...stable].filter((key) => !keys.has(key)).length;
        outcomes.others += flights.length - stable.size;
      }
    };
    // Writers continue until every reader has read the list once, and flights of theirs.
    const isEnough = (): boolean => outcomes.walks - outcomes.ended > READERS && outcomes.others > 0;
    const loadSchedules = async (): Promise<void> => {
      for (let round = 0; round < rounds || !isEnough(); round += 1) {
        await publishText(world.db, buildSchedule('YY', listNumbers(500 + round, 20 + (round % 2) * 10), 41));
        await publishText(world.db, buildSchedule('XX', listNumbers(100, 30), 37));
      }
    };
    const storeStatuses = async (carrier: string): Promise<void> => {
      for (let round = 0; round < rounds * 3; round += 1) {
        const at = (minute: number): string => new Date(Date.UTC(2026, 5, 1, 10, minute)).toISOString();
        const route = { departureAirport: 'OPO', arrivalAirport: 'LIS' };
        const unscheduled = flight({ carrier, flightNumber: round + 1, ...route });
        const times = { departs: at(10 + round), arrives: at(70 + round) };
        const scheduled = flight({ flightNumber: 100 + (round % 30) });
        await ingest(world.db, [
          message({ id: `${carrier}-${round}`, flight: unscheduled, plan: plan(times) }),
          message({ id: `xx-${carrier}-${round}`, flight: scheduled, facts: { departureGate: `A${round}` } }),
        ]);
      }
    };
    const reading = Promise.all(listNumbers(0, READERS).map(readRepeatedly));
    await Promise.all([loadSchedules(), storeStatuses('WW'), storeStatuses('VV'), storeStatuses('UU')]);
    isWriting = false;
    await reading;
    reportFault(30, { readers: READERS, writers: 4, ...outcomes });
    expect(outcomes).toMatchObject({ missed: 0, repeated: 0 });
  },
  240_000 + rounds * 30_000,
);
