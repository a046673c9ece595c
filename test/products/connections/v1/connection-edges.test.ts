import { expect, test } from 'vitest';
import { buildFlownLeg } from '../../../jobs/connections/flown-leg.ts';
import { sharedService } from '../../../support/shared-service.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { formatMctFile, formatMctLine, mct, side } from '../../../support/mct-lines.ts';
import { buildSegment } from '../../../feeds/ssim/build-file.ts';
import { upsertLocations } from '../../../../src/store/master-data/locations.ts';
import { buildStation } from '../../master-data/v1/master-data-service.ts';
import { serveEdges } from './edge-world.ts';

const { write } = createTemporaryFolder();
const world = sharedService(() => serveEdges(write));

const importRecords = (...records: readonly Parameters<typeof mct>[0][]) =>
  world.importTimes(formatMctFile(...records.map((record) => formatMctLine(mct(record)))));

test('a flight with stops arrives when its last leg arrives, whose variation decides alone', async () => {
  // By the zone, OPO-LIS would arrive at 08:50 UTC, before it departs at 09:00; by the filed variation it arrives at 09:50.
  await world.serveFlights(
    buildFlownLeg('101 CDG 0600 OPO 0730'),
    buildFlownLeg('101 OPO 1000 LIS 0950', { 12: '02', 66: '+0000' }),
    buildFlownLeg('102 LIS 1300 JFK 1600'),
  );
  const { data } = await world.search('ArrivalAirport=JFK&DepartureDate=2026-06-02');
  expect(data.map(({ DepartureAirport, leg1 }) => [DepartureAirport, leg1.elapsedTime, leg1.connectionTime])).toEqual([
    ['CDG', 350, 130],
    ['OPO', 50, 130],
  ]);
});

test('a flight of a service type that takes no part is explained by the rule service, and is no connection', async () => {
  await world.serveFlights(
    buildFlownLeg('101 LHR 1100 JFK 1400', { 14: 'P' }),
    buildFlownLeg('102 JFK 1600 LAX 1900'),
    buildFlownLeg('103 LHR 0900 JFK 1200'),
    buildFlownLeg('104 JFK 1700 LAX 2000', { 14: 'K' }),
  );
  const verdictOf = async (flights: string) => {
    const { connections } = await world.explain(flights);
    return connections.map(({ legal, forbiddenBy, verdicts }) => [legal, forbiddenBy, verdicts[0]?.text]);
  };
  expect(await verdictOf('XX 101 + XX 102')).toEqual([
    [
      false,
      'service',
      'Leg 1 is neither for passengers nor for cargo (service type P), leg 2 is a passenger flight (service type J): they have no traffic in common.',
    ],
  ]);
  expect((await verdictOf('XX 103 + XX 104')).map((verdict) => verdict.slice(0, 2))).toEqual([[false, 'service']]);
  const { data } = await world.search('DepartureAirport=LHR&DepartureDate=2026-06-02');
  expect(data.map(({ leg1, leg2 }) => [leg1.flightNumber, leg2.flightNumber])).toEqual([[103, 102]]);
});

test('a record of all marketing flights is an exception', async () => {
  const report = await importRecords({
    arrivalStation: 'JFK',
    departureStation: 'JFK',
    status: 'ID',
    minutes: 100,
    arrival: side({ isCodeshare: true }),
  });
  expect(report.accepted).toEqual({ header: 1, 'carrier exception': 1, trailer: 1 });
  await world.serveFlights(
    buildFlownLeg('101 LHR 1100 JFK 1400'),
    buildSegment(50, 'YY 0007 '),
    buildFlownLeg('102 JFK 1600 LAX 1900'),
  );
  const { data } = await world.search('DepartureAirport=LHR&DepartureDate=2026-06-02');
  expect(data.map(({ minimumConnectingTime }) => minimumConnectingTime)).toEqual([
    {
      minutes: 100,
      status: 'ID',
      source: 'Exception',
      record: { line: 2, arrivalStation: 'JFK', departureStation: 'JFK', arrival: { codeshare: true } },
    },
  ]);
});

