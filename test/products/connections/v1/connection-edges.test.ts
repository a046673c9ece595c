import { expect, test } from 'vitest';
import { buildFlownLeg } from '#test/jobs/connections/flown-leg.ts';
import { sharedService } from '#test/support/shared-service.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { formatMctFile, formatMctLine, formatPartnerLines, mct, side } from '#test/support/mct-lines.ts';
import {
  buildCarrier,
  buildCarrierFile,
  buildSegment,
  buildTrailer,
  buildWholeFile,
  header,
} from '#test/feeds/ssim/build-file.ts';
import { clearSchedules } from '#test/jobs/expand/schedule-events/stored-schedule.ts';
import { upsertCarriers } from '#store/master-data/carriers.ts';
import { upsertLocations } from '#store/master-data/locations.ts';
import { buildStation } from '#test/products/master-data/v1/master-data-service.ts';
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

/** A file of several carriers, each with its records. */
const fileOf = (...carriers: readonly (readonly [designator: string, ...records: readonly string[]])[]): string =>
  buildWholeFile(
    header,
    ...carriers.flatMap(([designator, ...records], index) => [
      buildCarrier({ 3: designator }),
      ...records,
      buildTrailer(index === carriers.length - 1 ? 'E' : 'C', designator),
    ]),
  );

const serveFile = async (text: string, build?: Parameters<typeof world.buildConnections>[0]): Promise<void> => {
  await clearSchedules(world.db);
  await world.importSchedule(text);
  await world.refresh();
  await world.buildConnections(build);
};

/** Flights of a carrier by its IATA or ICAO designator. */
const ofCarrier = (designator: string) => ({ 3: designator.padEnd(3) });

test('a carrier is the same whether its file uses the IATA or the ICAO designator', async () => {
  const ofXX = side({ carrier: 'XX' });
  await world.importTimes(
    formatMctFile(
      formatMctLine(mct({ arrivalStation: 'JFK', departureStation: 'JFK', status: 'ID', minutes: 95, arrival: ofXX })),
      ...formatPartnerLines({ carrier: 'XX', partners: ['WW'] }),
    ),
  );
  const byIcao = ofCarrier('XXA');
  await serveFile(
    fileOf(
      ['XX', buildFlownLeg('101 LHR 1100 JFK 1400'), buildFlownLeg('102 JFK 1600 LAX 1900')],
      ['XXA', buildFlownLeg('103 LHR 1000 JFK 1300', byIcao), buildFlownLeg('104 JFK 1700 LAX 2000', byIcao)],
    ),
  );
  const found = async (query: string) =>
    (await world.search(`DepartureAirport=LHR&DepartureDate=2026-06-02&${query}`)).data.map(
      ({ leg1, leg2, ConnectionType, minimumConnectingTime: { minutes } }) =>
        `${leg1.carrierCode.iata}/${leg1.carrierCode.icao} ${leg1.flightNumber} + ${leg2.flightNumber} ${ConnectionType} ${minutes}`,
    );
  const all = ['103 + 102', '103 + 104', '101 + 102', '101 + 104'].map((pair) => `XX/XXA ${pair} o 95`);
  expect(await found('')).toEqual(all);
  expect(await found('Leg1CarrierCode=XX')).toEqual(all);
  expect(await found('Leg1CarrierCode=xxa&Leg2CarrierCode=XX,YYB')).toEqual(all);
  const { legal, connections } = await world.explain('XXA 103 + XX 102');
  expect([legal, connections[0]?.leg1.flightNumber]).toEqual([true, 103]);
});

