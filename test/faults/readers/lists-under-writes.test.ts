/*
 * Readers walk a list page by page while schedules are loaded, flights that no schedule holds come and status changes. WALK_ROUNDS=30 has
 * every writer write so often.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toRequestPath } from '../../contract/responses/envelope.ts';
import { buildCarrier, header, buildLeg, buildRecord, buildWholeFile } from '../../feeds/ssim/build-file.ts';
import { publishText, serveTinyWorld, type TinyService } from '../../support/tiny-world.ts';
import { flight, message, plan, ingest } from '../../jobs/status/messages.ts';
import { reportFault } from '../support/report-fault.ts';

const rounds = Number(process.env['WALK_ROUNDS'] ?? 4);
const READERS = 10;

let world: TinyService;
beforeAll(async () => {
  world = await serveTinyWorld();
});
afterAll(() => world.drop());

const days = { 15: '01JUN26', 22: '03JUN26' };
const formatTime = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}${String(minute % 60).padStart(2, '0')}`;

/** Flights of a carrier LHR-CDG, one every so many minutes of three days, with these numbers. */
const buildSchedule = (designator: string, numbers: readonly number[], every: number): string =>
  buildWholeFile(
    header,
    buildCarrier({ 3: designator }),
    ...numbers.map((number) => {
      const [departs, arrives] = [formatTime((number * every) % 1200), formatTime(((number * every) % 1200) + 75)];
      return buildLeg({
        ...days,
        3: designator,
        6: String(number).padStart(4, '0'),
        40: departs,
        44: departs,
        55: 'CDG',
        58: arrives,
        62: arrives,
        66: '+0200',
        73: '320',
      });
    }),
    buildRecord({ 1: '5', 3: designator, 188: '??????', 194: 'E' }),
  );

const listNumbers = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => first + index);

/** A flight that no schedule holds has the key of its status alone. */
type ListedFlight = { readonly scheduleInstanceKey?: string; readonly statusKey: string };

const keyOf = ({ scheduleInstanceKey, statusKey }: ListedFlight): string => scheduleInstanceKey ?? statusKey;

/** All pages of a walk; undefined where the flight that a cursor marked was deleted on the way, which the contract lets happen. */
const readAllPages = async (): Promise<readonly ListedFlight[] | undefined> => {
  const found: ListedFlight[] = [];
  let path: string | undefined = '/flight-instances?version=v2&DepartureDateTime=2026-06-01/2026-06-03&Limit=7';
  while (path !== undefined) {
    const response = await world.get(path);
    const body: { data: ListedFlight[]; paging: { next?: string }; type?: string } = await response.json();
    if (response.status === 400 && body.type === '/docs/errors#cursor-gone') return undefined;
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${body.type}`);
    found.push(...body.data);
    path = body.paging.next === undefined ? undefined : toRequestPath(body.paging.next);
  }
  return found;
};

test(
  'who walks a list while others write finds each flight that stays once, and none twice',
  async () => {
    await publishText(world.db, buildSchedule('XX', listNumbers(100, 30), 37));
    const stable = new Set((await readAllPages())?.map(keyOf));
    expect(stable.size).toBe(90);

    let isWriting = true;
    const outcomes = { walks: 0, ended: 0, missed: 0, repeated: 0, others: 0 };
    const read = async (): Promise<void> => {
      while (isWriting) {
        const found = await readAllPages();
        outcomes.walks += 1;
        if (!found) {
          outcomes.ended += 1;
          continue;
        }
        const keys = new Set(found.map(keyOf));
        outcomes.repeated += found.length - keys.size;
        outcomes.missed += [...stable].filter((key) => !keys.has(key)).length;
        outcomes.others += found.length - stable.size;
      }
    };
    const load = async (): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) {
        await publishText(world.db, buildSchedule('YY', listNumbers(500 + round, 20 + (round % 2) * 10), 41));
        await publishText(world.db, buildSchedule('XX', listNumbers(100, 30), 37));
      }
    };
    const fly = async (carrierCode: string): Promise<void> => {
      for (let round = 0; round < rounds * 3; round += 1) {
        const at = (minute: number): string => new Date(Date.UTC(2026, 5, 1, 10, minute)).toISOString();
        await ingest(world.db, [
          message({
            id: `${carrierCode}-${round}`,
            flight: flight({
              carrier: carrierCode,
              flightNumber: round + 1,
              departureAirport: 'OPO',
              arrivalAirport: 'LIS',
            }),
            plan: plan({ departs: at(10 + round), arrives: at(70 + round) }),
          }),
          message({
            id: `xx-${carrierCode}-${round}`,
            flight: flight({ flightNumber: 100 + (round % 30) }),
            facts: { departureGate: `A${round}` },
          }),
        ]);
      }
    };
    const reading = Promise.all(listNumbers(0, READERS).map(read));
    await Promise.all([load(), fly('WW'), fly('VV'), fly('UU')]);
    isWriting = false;
    await reading;
    reportFault({ fault: 30, figure: { readers: READERS, writers: 4, ...outcomes }, bound: 'missed 0, repeated 0' });
    expect(outcomes).toMatchObject({ missed: 0, repeated: 0 });
    // Neither were the walks few, nor was there nothing written beside them.
    expect([outcomes.walks - outcomes.ended > READERS, outcomes.others > 0]).toEqual([true, true]);
  },
  240_000 + rounds * 30_000,
);
