import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from 'vitest';
import type { StatusMessage } from '#domain/status/message.ts';
import { localDate } from '#domain/time/dates.ts';
import {
  createAidxReader,
  createStatusReader,
  createTelegramReader,
  type FeedReader,
} from '#jobs/status/ingest/feed-readers.ts';
import { upsertLocations } from '#store/master-data/locations.ts';
import { upsertCarriers } from '#store/master-data/carriers.ts';
import { buildCarrierFile, buildLeg, times } from '#test/feeds/ssim/build-file.ts';
import { findSharedData } from '#test/support/shared-data.ts';
import { publishText } from '#test/support/tiny-world.ts';
import { formatOutcomes, ingest, listStoredMessages } from './messages.ts';
import { db, useStatusWorld, searchPage } from './status-world.ts';

const folder = findSharedData('field-cases');

/** IATA and ICAO code, country, zone. */
const airports = [
  ['DXB', 'OMDB', 'AE', 'Asia/Dubai'],
  ['SFO', 'KSFO', 'US', 'America/Los_Angeles'],
  ['DEN', 'KDEN', 'US', 'America/Denver'],
  ['ORY', 'LFPO', 'FR', 'Europe/Paris'],
  ['MRS', 'LFML', 'FR', 'Europe/Paris'],
  ['NCE', 'LFMN', 'FR', 'Europe/Paris'],
  ['TUN', 'DTTA', 'TN', 'Africa/Tunis'],
  ['TLS', 'LFBO', 'FR', 'Europe/Paris'],
  ['BOD', 'LFBD', 'FR', 'Europe/Paris'],
] as const;

