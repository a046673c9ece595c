import { describe, expect, test } from 'vitest';
import { getOrInsertCarrier, listCarriers, upsertCarriers } from '../../../src/store/master-data/carriers.ts';
import { listEquipment, upsertEquipment } from '../../../src/store/master-data/equipment.ts';
import {
  getOrInsertLocation,
  listLocations,
  upsertLocations,
  type LocationUpdate,
} from '../../../src/store/master-data/locations.ts';
import { MASTER_DATA_CHANNEL } from '../../../src/store/master-data/master-data-changes.ts';
import { sharedDatabase } from '../../support/database.ts';

const { sql } = await sharedDatabase();

const heathrow: LocationUpdate = {
  iata: 'LHR',
  icao: 'EGLL',
  faa: '',
  name: 'O\'Heathrow \\ "Airport" Chișinău',
  cityCode: 'LON',
  countryCode: 'GB',
  latitude: 51.4706,
  longitude: -0.461941,
  zone: 'Europe/London',
  rank: 1,
};
const unknownField: LocationUpdate = {
  iata: '',
  icao: '',
  faa: '2G4',
  name: '',
  cityCode: '',
  countryCode: '',
  latitude: undefined,
  longitude: undefined,
  zone: undefined,
  rank: 1,
};

const withoutRank = ({ rank: _rank, ...location }: LocationUpdate) => location;

/** Listens during a call; returns the number of notifications to servers. */
const countNotifications = async (act: () => Promise<unknown>): Promise<number> => {
  let notifications = 0;
  const { unlisten } = await sql.listen(MASTER_DATA_CHANNEL, () => {
    notifications += 1;
  });
  await act();
  // Notifications are delivered in order, so this one arrives last.
  const last = Promise.withResolvers<void>();
  const marker = await sql.listen('marker', () => last.resolve());
  await sql`select pg_notify('marker', '')`;
  await last.promise;
  await marker.unlisten();
  await unlisten();
  return notifications;
};

describe('locations', () => {
  test('are added in order and read back completely, including text and missing facts', async () => {
    expect(await upsertLocations(sql, [heathrow, unknownField])).toEqual({ added: 2, changed: 0 });
    const [first, second] = await listLocations(sql);
    expect(first).toEqual({ id: first?.id, ...withoutRank(heathrow) });
    expect(second).toEqual({ id: (first?.id ?? 0) + 1, ...withoutRank(unknownField) });
  });

  test('with an id are updated in place, and servers are notified once', async () => {
    const [first, second] = await listLocations(sql);
    const renamed = { ...heathrow, id: first?.id, name: 'Heathrow', zone: undefined };
    const notifications = await countNotifications(async () => {
      const counts = await upsertLocations(sql, [renamed, { ...unknownField, id: second?.id }]);
      expect(counts).toEqual({ added: 0, changed: 1 });
    });
    expect(notifications).toBe(1);
    expect(await listLocations(sql)).toEqual([withoutRank(renamed), second]);
  });

  test('without differences change nothing, and send no notification', async () => {
    const known = (await listLocations(sql)).map((location) => ({ ...location, rank: 1 }));
    const notifications = await countNotifications(async () => {
      expect(await upsertLocations(sql, known)).toEqual({ added: 0, changed: 0 });
      expect(await upsertLocations(sql, [])).toEqual({ added: 0, changed: 0 });
    });
    expect(notifications).toBe(0);
  });

  test('that share a code are ordered by rank', async () => {
    await upsertLocations(sql, [
      { ...unknownField, iata: 'TSE', icao: 'UACC', faa: '', rank: 2 },
      { ...unknownField, iata: 'NQZ', icao: 'UACC', faa: '', rank: 1 },
    ]);
    const sharing = (await listLocations(sql)).filter(({ icao }) => icao === 'UACC');
    expect(sharing.map(({ iata }) => iata)).toEqual(['NQZ', 'TSE']);
  });

  test('missing from master data are added with their code only', async () => {
    const added = await sql.begin((transaction) => getOrInsertLocation(transaction, { iata: 'QPX' }));
    expect(added).toEqual({ id: added.id, ...withoutRank({ ...unknownField, iata: 'QPX', faa: '' }) });
    expect((await listLocations(sql)).filter(({ iata }) => iata === 'QPX')).toEqual([added]);
  });

  test('are inserted once by concurrent calls: the second waits for the first and finds its row', async () => {
    const getOrInsert = () => sql.begin((transaction) => getOrInsertLocation(transaction, { iata: 'QZX' }));
    const [first, second] = await sql.begin(async (transaction) => {
      const added = await getOrInsertLocation(transaction, { iata: 'QZX' });
      const state = { isDone: false };
      const other = getOrInsert().finally(() => {
        state.isDone = true;
      });
      let waiting = 0;
      while (!state.isDone && waiting === 0) {
        const [row] = await sql<{ waiting: number }[]>`
          select count(*)::int as waiting from pg_locks
          where not granted and database = (select oid from pg_database where datname = current_database())`;
        waiting = row?.waiting ?? 0;
      }
      // As a function, because the transaction would wait for the one that waits for it.
      return [added, () => other] as const;
    });
    expect(await second()).toEqual(first);
    expect((await listLocations(sql)).filter(({ iata }) => iata === 'QZX')).toEqual([first]);
  });

  test('that exist are not added again', async () => {
    const before = await listLocations(sql);
    const notifications = await countNotifications(async () => {
      const location = await sql.begin((transaction) => getOrInsertLocation(transaction, { iata: 'LHR' }));
      expect(location).toEqual(before.find(({ iata }) => iata === 'LHR'));
    });
    expect(notifications).toBe(0);
    expect(await listLocations(sql)).toEqual(before);
  });
});

