import { expect, test } from 'vitest';
import { getOrInsertCarrier, listCarriers, upsertCarriers } from '#store/master-data/carriers.ts';
import { listEquipment, upsertEquipment } from '#store/master-data/equipment.ts';
import { getOrInsertLocation, listLocations, upsertLocations } from '#store/master-data/locations.ts';
import { MASTER_DATA_CHANNEL } from '#store/master-data/master-data-changes.ts';
import { sharedDatabase, untilBlocked } from '#test/support/database.ts';

const { sql } = await sharedDatabase();
const nowhere = { latitude: undefined, longitude: undefined, zone: undefined };
const unknown = { iata: '', icao: '', faa: '', name: '', cityCode: '', countryCode: '', ...nowhere };
const field = { ...unknown, faa: '2G4' };
const heathrow = {
  iata: 'LHR',
  icao: 'EGLL',
  faa: '',
  name: 'O\'Heathrow \\ "Airport" Chișinău',
  cityCode: 'LON',
  countryCode: 'GB',
  latitude: 51.4706,
  longitude: -0.461941,
  zone: 'Europe/London',
};
const rank = 1;

/** Resolves when all notifications sent before it have arrived: they are delivered in order. */
const receiveNotifications = async (): Promise<void> => {
  const last = Promise.withResolvers<void>();
  const { unlisten } = await sql.listen('marker', () => last.resolve());
  await sql.notify('marker', '');
  await last.promise;
  await unlisten();
};

/** Returns the result of a call with the number of notifications to servers during it. */
const countNotifications = async <T>(act: () => Promise<T>): Promise<readonly [T, number]> => {
  let notifications = 0;
  const { unlisten } = await sql.listen(MASTER_DATA_CHANNEL, () => void (notifications += 1));
  // Those of earlier calls may arrive now.
  await receiveNotifications();
  notifications = 0;
  const result = await act();
  await receiveNotifications();
  await unlisten();
  return [result, notifications];
};

const getOrInsert = (iata: string) => sql.begin((transaction) => getOrInsertLocation(transaction, { iata }));

test('locations are read back completely, updated in place by ID, and notified once and only when they differ', async () => {
  const added = await upsertLocations(sql, [
    { ...heathrow, rank },
    { ...field, rank },
  ]);
  expect(added).toEqual({ added: 2, changed: 0 });
  const [first, second] = await listLocations(sql);
  const id = first?.id ?? 0;
  expect([first, second]).toEqual([
    { id, ...heathrow },
    { id: id + 1, ...field },
  ]);
  const updates = [
    { ...heathrow, id, name: 'Heathrow', zone: undefined, rank },
    { ...field, id: id + 1, rank },
  ];
  const update = () => countNotifications(() => upsertLocations(sql, updates));
  expect([await update(), await update()]).toEqual([
    [{ added: 0, changed: 1 }, 1],
    [{ added: 0, changed: 0 }, 0],
  ]);
  expect(await listLocations(sql)).toEqual([{ ...heathrow, id, name: 'Heathrow', zone: undefined }, second]);
});

test('locations that share a code are ordered by rank', async () => {
  const shared = { ...unknown, icao: 'UACC' };
  await upsertLocations(sql, [
    { ...shared, iata: 'TSE', rank: 2 },
    { ...shared, iata: 'NQZ', rank: 1 },
  ]);
  const sharing = (await listLocations(sql)).filter(({ icao }) => icao === 'UACC');
  expect(sharing.map(({ iata }) => iata)).toEqual(['NQZ', 'TSE']);
});

test('locations missing from master data are added once with their code only, and existing ones are returned', async () => {
  const [added, notifications] = await countNotifications(() => getOrInsert('QPX'));
  expect([added, notifications]).toEqual([{ ...unknown, id: added.id, iata: 'QPX' }, 1]);
  const before = await listLocations(sql);
  expect(before.filter(({ iata }) => iata === 'QPX')).toEqual([added]);
  expect(await countNotifications(() => getOrInsert('QPX'))).toEqual([added, 0]);
  expect(await listLocations(sql)).toEqual(before);
});

