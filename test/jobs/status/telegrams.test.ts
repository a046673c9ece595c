import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StatusDetails } from '#generated/flight-info/v2/types.gen.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import { createTelegramReader, type FeedItem } from '#jobs/status/ingest/feed-readers.ts';
import { createStatusIngester, matchBatch } from '#jobs/status/ingest/status-ingester.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import { buildFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import { schedule } from '#test/products/flight-info/v2/example-schedule.ts';
import { publishText } from '#test/support/tiny-world.ts';
import { dumpStatuses, flight, deleteStatuses, message, ingest } from './messages.ts';
import { formatOutcomes, listQuarantine, listStoredMessages } from './messages.ts';
import { db, searchFlights, useStatusWorld } from './status-world.ts';

useStatusWorld();

/** Parses telegrams as received on 3 June 2026. */
const parseTelegrams = async (text: string): Promise<readonly StatusMessage[]> => {
  const read = createTelegramReader(() => new Date('2026-06-03T12:00Z'));
  const items: readonly FeedItem[] = await Readable.from(read(Readable.from([Buffer.from(`${text}\n\n`)]))).toArray();
  return items.flatMap((item) => item.message ?? []);
};
const ingestTelegram = async (text: string) => formatOutcomes(await ingest(db, await parseTelegrams(text)));

const statusOf = async (): Promise<StatusDetails | undefined> =>
  (await searchFlights('DepartureAirport=LHR&CarrierCode=XX&FlightNumber=101'))[0]?.statusDetails?.[0];

const locate = async (): Promise<readonly (string | undefined)[]> => {
  const status = await statusOf();
  return [status?.state, status?.arrival?.airport?.iata, status?.diversionAirport?.iata, status?.diversionType];
};

/** Ingests telegrams one by one; returns where the flight is after each. */
const follow = async (telegrams: readonly string[]) => {
  const steps: (readonly (string | undefined)[])[] = [];
  for (const text of telegrams) {
    expect(await ingestTelegram(text)).toEqual(['stored']);
    steps.push(await locate());
  }
  return steps;
};

const departed = '.LHROWXX 011020\nMVT\nXX101/01.GABCD.LHR\nAD1000/1015 EA1800 JFK';