describe('carriers', () => {
  test('are inserted, updated in place and read in the order in which their code resolves to them', async () => {
    const cargo = { iata: 'LH', icao: 'GEC', name: 'Lufthansa Cargo', rank: 2 };
    const main = { iata: 'LH', icao: 'DLH', name: 'Lufthansa', rank: 1 };
    expect(await upsertCarriers(sql, [cargo, main])).toEqual({ added: 2, changed: 0 });
    const [first, second] = await listCarriers(sql);
    expect([first, second]).toEqual([
      { id: (second?.id ?? 0) + 1, ...main },
      { id: second?.id, ...cargo },
    ]);
    const notifications = await countNotifications(async () => {
      const renamed = { ...cargo, id: second?.id, name: 'Cargo' };
      const counts = await upsertCarriers(sql, [{ ...main, id: first?.id }, renamed]);
      expect(counts).toEqual({ added: 0, changed: 1 });
    });
    expect(notifications).toBe(1);
    expect(await listCarriers(sql)).toEqual([first, { ...second, name: 'Cargo' }]);
  });

  test('are found by IATA code, by rank, or by ICAO code, and inserted when there is none', async () => {
    const getOrInsert = (codes: { iata?: string; icao?: string }) =>
      sql.begin((transaction) => getOrInsertCarrier(transaction, codes));
    expect((await getOrInsert({ iata: 'LH' })).icao).toBe('DLH');
    expect((await getOrInsert({ icao: 'GEC' })).name).toBe('Cargo');
    const added = await getOrInsert({ iata: 'XX' });
    expect(added).toEqual({ id: added.id, iata: 'XX', icao: '', name: '', rank: 1 });
    const byIcao = await getOrInsert({ icao: 'XYZ' });
    expect(byIcao).toEqual({ id: byIcao.id, iata: '', icao: 'XYZ', name: '', rank: 1 });
    expect(await getOrInsert({ iata: 'XX' })).toEqual(added);
    expect(await getOrInsert({ icao: 'XYZ' })).toEqual(byIcao);
  });
});

describe('aircraft types', () => {
  const a320 = { iata: '320', icao: 'A320', name: 'Airbus A320', cargoTonnes: 2 };
  const bus = { iata: 'BUS', icao: '', name: 'Bus', cargoTonnes: undefined };
  const train = { iata: 'TRN', icao: '', name: 'Train', cargoTonnes: undefined };
  const r44 = { iata: '', icao: 'R44', name: 'Robinson R-44', cargoTonnes: undefined };
  const at76 = { iata: '', icao: 'AT76', name: 'ATR 72-600', cargoTonnes: undefined };

  test('are inserted and updated by code, counted separately, and notified only when they differ', async () => {
    expect(await upsertEquipment(sql, [bus, a320])).toEqual({ added: 2, changed: 0 });
    expect(await listEquipment(sql)).toEqual([a320, bus]);
    const notifications = await countNotifications(async () => {
      expect(await upsertEquipment(sql, [a320, { ...bus, name: 'Coach' }, train])).toEqual({ added: 1, changed: 1 });
      expect(await upsertEquipment(sql, [a320, train])).toEqual({ added: 0, changed: 0 });
    });
    expect(notifications).toBe(1);
    expect(await listEquipment(sql)).toEqual([a320, { ...bus, name: 'Coach' }, train]);
  });

  test('without an IATA code are identified by their ICAO code', async () => {
    expect(await upsertEquipment(sql, [r44, at76])).toEqual({ added: 2, changed: 0 });
    const raven = { ...r44, name: 'Robinson R-44 Raven' };
    expect(await upsertEquipment(sql, [raven, at76])).toEqual({ added: 0, changed: 1 });
    expect((await listEquipment(sql)).filter(({ iata }) => iata === '')).toEqual([at76, raven]);
  });

  test('without an IATA code are replaced by one with their ICAO code, permanently', async () => {
    const filed = { ...at76, iata: 'AT9' };
    const notifications = await countNotifications(async () => {
      expect(await upsertEquipment(sql, [filed])).toEqual({ added: 1, changed: 0 });
      expect(await upsertEquipment(sql, [at76])).toEqual({ added: 0, changed: 0 });
    });
    expect(notifications).toBe(1);
    expect((await listEquipment(sql)).filter(({ icao }) => icao === 'AT76')).toEqual([filed]);
  });
});