test('a state of Argentina has one letter, left-justified; states that no airport has are reported', async () => {
  const argentina = { country: 'AR', zone: 'America/Argentina/Buenos_Aires' };
  await world.db.begin((sql) =>
    upsertLocations(sql, [
      buildStation('EZE', { ...argentina, city: 'BUE', at: [-34.82, -58.54], region: { code: 'AR-B', name: '' } }),
      buildStation('COR', { ...argentina, city: 'COR', at: [-31.32, -64.21], region: { code: 'AR-X', name: '' } }),
    ]),
  );
  const state = (stateCode: string) => side({ stateCode, countryCode: 'AR' });
  const ofEzeiza = { arrivalStation: 'EZE', departureStation: 'EZE', status: 'ID' } as const;
  const { entries } = await importRecords(
    { ...ofEzeiza, minutes: 100, departure: state('X') },
    { ...ofEzeiza, minutes: 110, departure: state('CD') },
  );
  expect(entries).toEqual([
    {
      severity: 'notice',
      line: 3,
      field: 'state',
      value: 'AR CD',
      reason: 'state-unknown',
      message: 'the state is not in the master data; 1 record contains it, this is the first',
    },
  ]);
  await world.serveFlights(
    buildFlownLeg('101 LHR 1100 EZE 2100', { 66: '-0300' }),
    buildFlownLeg('102 EZE 2240 COR 2355', { 48: '-0300', 66: '-0300' }),
  );
  const { data } = await world.search('DepartureAirport=LHR&DepartureDate=2026-06-02');
  expect(data.map(({ leg1, minimumConnectingTime: { minutes } }) => [leg1.connectionTime, minutes])).toEqual([
    [100, 100],
  ]);
});

test('data element 220 that cannot be read is ignored, and bytes 120 and 121 decide', async () => {
  await importRecords({});
  await world.serveFlights(
    buildFlownLeg('101 LHR 1100 JFK 1400', { 121: 'D' }),
    buildSegment(220, 'INTL'),
    buildFlownLeg('102 JFK 1440 LAX 1740'),
  );
  const { data } = await world.search('DepartureAirport=LHR&DepartureDate=2026-06-02');
  expect(data.map(({ leg1 }) => [leg1.mctStatus, leg1.connectionTime])).toEqual([['DD', 40]]);
});

test('an explanation says if a search returns the connection only with MaxConnectingTime', async () => {
  await world.serveFlights(
    buildFlownLeg('101 LHR 1100 JFK 1400'),
    buildFlownLeg('102 JFK 2000 LAX 2300'),
    buildFlownLeg('103 JFK 2001 LAX 2301'),
  );
  const explain = async (flights: string) => {
    const { connections } = await world.explain(flights);
    return connections.map(({ legal, verdicts }) => [legal, verdicts.at(-1)?.text, verdicts.at(-1)?.figures]);
  };
  const words = 'Leg 2 departs no more than 1440 minutes after leg 1 arrives.';
  const limits = { maximumMinutes: 1440, defaultMaximumMinutes: 360 };
  expect(await explain('XX 101 + XX 102')).toEqual([[true, words, { ...limits, actualMinutes: 360 }]]);
  expect(await explain('XX 101 + XX 103')).toEqual([
    [
      true,
      `${words} A search returns the connection only with MaxConnectingTime=361 or more; the default is 360.`,
      { ...limits, actualMinutes: 361 },
    ],
  ]);
  const search = async (query: string) =>
    (await world.search(`DepartureAirport=LHR&DepartureDate=2026-06-02${query}`)).data.map(
      ({ leg2 }) => leg2.flightNumber,
    );
  expect([await search(''), await search('&MaxConnectingTime=361')]).toEqual([[102], [102, 103]]);
});
