import { expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { buildDocument, buildLeg, describeRemarks, identifier, readDocument } from './aidx-documents.ts';

const second = (time: string): number => Date.parse(`2027-03-01T${time}Z`) / 1000;

/** Returns facts and landings of a document of one leg, and what was not taken. */
const readData = async (data: string) => {
  const items = await readDocument(buildDocument(buildLeg(data)));
  const [message] = items.flatMap((item) => ('message' in item ? [item.message] : []));
  return { facts: message?.facts, landings: message?.landings, notTaken: describeRemarks(items) };
};

const time = (qualifier: string, type: string, value: string): string =>
  `<OperationTime OperationQualifier="${qualifier}" CodeContext="9750" RepeatIndex="1" TimeType="${type}">2027-03-01T${value}Z</OperationTime>`;

test('a leg is a status message about a flight of a UTC date, with an id that is the same for the same leg', async () => {
  const document = buildDocument(buildLeg(time('OFB', 'ACT', '11:02:00')));
  const [item] = await readDocument(document);
  expect(item).toEqual({
    line: 1,
    message: {
      id: expect.stringMatching(/^aidx:[0-9a-f]{64}$/),
      source: 'aidx',
      observedAt: Date.parse('2027-03-01T11:00:00Z'),
      flight: {
        by: 'designator',
        carrier: 'XX',
        flightNumber: 101,
        suffix: '',
        originDate: localDate('2027-03-01'),
        datedBy: 'utc',
        departureAirport: 'LHR',
        arrivalAirport: 'JFK',
      },
      facts: { actualOut: second('11:02:00') },
      landings: [],
      plan: undefined,
    },
    remarks: [],
  });
  expect(await readDocument(document)).toEqual([item]);
  const [later] = await readDocument(document.replace('T11:00:00Z', 'T11:00:01Z'));
  expect(later).not.toMatchObject({ message: { id: item && 'message' in item ? item.message.id : '' } });
});

test('times are taken by event and kind, an estimate before a calculated time', async () => {
  const times = [
    ['OFB', 'EST', '11:00:00'],
    ['OFB', 'ACT', '11:02:00'],
    ['TKO', 'ACT', '11:20:00'],
    ['TDN', 'CAL', '18:30:00'],
    ['TDN', 'EST', '18:40:00'],
    ['ONB', 'CAL', '18:52:00'],
    ['ONB', 'SCT', '19:00:00'],
    ['GTO', 'ACT', '10:30:00'],
  ] as const;
  expect(await readData(times.map(([event, kind, value]) => time(event, kind, value)).join(''))).toEqual({
    facts: {
      estimatedOut: second('11:00:00'),
      actualOut: second('11:02:00'),
      actualOff: second('11:20:00'),
      estimatedOn: second('18:40:00'),
      estimatedIn: second('18:52:00'),
    },
    landings: [],
    notTaken: [
      'notice FlightLeg/LegData/OperationTime[ONB SCT] 2027-03-01T19:00:00Z: scheduled times are those of the schedule',
      'notice FlightLeg/LegData/OperationTime[GTO ACT] 2027-03-01T10:30:00Z: the status of a flight has no property for this event',
      'notice FlightLeg/LegData/OperationTime[TDN CAL] 2027-03-01T18:30:00Z: another time of this event takes precedence',
    ],
  });
});

const resource = (end: string, content: string, usage = 'Actual'): string =>
  `<AirportResources Usage="${usage}"><Resource DepartureOrArrival="${end}">${content}</Resource></AirportResources>`;

test('resources of both ends are taken: repeated ones are joined, actual ones replace planned ones', async () => {
  const departure = `<PublicTerminal>5</PublicTerminal><PublicTerminal>5</PublicTerminal><AircraftTerminal>6</AircraftTerminal>
    <PassengerGate RepeatIndex="1">B32</PassengerGate><PassengerGate RepeatIndex="2">B33</PassengerGate>
    <CheckInInfo><FirstPosition>12</FirstPosition><LastPosition>15</LastPosition></CheckInInfo>
    <CheckInInfo><FirstPosition>20</FirstPosition><LastPosition>20</LastPosition></CheckInInfo>`;
  const arrival =
    '<AircraftTerminal>8</AircraftTerminal><PassengerGate>7</PassengerGate><BaggageClaimUnit>4</BaggageClaimUnit>';
  const planned = '<PassengerGate>A1</PassengerGate><PublicTerminal>5</PublicTerminal>';
  const data =
    resource('Departure', departure) + resource('Departure', planned, 'Planned') + resource('Arrival', arrival);
  expect(await readData(data)).toEqual({
    facts: {
      departureTerminal: '5',
      departureGate: 'B32/B33',
      checkInCounter: '12-15/20',
      arrivalTerminal: '8',
      arrivalGate: '7',
      baggage: '4',
    },
    landings: [],
    notTaken: [],
  });
});

test('xsi:nil withdraws a value; an empty element is not taken', async () => {
  const data =
    '<OperationTime OperationQualifier="OFB" TimeType="EST" xsi:nil="true"/>' +
    resource('Departure', '<PassengerGate xsi:nil="true"/><PublicTerminal/>') +
    '<AircraftInfo><Registration xsi:nil="1"/><AircraftType xsi:nil="true"/></AircraftInfo>';
  expect(await readData(data)).toEqual({
    facts: { estimatedOut: null, departureGate: null, registration: null, aircraftType: null },
    landings: [],
    notTaken: [
      'notice FlightLeg/LegData/AirportResources/Resource/PublicTerminal : it is empty; xsi:nil="true" withdraws a value',
    ],
  });
});

test('aircraft: the registration, and the type in both code systems', async () => {
  const info = `<AircraftInfo><AircraftType CodeContext="3">777</AircraftType><AircraftType>B77W</AircraftType><AircraftSubType>77W</AircraftSubType>
    <Registration>G-ZZAB</Registration></AircraftInfo>`;
  expect(await readData(info)).toEqual({
    facts: { registration: 'GZZAB', aircraftType: { iata: '77W', icao: 'B77W' } },
    landings: [],
    notTaken: ['notice FlightLeg/LegData/AircraftInfo/AircraftType 777: another type takes precedence'],
  });
});

const status = (code: string): string =>
  `<OperationalStatus RepeatIndex="1" FlightLegScope="FlightLeg">${code}</OperationalStatus>`;
const toBoston =
  '<PlannedArrivalAptHistory>JFK</PlannedArrivalAptHistory><PlannedArrivalAptHistory>BOS</PlannedArrivalAptHistory>';
const divertedAt = { actualOn: second('18:17:00'), actualIn: undefined };

test.each([
  ['DX', '', { cancelled: true }, []],
  ['SQ', '', { cancelled: false }, []],
  ['GRT', '', { actualOut: null, actualOff: null }, []],
  ['OP', '', {}, []],
  ['DV', '', {}, [{ id: '1' }]],
  ['DV', toBoston, {}, [{ id: '1', airport: 'BOS' }]],
  ['DV', toBoston + time('TDN', 'ACT', '18:17:00'), {}, [{ id: '1', airport: 'BOS', actualOn: divertedAt.actualOn }]],
])('operational status %s with %j', async (code, data, facts, landings) => {
  const read = await readData(status(code) + data);
  expect([read.facts, read.landings]).toEqual([facts, landings]);
});

test('a deleted leg is cancelled', async () => {
  const leg = `<FlightLeg>${identifier}<SpecialAction>Delete</SpecialAction></FlightLeg>`;
  expect(await readDocument(buildDocument(leg))).toMatchObject([{ message: { facts: { cancelled: true } } }]);
});

const withRepeat = (repeat: string): string => identifier.replace('</OriginDate>', `</OriginDate>${repeat}`);

test.each([
  ['<RepeatNumber CurrentInd="true">2</RepeatNumber>', 'stored'],
  ['<RepeatNumber CurrentInd="false">1</RepeatNumber>', 'replaced-leg'],
  ['<RepeatNumber CurrentInd="true" AirborneReturnNumber="1">2</RepeatNumber>', 'airborne-return'],
])('a leg with %s is %s', async (repeat, result) => {
  const [item] = await readDocument(buildDocument(buildLeg('', withRepeat(repeat))));
  expect(item && 'entry' in item ? item.entry.reason : 'stored').toBe(result);
});

test('an invalid leg is quarantined with line, member and value, and the others are read', async () => {
  const bad = buildLeg('', identifier.replace('0101', 'ABC'));
  const items = await readDocument(
    buildDocument(`${buildLeg('')}\n${bad}\n${buildLeg(time('OFB', 'ACT', '11:02:00'))}`),
  );
  expect(
    items.map((item) => ('message' in item ? [item.line, item.message.flight.by] : [item.line, item.entry])),
  ).toEqual([
    [1, 'designator'],
    [
      3,
      {
        severity: 'quarantined',
        line: 3,
        field: 'flight.flightNumber',
        value: 'ABC',
        reason: 'bad-value',
        message: "flight.flightNumber must be a whole number, not 'ABC'.",
      },
    ],
    [5, 'designator'],
  ]);
});

test('a leg of general aviation is quarantined', async () => {
  const items = await readDocument(buildDocument('<FlightLeg><GeneralAviationLegIdentifier/></FlightLeg>'));
  expect(items).toMatchObject([
    { entry: { severity: 'quarantined', reason: 'no-identifier' } },
    { entry: { reason: 'not-taken' } },
  ]);
});

test('a time out of order is left out, and the leg is stored', async () => {
  const data = time('OFB', 'ACT', '11:30:00') + time('TKO', 'ACT', '11:20:00');
  expect(await readDocument(buildDocument(buildLeg(data)))).toMatchObject([
    {
      message: { facts: { actualOut: second('11:30:00') } },
      remarks: [{ severity: 'corrected', field: 'departure.actual.off' }],
    },
  ]);
});

test('the legs of a response are read, and its errors quarantined', async () => {
  const toResponse = (content: string): string => buildDocument(content).replaceAll('FlightLegNotifRQ', 'FlightLegRS');
  expect(await readDocument(toResponse(`<Success/>${buildLeg(status('DX'))}`))).toMatchObject([
    { message: { facts: { cancelled: true } } },
    { entry: { field: 'Success', reason: 'not-taken' } },
    { entry: { field: 'FlightLeg/LegData/OperationalStatus@FlightLegScope', reason: 'not-taken' } },
  ]);
  expect(await readDocument(toResponse('<Errors><Error Code="1">no data</Error></Errors>'))).toMatchObject([
    { entry: { severity: 'quarantined', reason: 'sender-error', value: 'no data' } },
  ]);
});

test('another version and a missing time are reported, and unknown elements are counted', async () => {
  const document = buildDocument(buildLeg('<Novelty a="1"><B/></Novelty><Novelty/>'), 'Version="16.1"');
  const items = await readDocument(document);
  expect(items.flatMap((item) => ('message' in item ? [item.message.observedAt] : []))).toEqual([
    Date.parse('2027-03-01T18:00:00Z'),
  ]);
  expect(describeRemarks(items)).toEqual([
    'notice @Version 16.1: the supported versions are 21.3 and 22.1',
    'notice @TimeStamp : the time of receipt is used as the time of the messages',
    'notice FlightLeg/LegData/Novelty : it is unknown; it appears 2 times',
  ]);
});
