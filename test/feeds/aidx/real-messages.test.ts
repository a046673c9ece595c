import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { elementUses } from '#feeds/aidx/element-uses.ts';
import { findSharedData } from '#test/support/shared-data.ts';
import { describeRemarks, readDocument } from './aidx-documents.ts';

const folder = findSharedData('aidx');
const files = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.xml'));

describe.skipIf(folder === undefined)('messages of an airport database (needs the shared data)', () => {
  const read = (name: string) => readDocument(readFileSync(join(folder ?? '', name)));

  /** The facts of the message in a file, with times as `HH:MM`. */
  const readFacts = async (name: string): Promise<unknown> => {
    const [item] = await read(name);
    if (!item || !('message' in item)) return item;
    const toTime = (value: unknown): unknown =>
      typeof value === 'number' ? new Date(value * 1000).toISOString().slice(11, 16) : value;
    return Object.fromEntries(Object.entries(item.message.facts).map(([fact, value]) => [fact, toTime(value)]));
  };
  const departure = { departureTerminal: '1' };
  const arrival = { arrivalTerminal: '1' };
  const type = (iata: string) => ({ aircraftType: { iata, icao: '' } });

  test.each([
    [
      'Arrival_ETA_LATE_30MIN_STA.xml',
      { ...arrival, ...type('73W'), estimatedIn: '10:30', arrivalGate: '20B', baggage: 'RE03' },
    ],
    [
      'Arrival_with_OperationTime_TDN_landed.xml',
      { ...arrival, ...type('73W'), estimatedIn: '04:30', actualOn: '04:20', arrivalGate: '19B', baggage: 'RE02' },
    ],
    [
      'Arrival_with_OperationalStatus_DX_Cancelled.xml',
      { ...arrival, ...type('73W'), estimatedIn: '10:00', arrivalGate: '23B', cancelled: true },
    ],
    ['Departure_ETD_LATE_10MIN_STD.xml', { ...departure, ...type('320'), estimatedOut: '10:25', departureGate: '19B' }],
    [
      'Departure_with_OperationTime_BST_Boarding_Start_XMIDS.xml',
      { ...departure, ...type('320'), estimatedOut: '07:30', departureGate: '19B' },
    ],
    [
      'Departure_with_OperationTime_CHC_Checkin_closed.xml',
      { ...departure, ...type('359'), estimatedOut: '08:00', departureGate: '22A', checkInCounter: 'SD01' },
    ],
    [
      'Departure_with_OperationTime_GTO_Gate_Open_XMIDS.xml',
      { ...departure, ...type('320'), estimatedOut: '07:30', departureGate: '19B' },
    ],
    [
      'Departure_with_OperationTime_n_Resource_CHK_GTO_BST_FCT_BEN_GCL.xml',
      { ...departure, ...type('320'), estimatedOut: '10:50', departureGate: '21A' },
    ],
    [
      'Departure_with_OperationTime_n_Resource_OFB_TKO.xml',
      {
        ...departure,
        ...type('77L'),
        estimatedOut: '10:00',
        actualOut: '10:00',
        actualOff: '10:10',
        departureGate: '24A',
      },
    ],
    [
      'Departure_with_OperationalStatus_DX_Cancelled.xml',
      { ...departure, ...type('73W'), estimatedOut: '11:00', departureGate: '23B', cancelled: true },
    ],
    ['JQ355_Departure_Gate_19A.xml', { ...departure, ...type('73W'), estimatedOut: '11:00', departureGate: '19A' }],
    ['JQ355_Departure_Gate_21B.xml', { ...departure, ...type('73W'), estimatedOut: '11:00', departureGate: '21B' }],
  ])('%s', async (name, facts) => {
    expect(await readFacts(name)).toEqual(facts);
  });

  test('every element and attribute of the twelve messages is taken, read, or ignored for a reason', async () => {
    const remarks = (await Promise.all(files.map(async (name) => describeRemarks(await read(name))))).flat();
    expect([files.length, remarks.filter((remark) => /unknown|quarantined/.test(remark))]).toEqual([12, []]);
    const texts = files.map((name) => readFileSync(join(folder ?? '', name), 'utf8')).join('');
    const names = new Set([...texts.matchAll(/<([A-Za-z]\w*)[ >/]/g)].map(([, name = '']) => name));
    const paths = Object.keys(elementUses);
    expect(
      [...names].filter(
        (name) => !paths.some((path) => path.split(/[/@]/).includes(name)) && !name.startsWith('IATA_'),
      ),
    ).toEqual(['AirlineType']);
  });
});