test('a stream of telegrams that has run for a month resolves days to the current month', async () => {
  let now = new Date('2026-06-01T12:00Z');
  const read: string[] = [];
  const source = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${departed}\n\n`);
    now = new Date('2026-07-01T12:00Z');
    yield Buffer.from(`${departed}\n\n`);
  };
  for await (const { message: parsed } of createTelegramReader(() => now)(source()))
    if (parsed) read.push(new Date(parsed.observedAt).toISOString());
  expect(read).toEqual(['2026-06-01T10:20:00.000Z', '2026-07-01T10:20:00.000Z']);
});

const first = '.LHROWXX 010725\nMVT\nXX301/01.GABCD.LHR\nAD0705/0720 EA1500 JFK';
const landed = '.CDGOWXX 011215\nMVT\nXX301/01.GABCD.CDG\nAA1200/1210';
const second = '.JFKOWXX 011725\nMVT\nXX301/01.GABCD.JFK\nAD1705/1720 EA2300 LAX';

test('a repeated arrival telegram has no effect, whichever leg is in the air by then', async () => {
  const outcomes: string[] = [];
  for (const text of [first, landed, second, landed]) outcomes.push(...(await ingestTelegram(text)));
  expect(outcomes).toEqual(['stored', 'stored', 'stored', 'duplicate']);
  const legs = (await listStoredMessages(db)).map((text) => text.slice(text.indexOf(' ') + 1));
  expect(legs.toSorted()).toEqual([
    'XX301 JFK-LAX 06-01 13:00',
    'XX301 LHR-JFK 06-01 08:00',
    'XX301 LHR-JFK 06-01 08:00',
  ]);
});

test('a repeated arrival telegram has no effect when the first was released from quarantine', async () => {
  expect(await ingestTelegram(landed)).toEqual(['no-such-flight: XX 301 of 2026-06-01, ?-CDG']);
  await ingestTelegram(first);
  await publishText(db, schedule);
  expect(await listQuarantine(db)).toEqual([]);
  await ingestTelegram(second);
  const before = await dumpStatuses(db);
  expect(await ingestTelegram(landed)).toEqual(['duplicate']);
  expect(await dumpStatuses(db)).toBe(before);
});

test('an arrival telegram leaves quarantine when it is sent again after the flight has left', async () => {
  await ingestTelegram(landed);
  await ingestTelegram(first);
  expect([await ingestTelegram(landed), await listQuarantine(db)]).toEqual([['stored'], []]);
});

test('a diverted flight continues when it departs from its diversion airport, and arrives at its destination', async () => {
  const steps = await follow([
    departed,
    '.JFKOWXX 011600\nDIV\nXX101/01.GABCD.JFK\nEA1730 CDG DR71\nCONT',
    '.CDGOWXX 011740\nMVT\nXX101/01.GABCD.CDG\nAA1728/1738',
    '.CDGOWXX 011910\nMVT\nXX101/01.GABCD.CDG\nAD1900/1909 EA2000 JFK',
    '.JFKOWXX 012010\nMVT\nXX101/01.GABCD.JFK\nAA1959/2008',
  ]);
  expect(steps).toEqual([
    ['inAir', 'JFK', undefined, undefined],
    ['inAir', 'CDG', 'CDG', 'TechnicalStop'],
    ['InGate', 'CDG', 'CDG', 'TechnicalStop'],
    ['inAir', 'JFK', 'CDG', 'TechnicalStop'],
    ['InGate', 'JFK', 'CDG', 'TechnicalStop'],
  ]);
});

test('a diverted flight does not land at an airport that a diversion telegram names in place of the scheduled one', async () => {
  await ingestTelegram(departed);
  const outcome = await ingestTelegram('.LHROWXX 011600\nDIV\nXX101/01.GABCD.LHR\nEA1730 CDG DR71');
  expect([outcome, await locate()]).toEqual([['stored'], ['inAir', 'CDG', 'CDG', 'Unplanned']]);
});

describe('the day of a telegram', () => {
  beforeAll(async () => {
    const daily = { 15: '01JUN26', 22: '03JUN26', 6: '0601', 37: 'JFK', 40: '2200', 44: '2200', 48: '-0400' };
    await publishText(db, buildFile(buildLeg({ ...daily, 55: 'LHR', 58: '1000', 62: '1000', 66: '+0100', 193: '01' })));
  });
  afterAll(() => publishText(db, schedule));

  test.each([
    ['is the UTC date of the scheduled departure', '020235', '02', '06-01 22:00'],
    ['is the UTC date of the scheduled departure on the next day too', '030235', '03', '06-02 22:00'],
    ['is the local date of the origin where the times are those of that flight', '020235', '01', '06-01 22:00'],
  ])('%s', async (_, sentAt, day, expected) => {
    const telegram = `.JFKOWXX ${sentAt}\nMVT\nXX601/${day}.GABCD.JFK\nAD0210/0225 EA0900 LHR`;
    expect(await ingestTelegram(telegram)).toEqual(['stored']);
    expect((await listStoredMessages(db)).map((text) => text.slice(-11))).toEqual([expected]);
  });

  test.each([
    ['without an origin line and days, so that its times fit two flights', 'AD0210/0225', 'ambiguous-flight'],
    ['without a time, whose date two flights have', 'NI030200', 'ambiguous-flight'],
  ])('is ambiguous %s', async (_, elements, reason) => {
    const telegram = `MVT\nXX601/02.GABCD.JFK\n${elements}`;
    expect(await ingestTelegram(telegram)).toEqual([`${reason}: XX 601 of 2026-06-02, JFK-?`]);
  });

  test('is that of the flight that its time with a day fits', async () => {
    expect(await ingestTelegram('MVT\nXX601/02.GABCD.JFK\nAD030210/030225')).toEqual(['stored']);
    expect((await listStoredMessages(db)).map((text) => text.slice(-11))).toEqual(['06-02 22:00']);
  });
});

test('telegrams of a flight in one batch have the same result as one by one', async () => {
  const telegrams = [
    '.LHROWXX 011015\nMVT\nXX101/01.GABCD.LHR\nAD1005/1012 EA1700 JFK',
    '.LHROWXX 011110\nMVT\nXX101/01.GABCD.LHR\nFR1100/1108',
    '.LHROWXX 011320\nMVT\nXX101/01.GABCD.LHR\nAD1300/1315 EA2100 JFK',
  ];
  for (const text of telegrams) expect(await ingestTelegram(text)).toEqual(['stored']);
  const apart = await statusOf();
  await deleteStatuses(db);
  const ingester = await createStatusIngester(db);
  const outcomes = await ingester.ingest(await parseTelegrams(telegrams.join('\n\n')));
  expect(formatOutcomes(outcomes)).toEqual(['stored', 'stored', 'stored']);
  expect(await statusOf()).toEqual(apart);
});

test('matches a thousand messages without the arrival airport together', async () => {
  const masterDataIndex = await readMasterDataIndex(db);
  const countQueries = async (arrivalAirport: string | undefined): Promise<number> => {
    let count = 0;
    const counting = new Proxy(db, {
      apply: (target, self, args) => {
        count += 1;
        return Reflect.apply(target, self, args);
      },
    });
    const batch = Array.from({ length: 1000 }, (__, index) =>
      message({ id: `m${index}`, flight: flight({ arrivalAirport }) }),
    );
    const { matched: placed } = await matchBatch(counting, batch, { masterDataIndex });
    expect(placed.filter((one) => 'subject' in one.match)).toHaveLength(1000);
    return count;
  };
  expect((await countQueries(undefined)) - (await countQueries('JFK'))).toBeLessThan(10);
});