test('locations are inserted once by concurrent calls: the second waits for the first and finds its row', async () => {
  const { first, second } = await sql.begin(async (transaction) => {
    const inserted = await getOrInsertLocation(transaction, { iata: 'QZX' });
    const waiting = getOrInsert('QZX');
    await untilBlocked(sql);
    // Wrapped in an object: the transaction would await a returned promise, which waits for that transaction.
    return { first: inserted, second: { waiting } };
  });
  expect(await second.waiting).toEqual(first);
});

test('carriers are inserted, updated in place and read in the order in which their code resolves to them', async () => {
  const cargo = { iata: 'LH', icao: 'GEC', name: 'Lufthansa Cargo', rank: 2 };
  const main = { iata: 'LH', icao: 'DLH', name: 'Lufthansa', rank: 1 };
  expect(await upsertCarriers(sql, [cargo, main])).toEqual({ added: 2, changed: 0 });
  const [first, second] = await listCarriers(sql);
  const id = second?.id ?? 0;
  expect([first, second]).toEqual([
    { id: id + 1, ...main },
    { id, ...cargo },
  ]);
  const updates = [
    { ...main, id: id + 1 },
    { ...cargo, id, name: 'Cargo' },
  ];
  expect(await countNotifications(() => upsertCarriers(sql, updates))).toEqual([{ added: 0, changed: 1 }, 1]);
  expect(await listCarriers(sql)).toEqual([first, { ...second, name: 'Cargo' }]);
});

test('carriers are found by IATA code, by rank, or by ICAO code, and inserted when there is none', async () => {
  const getOrInsert = (codes: { iata?: string; icao?: string }) =>
    sql.begin((transaction) => getOrInsertCarrier(transaction, codes));
  expect((await getOrInsert({ iata: 'LH' })).icao).toBe('DLH');
  expect((await getOrInsert({ icao: 'GEC' })).name).toBe('Cargo');
  for (const codes of [{ iata: 'XX' }, { icao: 'XYZ' }]) {
    const added = await getOrInsert(codes);
    expect(added).toEqual({ iata: '', icao: '', ...codes, id: added.id, name: '', rank: 1 });
    expect(await getOrInsert(codes)).toEqual(added);
  }
});

const [a320, bus, train, r44, at76] = [
  { iata: '320', icao: 'A320', name: 'Airbus A320', cargoTonnes: 2 },
  { iata: 'BUS', icao: '', name: 'Bus', cargoTonnes: undefined },
  { iata: 'TRN', icao: '', name: 'Train', cargoTonnes: undefined },
  { iata: '', icao: 'R44', name: 'Robinson R-44', cargoTonnes: undefined },
  { iata: '', icao: 'AT76', name: 'ATR 72-600', cargoTonnes: undefined },
];
type Equipment = Parameters<typeof upsertEquipment>[1][number];
const upsert = (...types: readonly Equipment[]) =>
  countNotifications(() => sql.begin((transaction) => upsertEquipment(transaction, types)));

test('aircraft types are inserted and updated by code, counted separately, and notified only when they differ', async () => {
  expect(await upsert(bus, a320)).toEqual([{ added: 2, changed: 0 }, 1]);
  expect(await listEquipment(sql)).toEqual([a320, bus]);
  const coach = { ...bus, name: 'Coach' };
  expect(await upsert(a320, coach, train)).toEqual([{ added: 1, changed: 1 }, 1]);
  expect(await upsert(a320, train)).toEqual([{ added: 0, changed: 0 }, 0]);
  expect(await listEquipment(sql)).toEqual([a320, coach, train]);
});

test('aircraft types without an IATA code are identified by their ICAO code, and replaced by one that has both', async () => {
  const raven = { ...r44, name: 'Robinson R-44 Raven' };
  expect(await upsert(r44, at76)).toEqual([{ added: 2, changed: 0 }, 1]);
  expect(await upsert(raven, at76)).toEqual([{ added: 0, changed: 1 }, 1]);
  expect((await listEquipment(sql)).filter(({ iata }) => iata === '')).toEqual([at76, raven]);
  const filed = { ...at76, iata: 'AT9' };
  expect(await upsert(filed)).toEqual([{ added: 1, changed: 0 }, 1]);
  expect(await upsert(at76)).toEqual([{ added: 0, changed: 0 }, 0]);
  expect((await listEquipment(sql)).filter(({ icao }) => icao === 'AT76')).toEqual([filed]);
});
