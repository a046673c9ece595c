import { describe, expect, test } from 'vitest';
import type { FlightInstancePage } from '#generated/flight-info/v2/types.gen.ts';
import { localDate } from '#domain/time/dates.ts';
import { buildOnTime } from '#jobs/statistics/build-on-time.ts';
import { toJsonObject, toList } from '#lib/openapi-document.ts';
import { buildCarrier, buildLeg, buildTrailer, buildWholeFile, header } from '#test/feeds/ssim/build-file.ts';
import { createMapKey, xx301 } from '#test/products/flight-info/v2/status-service.ts';
import { publishText, TEST_KEY } from '#test/support/tiny-world.ts';
import { withParameter } from '../responses/envelope.ts';
import type { KnownService } from '../services/known-service.ts';
import { findDocument } from '../services/served-documents.ts';

/** Formats the explain request of two flights, e.g. `ZX 302A` and `ZX 101`, on a day of June. */
const explain = (leg1: string, leg2: string, day = '01'): string => {
  const query = [leg1, leg2].flatMap((name, index) => {
    const [, carrier, number, suffix = ''] = /^(..) (\d+)(\w?)$/.exec(name) ?? [];
    const leg = `Leg${index + 1}`;
    const designator = [`${leg}CarrierCode=${carrier}`, `${leg}FlightNumber=${number}`];
    return suffix === '' ? designator : [...designator, `${leg}ServiceSuffix=${suffix}`];
  });
  return `/flight-connections/explain?${[...query, `DepartureDate=2026-06-${day}`].join('&')}`;
};

/** Explanations that together have every value. */
const explanations: readonly (readonly [leg1: string, legs2: readonly string[], day?: string])[] = [
  ['ZX 1302', ['ZX 101', '0Z 440', 'ZX 7001', 'ZX 420', 'ZX 207', '9Q 5101', '9Q 88']],
  ['ZX 101', ['9Q 5101']],
  ['0Z 461', ['9Q 88']],
  ['9Q 5015', ['9Q 5101'], '02'],
  ...['ZX 901', '0Z 902', 'ZX 904', 'ZX 905', 'ZX 907', 'ZX 9999'].map((leg1) => [leg1, ['ZX 101']] as const),
  ['ZX 903', ['ZX 207']],
  ['ZX 906', ['ZX 908']],
  ['ZX 7009', ['ZX 7001'], '06'],
  ['ZX 7010', ['ZX 7001'], '06'],
  ['ZX 300', ['ZX 302A']],
  ['ZX 302A', ['0Z 471']],
  ['0Z 470', ['0Z 471']],
  ['0Z 480', ['9Q 88']],
  ['ZX 15', ['ZX 101'], '02'],
  ['0Z 902', ['ZX 411'], '04'],
  ['ZX 1302', ['ZX 411'], '05'],
  ['ZX 15', ['ZX 207']],
];

