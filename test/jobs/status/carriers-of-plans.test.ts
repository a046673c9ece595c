import { afterEach, expect, test } from 'vitest';
import type { Carrier, CarrierPage } from '#generated/master-data/v1/types.gen.ts';
import { readScheduleMessages, type ScheduleMessageItem } from '#feeds/schedule-messages/read-messages.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import { pruneDays } from '#jobs/retention/prune-days.ts';
import { ingestScheduleMessages } from '#jobs/schedule-messages/ingest-messages.ts';
import { localDate } from '#domain/time/dates.ts';
import { buildCarrierFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import { getJson } from '#test/products/responses.ts';
import { publishText, TEST_KEY } from '#test/support/tiny-world.ts';
import { ingest, message, noon, plan, planned } from './messages.ts';
import { formatOutcomes } from './messages.ts';
import { db, searchPage, useStatusWorld, world } from './status-world.ts';

useStatusWorld();
afterEach(async () => {
  await db`truncate unconfirmed_carrier`;
  await world.refresh();
});

const listCarriers = async (): Promise<readonly string[]> => {
  await world.refresh();
  const { data } = await getJson<CarrierPage>(world, '/carriers?version=v1&CodeType=IATA,ICAO');
  return data.map(({ code }) => code.iata ?? code.icao ?? '');
};
const send = async (lines: readonly object[]) => {
  const headers = { 'subscription-key': TEST_KEY, 'content-type': 'application/x-ndjson' };
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const response = await world.send('/status-messages?version=v1', { method: 'POST', headers, body });
  const report: { stored: number; quarantined: number; remarks: object[] } = await response.json();
  return report;
};
const describeFlight = (carrier: string, arrivalAirport = 'LIS', day = '2026-06-01') => ({
  messageId: `${carrier}-${day}`,
  observedAt: '2026-06-01T08:00:00Z',
  flight: { carrier, flightNumber: 7, originDate: day, departureAirport: 'OPO' },
  plan: { flightType: 'GA', departs: { airport: 'OPO', at: `${day}T10:00:00Z` }, arrives: { airport: arrivalAirport } },
});
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const inventedCodes = Array.from(
  { length: 1300 },
  (_, index) => `Q${letters[Math.floor(index / 26) % 26]}${letters[index % 26]}`,
);

test('plans of 1,300 invented carriers that are quarantined add no carrier', async () => {
  const before = await listCarriers();
  const report = await send(inventedCodes.map((code) => describeFlight(code, 'ZZZ')));
  expect([report.stored, report.quarantined]).toEqual([0, 1300]);
  expect([await listCarriers(), (await db`select code from unconfirmed_carrier`).length]).toEqual([before, 0]);
});

test('the carrier of a flight that a plan creates is unconfirmed: found by its code, in no list, and named in a remark', async () => {
  const before = await listCarriers();
  const report = await send([describeFlight('ZZK'), { ...describeFlight('ZZK'), messageId: 'again' }]);
  const remark = {
    severity: 'notice',
    field: 'flight.carrier',
    value: 'ZZK',
    reason: 'carrier-unknown',
    message: 'the carrier is not in the master data; its flight is stored, and the carrier is unconfirmed',
  };
  expect(report).toMatchObject({
    stored: 2,
    remarks: [
      { ...remark, line: 1 },
      { ...remark, line: 2 },
    ],
  });
  expect(await listCarriers()).toEqual(before);
  expect(await getJson<Carrier>(world, '/carriers/ZZK?version=v1&CodeType=ICAO')).toEqual({
    code: { icao: 'ZZK' },
    publishingCarrier: true,
    duplicateCarrier: false,
    iataCodeAssignmentCategory: { code: 'Unconfirmed', name: 'Only status messages name the carrier' },
  });
  const { data } = await searchPage('DepartureDateTime=2026-06-01&CarrierCode=ZZK&CodeType=ICAO');
  expect(data.map(({ carrier, flightNumber }) => [carrier, flightNumber])).toEqual([[{ icao: 'ZZK' }, 7]]);
});

test('messages without a plan find the flight of an unconfirmed carrier, in the same request and in later ones', async () => {
  const { plan: _, ...gate } = { ...describeFlight('ZZK'), messageId: 'gate', departure: { gate: '1' } };
  expect(await send([gate, describeFlight('ZZK')])).toMatchObject({ stored: 2, quarantined: 0 });
  // The copy of the master data in memory is older than the flight.
  expect(await send([{ ...gate, messageId: 'later', departure: { gate: '2' } }])).toMatchObject({ stored: 1 });
  const ofCarrier = { ...planned, carrier: 'ZZK' };
  expect(formatOutcomes(await ingest(db, [message({ id: 'stream', flight: ofCarrier, plan: plan() })]))).toEqual([
    'stored',
  ]);
});

test('a carrier whose flight fails to be stored is not known', async () => {
  await db`alter table status_message add constraint planted check (source <> 'bad')`;
  await send([{ ...describeFlight('ZZK'), source: 'bad' }]);
  await db`alter table status_message drop constraint planted`;
  expect(await db`select code from unconfirmed_carrier`).toEqual([]);
});

test('a schedule file that contains an unconfirmed carrier adds it to the master data, with a remark, and both flights are found', async () => {
  await send([describeFlight('ZZM')]);
  const report = await publishText(db, buildCarrierFile({ 3: 'ZZM' }, buildLeg({ 3: 'ZZM' })));
  expect(report.entries).toMatchObject([
    { severity: 'notice', field: 'carrier', value: 'ZZM', reason: 'carrier-unknown' },
  ]);
  expect(await listCarriers()).toContain('ZZM');
  const { data } = await searchPage('DepartureDateTime=2026-06-01&CarrierCode=ZZM&CodeType=ICAO');
  expect(data.map(({ flightNumber }) => flightNumber)).toEqual([7, 101]);
});

test('a schedule message of an unknown carrier adds it with a remark', async () => {
  const text = 'SSM\nUTC\n01JUN00001E001\nNEW\nZK777\n01JUN26 03JUN26 1234567\nJ 320 .Y180\nLHR1000 CDG1115\n';
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  };
  const items: ScheduleMessageItem[] = [];
  for await (const item of readScheduleMessages(pieces(), noon)) items.push(item);
  const { report } = await ingestScheduleMessages(db, items, {
    masterDataIndex: await readMasterDataIndex(db),
    clock: noon,
    source: 'test',
    sha256: '',
  });
  expect(report.entries).toMatchObject([
    { severity: 'notice', field: 'carrier', value: 'ZK', reason: 'carrier-unknown' },
  ]);
});

test('pruning forgets unconfirmed carriers without a flight', async () => {
  await send([describeFlight('ZZK', 'LIS', '2026-05-28'), describeFlight('ZZL')]);
  await pruneDays(db, { before: localDate('2026-06-01'), today: localDate('2026-07-01') });
  expect((await db`select code from unconfirmed_carrier`).map(({ code }) => code)).toEqual(['ZZL']);
});