test('a carrier without an IATA code is found by its ICAO code', async () => {
  const byIcao = ofCarrier('QQQ');
  await importRecords({});
  await serveFile(
    fileOf(['QQQ', buildFlownLeg('101 LHR 1100 JFK 1400', byIcao), buildFlownLeg('102 JFK 1600 LAX 1900', byIcao)]),
  );
  const { data } = await world.search('DepartureAirport=LHR&Leg1CarrierCode=QQQ&Leg2CarrierCode=qqq');
  expect(data.map(({ leg1 }) => [leg1.carrierCode, leg1.flightNumber])).toEqual([[{ icao: 'QQQ' }, 101]]);
  expect((await world.explain('QQQ 101 + QQQ 102')).legal).toBe(true);
});

test('two carriers with one IATA code remain two carriers', async () => {
  await upsertCarriers(world.db, [{ iata: 'XX', icao: 'XXD', name: 'Controlled duplicate', rank: 2 }]);
  const duplicate = ofCarrier('XXD');
  await serveFile(
    fileOf(['XX', buildFlownLeg('101 LHR 1100 JFK 1400')], ['XXD', buildFlownLeg('102 JFK 1600 LAX 1900', duplicate)]),
  );
  const { data } = await world.search('DepartureAirport=LHR&DepartureDate=2026-06-02');
  expect(data.map(({ ConnectionType, leg2 }) => [ConnectionType, leg2.carrierCode.icao])).toEqual([['n', 'XXD']]);
  await world.db`delete from itinerary`;
});

test('codeshares of any date make a connection interline, whatever the dates of the set are', async () => {
  const july = { 15: '01JUL26', 22: '31JUL26' };
  await serveFile(
    fileOf(
      ['XX', buildFlownLeg('101 LHR 1100 JFK 1400'), buildFlownLeg('103 LHR 1100 CDG 1300', july)],
      ['YY', buildFlownLeg('102 JFK 1600 LAX 1900', ofCarrier('YY'))],
      ['WW', buildFlownLeg('104 LHR 1100 CDG 1300', { ...ofCarrier('WW'), ...july, 129: 'YY', 149: 'L' })],
    ),
  );
  const types = async () =>
    (await world.search('DepartureAirport=LHR&DepartureDate=2026-06-02')).data.map(
      ({ ConnectionType }) => ConnectionType,
    );
  expect(await types()).toEqual(['n']);
  const sold = buildSegment(10, 'YY 7103 ', { 6: '0103', 34: 'LHRCDG' });
  await serveFile(
    fileOf(
      ['XX', buildFlownLeg('101 LHR 1100 JFK 1400'), buildFlownLeg('103 LHR 1100 CDG 1300', july), sold],
      ['YY', buildFlownLeg('102 JFK 1600 LAX 1900', ofCarrier('YY'))],
    ),
    { days: 5 },
  );
  expect(await types()).toEqual(['i']);
});

test('the operator in byte 149 and element 127 counts for minimum connecting times and partners', async () => {
  const operated = { arrivalStation: 'JFK', departureStation: 'JFK', status: 'ID', minutes: 100 } as const;
  await world.importTimes(
    formatMctFile(
      formatMctLine(mct({ ...operated, arrival: side({ carrier: 'YY' }) })),
      formatMctLine(
        mct({ ...operated, minutes: 110, arrival: side({ carrier: 'YY', flights: { from: 0, to: 9999 } }) }),
      ),
      ...formatPartnerLines({ carrier: 'YY', partners: ['XX'] }),
      ...formatPartnerLines({ carrier: 'WW', partners: ['XX'] }),
    ),
  );
  const onward = buildFlownLeg('102 JFK 1600 LAX 1900');
  const minutesBy = async (...records: readonly string[]) => {
    await world.serveFlights(...records, onward);
    const { data } = await world.search('DepartureAirport=LHR&DepartureDate=2026-06-02');
    return data.map(({ minimumConnectingTime: { minutes } }) => minutes);
  };
  const leg = (disclosure: string, owner = ''): string =>
    buildFlownLeg('101 LHR 1100 JFK 1400', { 149: disclosure, 129: owner });
  // Of the operating flight the number is not known, so that no range contains it.
  expect(await minutesBy(leg('L', 'YY'))).toEqual([100]);
  expect(await minutesBy(leg('Z'), buildSegment(127, 'YY /YOUNG YONDER'))).toEqual([100]);
  expect(await minutesBy(leg('L', 'YY'), buildSegment(50, 'YY 0007 '))).toEqual([110]);
  // A wet lease is a flight of its own carrier.
  expect(await minutesBy(leg('S', 'YY'))).toEqual([90]);
  const partners = async (...records: readonly string[]) => {
    await world.serveFlights(...records, buildFlownLeg('102 JFK 1600 LAX 1900', { 129: 'WW', 149: 'L' }));
    const { connections } = await world.explain('XX 101 + XX 102');
    return connections.map(({ forbiddenBy }) => forbiddenBy);
  };
  expect(await partners(leg('L', 'YY'))).toEqual(['partners']);
  expect(await partners(leg(''))).toEqual([undefined]);
});