describe.skipIf(folder === undefined)('cases from the field (needs the shared data)', () => {
  useStatusWorld('');

  const readFile = (name: string): Buffer => readFileSync(join(folder ?? '', name));
  const publish = async (name: string): Promise<void> => {
    await publishText(db, readFile(name).toString('latin1'), { today: localDate('2026-11-20'), horizonDays: 30 });
  };
  const clock = (): Date => new Date('2026-11-28T12:00Z');
  const readMessages = async (read: FeedReader, name: string): Promise<readonly StatusMessage[]> => {
    const items = await Readable.from(read(Readable.from([readFile(name)]))).toArray();
    return items.flatMap(({ message }: { message: StatusMessage | undefined }) => message ?? []);
  };
  const ingestAidx = async (name: string) => ingest(db, await readMessages(createAidxReader(clock), name));

  beforeAll(async () => {
    await db.begin(async (sql) => {
      const position = { latitude: undefined, longitude: undefined, faa: '', rank: 1 };
      await upsertLocations(
        sql,
        airports.map(([iata, icao, countryCode, zone]) => {
          return { ...position, iata, icao, countryCode, cityCode: iata, name: `${iata} airport`, zone };
        }),
      );
      const names = ['Z3', 'Z5', 'Z9'];
      await upsertCarriers(
        sql,
        names.map((iata) => ({ iata, icao: '', name: iata, rank: 1 })),
      );
    });
  });

  test.each([
    ['aidx-later-leg-after-midnight.xml', 'Z511 DXB-LHR 11-26 05:30', '00:11:00'],
    ['aidx-later-leg-estimate.xml', 'Z513 MRS-TUN 11-26 01:30', '00:35:00'],
    ['aidx-later-leg-same-day.xml', 'Z512 DEN-LHR 11-25 21:00', '00:06:00'],
  ])('later-legs.ssim, %s', async (name, expected, variation) => {
    await publish('later-legs.ssim');
    expect(formatOutcomes(await ingestAidx(name))).toEqual(['stored']);
    const stored = await listStoredMessages(db);
    expect(stored.map((text) => text.replace(/^.*: /, ''))).toEqual([expected]);
    const [, number = '', date = ''] = /^Z5(\d+) .* (\d\d-\d\d) /.exec(expected) ?? [];
    const { data } = await searchPage(
      `DepartureDateTime=2026-${date}&CarrierCode=Z5&FlightNumber=${number}&Content=Status`,
    );
    const [departure] = data.flatMap(({ statusDetails }) => statusDetails?.[0]?.departure ?? []);
    expect(departure?.actualTime?.outGateVariation ?? departure?.estimatedTime?.outGateVariation).toBe(variation);
  });

  describe('AIDX of one airport', () => {
    const daily = { 3: 'Z3', 15: '20NOV26', 22: '10DEC26', 37: 'ORY', 48: '+0100', 66: '+0100', 73: '320' };
    beforeAll(async () => {
      await publishText(
        db,
        buildCarrierFile(
          { 3: 'Z3', 15: '20NOV26', 22: '10DEC26' },
          buildLeg({ ...daily, 6: '0054', 55: 'NCE' }, times('0700', '0830')),
          buildLeg({ ...daily, 6: '0057', 37: 'CDG', 55: 'LIS', 66: '+0000', 193: '01' }, times('2355', '0130')),
          buildLeg({ ...daily, 6: '0058', 55: 'TLS' }, times('0900', '1015')),
          buildLeg({ ...daily, 6: '0059', 55: 'TLS' }, times('1000', '1115')),
        ),
        { today: localDate('2026-11-20'), horizonDays: 20 },
      );
    });

    const findStatus = async (flightNumber: number, date: string) => {
      const { data } = await searchPage(
        `DepartureDateTime=${date}&CarrierCode=Z3&FlightNumber=${flightNumber}&Content=Status`,
      );
      return data[0]?.statusDetails?.[0];
    };

    test('aidx-no-date.xml', async () => {
      expect(formatOutcomes(await ingestAidx('aidx-no-date.xml'))).toEqual(['stored']);
      const status = await findStatus(54, '2026-11-27');
      expect(status?.departure?.estimatedTime?.outGateVariation).toBe('00:25:00');
    });

    test('aidx-rerouted.xml', async () => {
      expect(formatOutcomes(await ingestAidx('aidx-rerouted.xml'))).toEqual(['stored']);
      const status = await findStatus(59, '2026-11-27');
      expect([status?.state, status?.diversionAirport?.iata, status?.arrival?.airport?.iata]).toEqual([
        'InGate',
        'BOD',
        'BOD',
      ]);
      expect(status?.arrival?.actualTime).toEqual({
        onGround: { local: '2026-11-27T11:10:00+01:00', utc: '2026-11-27T10:10:00+00:00' },
        inGate: { local: '2026-11-27T11:16:00+01:00', utc: '2026-11-27T10:16:00+00:00' },
      });
    });

    test('aidx-gate-actual.xml, aidx-gate-planned-later.xml', async () => {
      await ingestAidx('aidx-gate-actual.xml');
      const before = await findStatus(58, '2026-11-27');
      expect(before).toMatchObject({ state: 'inAir', departure: { gate: 'B10' } });
      expect(formatOutcomes(await ingestAidx('aidx-gate-planned-later.xml'))).toEqual(['stored']);
      expect(await findStatus(58, '2026-11-27')).toEqual({ ...before, updatedAt: expect.anything() });
    });

    test('aidx-hour-24.xml', async () => {
      expect(formatOutcomes(await ingestAidx('aidx-hour-24.xml'))).toEqual(['stored']);
      expect((await findStatus(57, '2026-11-26'))?.departure?.actualTime?.outGateVariation).toBe('01:05:00');
    });
  });

  test('a telegram of a later leg with the date of the first one', async () => {
    await publish('later-legs.ssim');
    const telegram = Buffer.from('MVT\nZ511/23.A6EZA.DXB\nAD240141/240155 EA0925 LHR\n\n');
    const items = await Readable.from(createTelegramReader(clock)(Readable.from([telegram]))).toArray();
    const messages = items.flatMap(({ message }: { message: StatusMessage | undefined }) => message ?? []);
    expect(formatOutcomes(await ingest(db, messages))).toEqual(['stored']);
    expect((await listStoredMessages(db)).map((text) => text.replace(/^.*: /, ''))).toEqual([
      'Z511 DXB-LHR 11-24 05:30',
    ]);
  });

  test('twice-a-day.ssim, twice-a-day.jsonl', async () => {
    await publish('twice-a-day.ssim');
    const messages = await readMessages(createStatusReader(clock), 'twice-a-day.jsonl');
    expect(formatOutcomes(await ingest(db, messages))).toEqual([
      'stored',
      'ambiguous-flight: Z9 100 of 2026-11-28, ORY-NCE',
    ]);
    expect(await listStoredMessages(db)).toEqual(['d-1: Z9100 ORY-NCE 11-28 19:00']);
  });
});
