import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readAvinor } from '#feeds/live/avinor.ts';
import { readHkia } from '#feeds/live/hkia.ts';
import { readSwedavia } from '#feeds/live/swedavia.ts';
import type { LiveAnswer } from '#feeds/live/live-row.ts';
import { findSharedData } from '#test/support/shared-data.ts';
import { avinorRequest, hkiaRequest } from './live-inputs.ts';
import { rebuildHkia } from './rebuilt-hkia.ts';

const folder = findSharedData('live-feeds');
const read = (path: string): Buffer => readFileSync(`${folder}/${path}`);

const count = (texts: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(texts, (text) => text)].map(([text, all]) => [text, all.length]));

const summarize = ({ rows, rejected, remarks }: LiveAnswer) => ({
  rows: rows.length,
  rejected: count(rejected.map(({ reason }) => reason)),
  remarks: count(remarks.map(({ reason }) => reason)),
});

test.skipIf(!folder)('each row of the captures of Avinor is read or has a reason', async () => {
  const files: Readonly<Record<string, readonly [airport: string, expected: object]>> = {
    'OSL-2026-10-06T1947Z-codeshareY-EXCERPT-13-codeshares-stops-nights.xml': [
      'OSL',
      { rows: 13, rejected: {}, remarks: {} },
    ],
    'OSL-departures-2026-01-07T0924Z.xml': ['OSL', { rows: 124, rejected: {}, remarks: {} }],
    'airport-osl-2024-10-25.xml': ['OSL', { rows: 1, rejected: {}, remarks: {} }],
    'OSL-departures-2023-09-13T1306Z.xml': [
      'OSL',
      { rows: 180, rejected: { 'outside-window': 3 }, remarks: { 'unverified-id': 180 } },
    ],
    'arrivals-bgo-2016-05-20.xml': [
      'BGO',
      { rows: 8, rejected: { 'outside-window': 2 }, remarks: { 'unverified-id': 8 } },
    ],
    'departures-osl-2016-05-20.xml': [
      'OSL',
      { rows: 1, rejected: { 'outside-window': 4 }, remarks: { 'unverified-id': 1 } },
    ],
  };
  for (const [file, [airport, expected]] of Object.entries(files)) {
    const bytes = read(`avinor/${file}`);
    const answer = await readAvinor(bytes, avinorRequest(airport, 12));
    expect([file, summarize(answer)]).toEqual([file, expected]);
    expect(answer.rows.length + answer.rejected.length).toBe(bytes.toString('latin1').split('<flight ').length - 1);
  }
});

test.skipIf(!folder)('a capture that names BGO and has the departures of OSL is rejected', async () => {
  const answer = readAvinor(read('avinor/BGO-departures-2023-09-15T0523Z.xml'), avinorRequest('BGO', 12));
  await expect(answer).rejects.toThrow('7 legs lead from BGO to BGO: the rows are those of another airport.');
});

test.skipIf(!folder)('an excerpt of a real answer of Avinor has legs that the IDs confirm', async () => {
  const file = 'OSL-2026-10-06T1947Z-codeshareY-EXCERPT-13-codeshares-stops-nights.xml';
  const { rows } = await readAvinor(read(`avinor/${file}`), avinorRequest('OSL'));
  expect(rows.every(({ legId }) => legId !== undefined)).toBe(true);
});

test.skipIf(!folder)('each row of the captures of HKIA is read', async () => {
  const future = JSON.parse(read('hkia/hkia_dep_2026-08-16_future.json').toString());
  const answer = await readHkia(Buffer.from(JSON.stringify(future)), hkiaRequest('2026-08-16'));
  expect(summarize(answer)).toEqual({ rows: 455, rejected: {}, remarks: {} });
  let rows = 0;
  for (const date of ['2025-10-16', '2025-11-30', '2025-12-25'])
    for (const { request, bytes } of rebuildHkia(read(`hkia/${date}.json`))) {
      const one = await readHkia(bytes, request);
      expect([request.parameters, one.rejected, one.remarks]).toEqual([request.parameters, [], []]);
      rows += one.rows.length;
    }
  expect(rows).toBe(1095 + 1147 + 1163);
});

test.skipIf(!folder)('the deleted flight of a capture of Swedavia gives no fact of cancellation', async () => {
  const answer = await readSwedavia(read('swedavia/arrival-BA778B-2026-09-28-excerpt.json'), {
    place: 'ARN',
    zone: 'Europe/Stockholm',
    receivedAt: new Date('2026-09-28T19:00:00Z'),
    parameters: {},
  });
  expect(answer.rows).toMatchObject([
    { carrier: 'BA', flightNumber: 778, suffix: 'B', stations: ['LHR'], facts: { terminal: '2' } },
  ]);
  expect(answer.remarks).toEqual([{ reason: 'unknown-status', value: 'DEL' }]);
});