const asm = (number: number, ...lines: readonly string[]): string =>
  `ASM\nLT\n01JUN0000${number}E001\n${lines.join('\n')}\n\n`;

/** Returns the flights and dates of the connections that a search finds, e.g. `101 102 2026-06-01 2026-06-30 2026-06-05`. */
const listDates = async (query: string): Promise<readonly string[]> =>
  (await world.search(query)).data.map(({ leg1, leg2, effectivePeriod: { startDate, endDate }, exceptDates }) =>
    [leg1.flightNumber, leg2.flightNumber, startDate, endDate, ...exceptDates].join(' '),
  );

test('a flight that an ASM cancels for a date is no connection of that date, until it is reinstated', async () => {
  await importRecords({});
  await world.serveFlights(
    buildFlownLeg('101 LHR 1100 JFK 1400'),
    buildFlownLeg('102 JFK 1600 LAX 1900'),
    // The second leg departs on the day after the first.
    buildFlownLeg('201 SYD 2100 SIN 0300', { 48: '+1000', 66: '+0800', 194: '1' }),
    buildFlownLeg('201 SIN 0430 LHR 1000', { 12: '02', 15: '02JUN26', 22: '01JUL26', 48: '+0800', 193: '11' }),
  );
  const toLax = () => listDates('DepartureAirport=LHR&ArrivalAirport=LAX');
  const viaLondon = () => listDates('ViaPoint=LHR');
  const whole = '2026-06-01 2026-06-30';
  expect(await toLax()).toEqual([`101 102 ${whole}`]);
  const { entries } = await world.importMessages(
    `${asm(1, 'CNL', 'XX102/03JUN')}${asm(2, 'CNL', 'XX101/05JUN')}${asm(3, 'CNL', 'XX201/10JUN')}`,
  );
  expect(entries).toEqual([]);
  await world.buildConnections();
  expect(await toLax()).toEqual([`101 102 ${whole} 2026-06-03 2026-06-05`]);
  // 201 leaves Sydney on 10 June and Singapore on 11 June; 101 does not leave London on 5 June.
  expect(await viaLondon()).toEqual([
    '201 101 2026-06-02 2026-06-30 2026-06-05 2026-06-11',
    '201 101 2026-06-01 2026-06-29 2026-06-04 2026-06-10',
  ]);
  const get = async (flights: string, date: string): Promise<number> => {
    const [one = '', other = ''] = flights.split(' + ');
    const query = `Leg1CarrierCode=XX&Leg1FlightNumber=${one}&Leg2CarrierCode=XX&Leg2FlightNumber=${other}`;
    return (await world.get(`/flight-connections/explain?${query}&DepartureDate=${date}`)).status;
  };
  expect([await get('101 + 102', '2026-06-05'), await get('101 + 102', '2026-06-04')]).toEqual([404, 200]);
  const { legal, connections } = await world.explain('XX 101 + XX 102', '2026-06-03');
  expect([legal, connections[0]?.leg2.departureDate]).toEqual([false, '2026-06-04']);
  await world.importMessages(asm(4, 'RIN', 'XX101/05JUN'));
  await world.buildConnections();
  expect(await toLax()).toEqual([`101 102 ${whole} 2026-06-03`]);
});