/** Requests without and with a parameter, or with another value of it: their responses differ. */
const pairs: readonly (readonly [document: string, without: string, having: string])[] = [
  ['connections/v1', explain('ZX 902', 'ZX 101'), explain('0Z 902', 'ZX 101')],
  ['connections/v1', explain('ZX 1302', 'ZX 101'), explain('ZX 903', 'ZX 101')],
  ['connections/v1', explain('ZX 302', '0Z 471'), explain('ZX 302A', '0Z 471')],
  ['connections/v1', explain('ZX 101', 'ZX 88'), explain('ZX 101', '9Q 88')],
  ['connections/v1', explain('ZX 1302', 'ZX 101'), explain('ZX 1302', 'ZX 908')],
  ['connections/v1', explain('ZX 300', 'ZX 302'), explain('ZX 300', 'ZX 302A')],
  ['connections/v1', explain('ZX 1302', 'ZX 101'), explain('ZX 1302', 'ZX 101', '02')],
  ['connections/v1', explain('ZX 15', 'ZX 207', '08'), `${explain('ZX 15', 'ZX 207', '08')}&ViaPoint=SIN`],
  ['connections/v1', '/flight-connections?ViaPoint=LHR', '/flight-connections?ViaPoint=LHR&Sort=elapsedTime'],
  ['connections/v1', '/flight-connections?ViaPoint=LHR&Sort=elapsedTime', '/flight-connections?ViaPoint=LHR&Sort=leg1'],
  ['master-data/v1', '/locations?Near=51.5,-0.12&WithinKm=100', '/locations?Near=51.5,-0.12&WithinKm=30'],
  ['master-data/v1', '/locations/LHR', '/locations/JFK'],
  ['master-data/v1', '/locations/IST', '/locations/IST?AsOf=2019-01-01'],
  ['master-data/v1', '/locations/LHR', '/locations/LHR?Content=Provenance'],
  ['master-data/v1', '/locations/LHR', '/locations/LON?CodeType=IATA'],
  ['master-data/v1', '/locations/EGLL', '/locations/EGLL?CodeType=ICAO'],
  ['master-data/v1', '/locations/NK39', '/locations/NK39?CodeType=FAA'],
  ['master-data/v1', '/carriers/ZX', '/carriers/9Q?CodeType=IATA'],
  ['master-data/v1', '/carriers/ZX', '/carriers/ZX?AsOf=2008-01-01'],
  ['master-data/v1', '/carriers/ZX', '/carriers/ZX?Content=Provenance'],
  ['master-data/v1', '/carriers/QQX', '/carriers/QQX?CodeType=ICAO'],
  ['master-data/v1', '/equipment/789', '/equipment/738?CodeType=IATA'],
  ['master-data/v1', '/equipment/789', '/equipment/789?Content=Provenance'],
  ['master-data/v1', '/equipment/R44', '/equipment/R44?CodeType=ICAO'],
  // Where the designators of FAA and ICAO are equal, the IATA code still differs.
  ['master-data/v1', '/equipment/B789', '/equipment/B789?CodeType=FAA'],
];

/** Requests whose responses have values that the other tests do not show, by document. */
const requests: Readonly<Record<string, readonly string[]>> = {
  'connections/v1': explanations
    .flatMap(([leg1, legs2, day]) => legs2.map((leg2) => explain(leg1, leg2, day)))
    .concat('/flight-connections?ViaPoint=GLA'),
  'flight-info/v1': [
    '/flight-instances?DepartureDate=2026-06-01/2026-06-03&FlightType=Scheduled,Unscheduled,GA&Content=Status&Limit=100',
  ],
  'master-data/v1': [
    ...['/locations', '/carriers', '/equipment'].map((list) => `${list}?Limit=100&AsOf=2020-11-05`),
    '/locations/LHR?Content=none',
  ],
};

/** WW 701 LHR-JFK, every other week, across the days on which both cities change their clocks. */
const noCarrierFacts = {
  domicile: { iso: '', dot: '' },
  formerNames: [],
  memberships: [],
  isCodeClaimed: false,
  validity: { from: '', to: '' },
  provenance: {},
};

const autumn = buildWholeFile(
  header,
  buildCarrier({ 3: 'WW' }),
  buildLeg({ 3: 'WW', 6: '0701', 15: '05OCT26', 22: '30NOV26', 29: '1  4   ', 36: '2', 173: 'J30S20Y150' }),
  buildTrailer('E', 'WW'),
);

/** Leg 2 of XX 301 departs at 1700Z and arrives at 2300Z: early, punctual and late, estimated and actual. */
const timeReports = ['estimated', 'actual'].flatMap((kind) =>
  ['16:50 22:50', '17:00 23:00', '17:20 23:20'].flatMap((times) => {
    const [out, arrives] = times.split(' ').map((time) => `2026-06-03T${time}:00Z`);
    return [{ departure: { [kind]: { out } } }, { arrival: { [kind]: { in: arrives } } }];
  }),
);

