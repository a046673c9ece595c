import { beforeEach, describe, expect, test } from 'vitest';
import type { Schedule } from '#generated/schedules/v1/types.gen.ts';
import { localDate } from '#domain/time/dates.ts';
import type { Database } from '#store/pool/database.ts';
import { insertRecordsDue, deleteRecordsDue } from '#store/schedules/schedule-records.ts';
import { refreshRecords } from '#jobs/expand/schedule-records.ts';
import { extendHorizon } from '#jobs/expand/extend-horizon.ts';
import { buildFile, buildLeg, buildSecondLeg } from '#test/feeds/ssim/build-file.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { yyFile } from './carrier-file.ts';
import { clearSchedules } from './schedule-events/stored-schedule.ts';
import { db, useDatabase } from '../job-database.ts';

useDatabase({ prepare: saveTinyMasterData, reset: clearSchedules });
beforeEach(async () => {
  await db`delete from location where iata = 'ZZX'`;
  await db.begin(deleteRecordsDue);
});

describe('schedule records', () => {
  /** Records do not depend on the expanded days: one is enough. */
  const publish = (file: string) => publishText(db, file, { horizonDays: 1 });

  type ListedRecord = { readonly name: string; readonly fingerprint: string; readonly doc: string };

  /** `XX101 2026-06-01`, in the order of the list. */
  const records = async (sql: Database = db): Promise<readonly ListedRecord[]> => [
    ...(await sql<ListedRecord[]>`
      select designator || flight_number || ' ' || from_date as name, encode(fingerprint, 'hex') as fingerprint, doc
      from schedule_record join schedule_document using (id) order by designator, flight_number, from_date, key_order`),
  ];
  const names = async (): Promise<readonly string[]> => (await records()).map(({ name }) => name);

  test('are written with a schedule, one for each leg and one for the whole flight', async () => {
    await publish(buildFile(buildLeg(), buildSecondLeg(), buildLeg({ 6: '0777', 15: '05JUN26' })));
    expect(await names()).toEqual(['XX101 2026-06-01', 'XX101 2026-06-01', 'XX101 2026-06-01', 'XX777 2026-06-05']);
    const ways = await db<{ way: string }[]>`
      select d.iata || '-' || a.iata || ' by ' || l.iata as way from schedule_record r
      join location d on d.id = r.departure join location a on a.id = r.arrival join location l on l.id = r.last_departure
      where flight_number = 101 order by 1`;
    expect(ways.map(({ way }) => way)).toEqual(['JFK-LAX by JFK', 'LHR-JFK by LHR', 'LHR-LAX by JFK']);
  });

  test('are deleted with a replaced schedule, while those of other carriers stay', async () => {
    await publish(yyFile);
    await publish(buildFile(buildLeg()));
    await publish(buildFile(buildLeg({ 6: '0777' })));
    expect(await names()).toEqual(['XX777 2026-06-01', 'YY900 2026-06-01']);
    expect(await db`select from schedule_document`).toHaveLength(2);
  });

  test('keep their fingerprint when a flight is retimed, and change it with the days of operation', async () => {
    const fingerprint = async (file: string): Promise<string | undefined> => {
      await publish(file);
      return (await records())[0]?.fingerprint;
    };
    const filed = await fingerprint(buildFile(buildLeg()));
    const retimed = { 10: '07', 40: '1130', 44: '1130', 71: '4', 73: '320' };
    expect(await fingerprint(buildFile(buildLeg(retimed)))).toBe(filed);
    expect(await fingerprint(buildFile(buildLeg({ 29: '12345  ' })))).not.toBe(filed);
  });

  test('with equal keys differ by their itinerary variation', async () => {
    const later = { 10: '02', 40: '1800', 44: '1800', 58: '2100', 62: '2100' };
    await publish(buildFile(buildLeg(), buildLeg(later)));
    const timeOf = ({ doc }: ListedRecord): string => /"passengerLocalTime":"(.{5})"/.exec(doc)?.[1] ?? '';
    const timed = async () => (await records()).map((record) => [record.fingerprint, timeOf(record)] as const);
    const first = await timed();
    expect(first.map(([, time]) => time).toSorted()).toEqual(['11:00', '18:00']);
    expect(new Set(first.map(([fingerprint]) => fingerprint)).size).toBe(2);
    await publish(buildFile(buildLeg(later), buildLeg()));
    expect(await timed()).toEqual(first);
  });

  describe('after master data changed', () => {
    const today = { today: localDate('2026-06-01'), horizonDays: 1 };
    const arrivals = async (): Promise<readonly string[]> =>
      (await records()).map(({ doc }) => {
        const { arrival }: Pick<Schedule, 'arrival'> = JSON.parse(`${doc}null},"premiumContent":null}`);
        return `${arrival.airport.iata} ${arrival.airport.icao} ${arrival.country?.code}`;
      });
    /** Adds master data for the station that `publish` inserted with its code only. */
    const learn = (): Promise<void> =>
      db.begin(async (sql) => {
        await sql`update location set icao = 'ZZZX', country_code = 'US' where iata = 'ZZX'`;
        await insertRecordsDue(sql);
      });

    test('are rewritten once, with the same fingerprints', async () => {
      await publish(buildFile(buildLeg({ 55: 'ZZX' })));
      await publish(yyFile);
      const fingerprints = async () => (await records()).map(({ fingerprint }) => fingerprint);
      const before = await fingerprints();
      expect(await arrivals()).toEqual(['ZZX null undefined', 'OPO LPPR PT']);
      await learn();
      expect(await refreshRecords(db)).toBe(2);
      expect(await arrivals()).toEqual(['ZZX ZZZX US', 'OPO LPPR PT']);
      expect(await fingerprints()).toEqual(before);
      expect(await refreshRecords(db)).toBe(0);
    });

    test('are rewritten when the horizon is next extended', async () => {
      await publish(buildFile(buildLeg({ 55: 'ZZX' })));
      await learn();
      await extendHorizon(db, today);
      expect(await arrivals()).toEqual(['ZZX ZZZX US']);
    });

    test('are rewritten again when master data change in the meantime', async () => {
      await publish(buildFile(buildLeg({ 55: 'ZZX' })));
      await db.begin(insertRecordsDue);
      await db.begin(async (sql) => {
        await deleteRecordsDue(sql);
        await learn();
      });
      expect(await refreshRecords(db)).toBe(1);
      expect(await arrivals()).toEqual(['ZZX ZZZX US']);
    });

    test('stay unchanged when rewriting fails, and are retried', async () => {
      await publish(buildFile(buildLeg({ 55: 'ZZX' })));
      await learn();
      await db`update location set iata = 'ZZY' where iata = 'ZZX'`;
      await expect(refreshRecords(db)).rejects.toThrow("'ZZX' has no record");
      expect(await arrivals()).toEqual(['ZZX null undefined']);
      await db`update location set iata = 'ZZX' where iata = 'ZZY'`;
      expect(await refreshRecords(db)).toBe(1);
    });
  });

  describe('for a store of a version without records', () => {
    const forget = () => db`truncate schedule_record, schedule_document`;

    test('are written once when the horizon is extended, the same as by a load', async () => {
      await publish(buildFile(buildLeg(), buildSecondLeg()));
      await publish(yyFile);
      const loaded = await records();
      await forget();
      const today = { today: localDate('2026-06-01'), horizonDays: 1 };
      await extendHorizon(db, today);
      expect(await records()).toEqual(loaded);
      await extendHorizon(db, today);
      expect(await records()).toEqual(loaded);
    });
  });
});