test('an ASM that cancels one leg of a flight leaves the connections of its other leg', async () => {
  await importRecords({});
  await world.serveFlights(
    buildFlownLeg('101 LHR 1100 JFK 1400'),
    buildFlownLeg('301 SIN 0500 CDG 1130', { 15: '02JUN26', 22: '01JUL26', 48: '+0800' }),
    // The second leg departs on the day after the first.
    buildFlownLeg('201 SYD 2100 SIN 0300', { 48: '+1000', 66: '+0800', 194: '1' }),
    buildFlownLeg('201 SIN 0430 LHR 1000', { 12: '02', 15: '02JUN26', 22: '01JUL26', 48: '+0800', 193: '11' }),
  );
  const listAll = async () => ({
    firstLeg: await listDates('DepartureAirport=SYD&ViaPoint=SIN'),
    secondLeg: await listDates('DepartureAirport=SIN&ViaPoint=LHR'),
    bothLegs: await listDates('DepartureAirport=SYD&ViaPoint=LHR'),
  });
  const [fromSydney, fromSingapore] = ['2026-06-01 2026-06-30', '2026-06-02 2026-06-30'];
  // 101 ends on 30 June, so 201 connects with it until it leaves Sydney on 29 June.
  const untilLondon = '2026-06-01 2026-06-29';
  expect(await listAll()).toEqual({
    firstLeg: [`201 301 ${fromSydney}`],
    secondLeg: [`201 101 ${fromSingapore}`],
    bothLegs: [`201 101 ${untilLondon}`],
  });
  const { entries } = await world.importMessages(
    `${asm(1, 'CNL', 'XX201/10JUN SYD/SIN')}${asm(2, 'CNL', 'XX201/12JUN SIN/LHR')}`,
  );
  expect(entries).toEqual([]);
  await world.buildConnections();
  expect(await listAll()).toEqual({
    firstLeg: [`201 301 ${fromSydney} 2026-06-10`],
    secondLeg: [`201 101 ${fromSingapore} 2026-06-13`],
    bothLegs: [`201 101 ${untilLondon} 2026-06-10 2026-06-12`],
  });
  await world.importMessages(asm(3, 'RIN', 'XX201/10JUN SYD/SIN'));
  await world.buildConnections();
  expect(await listAll()).toEqual({
    firstLeg: [`201 301 ${fromSydney}`],
    secondLeg: [`201 101 ${fromSingapore} 2026-06-13`],
    bothLegs: [`201 101 ${untilLondon} 2026-06-12`],
  });
});

test('a cancellation that is older than the schedule file that is loaded after it has no effect', async () => {
  await importRecords({});
  await clearSchedules(world.db);
  const importFile = async (createdOn: string): Promise<void> => {
    const legs = [buildFlownLeg('101 LHR 1100 JFK 1400'), buildFlownLeg('102 JFK 1600 LAX 1900')];
    await world.importSchedule(buildCarrierFile({ 29: createdOn }, ...legs));
    await world.buildConnections();
  };
  const toLax = () => listDates('DepartureAirport=LHR&ArrivalAirport=LAX');
  await importFile('15MAY26');
  const older = asm(1, 'CNL', 'XX101/05JUN').replace('01JUN', '20MAY');
  const { entries } = await world.importMessages(`${older}${asm(2, 'CNL', 'XX102/03JUN')}`);
  expect(entries).toEqual([]);
  await world.buildConnections();
  expect(await toLax()).toEqual(['101 102 2026-06-01 2026-06-30 2026-06-03 2026-06-05']);
  await importFile('25MAY26');
  expect(await toLax()).toEqual(['101 102 2026-06-01 2026-06-30 2026-06-03']);
});
