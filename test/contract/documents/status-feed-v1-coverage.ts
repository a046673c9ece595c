import { afterAll, expect, test } from 'vitest';
import { isJsonObject, toJsonObject, toList } from '#lib/openapi-document.ts';
import { serveStatuses, xx101 } from '#test/products/flight-info/v2/status-service.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { buildDocument, buildLeg } from '#test/feeds/aidx/aidx-documents.ts';

const world = await serveStatuses();
afterAll(world.drop);

/** Sends a body, and returns the results and the severities of the remarks. */
const send = async (
  path: string,
  type: string,
  body: string,
): Promise<readonly [readonly string[], readonly string[]]> => {
  const headers = { 'subscription-key': TEST_KEY, 'content-type': type };
  const report: unknown = await (await world.send(path, { method: 'POST', headers, body })).json();
  const textsOf = (list: 'results' | 'remarks', member: string): readonly string[] =>
    toList(toJsonObject(report)[list]).flatMap((one) => (isJsonObject(one) ? [String(one[member])] : []));
  return [textsOf('results', 'result'), textsOf('remarks', 'severity')];
};

const line = (messageId: string, members: object): string =>
  JSON.stringify({ messageId, observedAt: '2026-06-01T11:00:00Z', flight: xx101(), ...members });

const results = ['stored', 'duplicate', 'quarantined', 'rejected'];

test('status messages get every result', async () => {
  const out = line('1', { departure: { actual: { out: '2026-06-01T10:30:00Z', off: '2026-06-01T10:10:00Z' } } });
  const unknown = line('2', { flight: { ...xx101(), flightNumber: 999 } });
  const lines = [out, out, unknown, '{', line('1', {})];
  expect(await send('/status-messages', 'application/x-ndjson', lines.join('\n'))).toEqual([
    [...results, 'conflict'],
    ['corrected', 'corrected', 'quarantined', 'quarantined', 'quarantined'],
  ]);
});

test('telegrams get every result', async () => {
  const flight = 'XX0101/01.GXXAB.LHR';
  const arrival = 'MVT\nXX0101/01.GXXAB.JFK\nAA1830';
  const telegrams = [
    `MVT\n${flight}\nAD1002/1020\nXYZ`,
    `MVT\n${flight}\nAD1002/1020\nXYZ`,
    'MVT\nXX0999/01.GXXAB.LHR\nAD1002',
    `MVT\n${flight}\nAD`,
    `LDM\n${flight}`,
    arrival,
  ];
  expect(await send('/movement-telegrams', 'text/plain', telegrams.join('\n\n'))).toEqual([
    [...results, 'leftOut', 'stored'],
    expect.arrayContaining(['corrected', 'notice', 'quarantined']),
  ]);
});

test('flight legs of AIDX get every result', async () => {
  const off = (qualifier: string, time: string): string =>
    `<OperationTime OperationQualifier="${qualifier}" TimeType="ACT">2026-06-01T${time}Z</OperationTime>`;
  const leg = buildLeg(off('OFB', '10:30:00') + off('TKO', '10:10:00')).replaceAll('2027-03-01', '2026-06-01');
  const legs = [leg, leg, leg.replace('0101', '0999'), leg.replace('0101', 'x')];
  const document = buildDocument(legs.join(''), 'Version="22.1" TimeStamp="2026-06-01T11:30:00Z"');
  expect(await send('/aidx', 'application/xml', document.replace('Version="22.1"', 'Version="20.1"'))).toEqual([
    results,
    expect.arrayContaining(['corrected', 'notice', 'quarantined']),
  ]);
});