/** Proves that every parameter has an effect, and shows the values that no other test shows. */
export const testParameters = (world: () => KnownService): void => {
  const send = async (name: string, path: string, key = TEST_KEY): Promise<string> => {
    const served = findDocument(name);
    const versioned = path.includes('version=') ? path : withParameter(path, 'version', served.version);
    const response = await world().on(served)(versioned, { method: 'GET', headers: { 'subscription-key': key } });
    const text = await response.text();
    return response.ok ? text : String(response.status);
  };

  test.each(pairs)('%s: the responses to %s and %s differ', async (name, without, having) => {
    const [plain, changed] = [await send(name, without), await send(name, having)];
    expect(changed).not.toBe(plain);
    expect(changed).toMatch(/^\{/);
  });

  test('the default code system is IATA, and short names of services are equivalent', async () => {
    for (const path of ['/locations/LHR', '/carriers/ZX', '/equipment/789'])
      expect(await send('master-data/v1', `${path}?CodeType=IATA`)).toBe(await send('master-data/v1', path));
  });

  test.each(Object.entries(requests))('%s returns the remaining documented values', async (name, paths) => {
    for (const path of paths) expect(await send(name, path)).toMatch(/^(\{|400|404)/);
  });

  test('headers change when another set of connections is published', async () => {
    const { connections } = world().worlds;
    const readSet = async (): Promise<number> =>
      Number((await connections.get('/flight-connections?ViaPoint=LHR')).headers.get('connections-set'));
    const before = await readSet();
    await connections.buildConnections();
    expect(await readSet()).toBe(before + 1);
  });

  describe('flights', () => {
    test('the latest status of a flight is early, punctual and late', async () => {
      for (const [index, facts] of timeReports.entries()) {
        const at = `2026-06-03T12:${String(index).padStart(2, '0')}:00Z`;
        await world().worlds.flights.report(xx301(2, '2026-06-03'), [at, facts]);
        const query = 'version=v1&DepartureDate=2026-06-03&FlightNumber=301&Content=Status';
        expect(await send('flight-info/v1', `/flight-instances?${query}`)).toMatch(/^\{/);
      }
    });

    test('a single flight has every dataset, and its history when requested', async () => {
      const { flights } = world().worlds;
      const key = (await createMapKey(flights))['subscription-key'];
      const query = 'DepartureDateTime=2026-06-01/2026-06-03&Content=StatusHistory,Seats,Map&Limit=1000';
      const page: FlightInstancePage = JSON.parse(await send('flight-info/v2', `/flight-instances?${query}`, key));
      for (const { departure, scheduleInstanceKey } of page.data) {
        if (scheduleInstanceKey === undefined) continue;
        const path = `/flight-instances/${departure.date.local}/${scheduleInstanceKey}`;
        const single = await send('flight-info/v2', path, key);
        for (const content of ['Status', 'Seats', 'Map'])
          expect(await send('flight-info/v2', `${path}?Content=${content}`, key)).toBe(single);
        expect(await send('flight-info/v2', `${path}?Content=StatusHistory`, key)).toMatch(/^\{/);
      }
      const withMap = 'DepartureDateTime=2026-06-01&FlightNumber=101';
      const plain = await send('flight-info/v2', `/flight-instances?${withMap}`, key);
      expect(await send('flight-info/v2', `/flight-instances?${withMap}&Content=Map`, key)).not.toBe(plain);
    });

    test('every schedule record has every property, with null for an absent value', async () => {
      const { flights } = world().worlds;
      const facts = { ...noCarrierFacts, cabinLetters: { S: 'economyPlus' } };
      await flights.db`update carrier set facts = ${flights.db.json(facts)} where iata = 'WW'`;
      await publishText(flights.db, autumn);
      await buildOnTime(flights.db, { today: localDate('2026-06-10') });
      await flights.refresh();
      const properties = Object.keys(
        toJsonObject(findDocument('schedules/v1').contract.schema('Schedule')['properties']),
      );
      const body = await send('schedules/v1', '/flights?Limit=1000&Content=Seats');
      const records = toList(toJsonObject(JSON.parse(body))['data']).map(toJsonObject);
      expect(records.filter((record) => properties.some((name) => !(name in record)))).toEqual([]);
      expect(properties.length).toBeGreaterThan(30);
      for (const { fingerprint } of records)
        expect(await send('schedules/v1', `/flights/${String(fingerprint)}`)).toMatch(/^\{/);
    });
  });
};
