import { expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { buildDocument, buildLeg, describeRemarks, identifier, readDocument } from './aidx-documents.ts';

const second = (time: string): number => Date.parse(`2027-03-01T${time}Z`) / 1000;
const minute = (time: string): number => second(time) / 60;

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
    ['CMI', 'CAL', '10:30:00'],
    ['constructor', 'ACT', '10:30:00'],
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
      'notice FlightLeg/LegData/OperationTime[constructor ACT] 2027-03-01T10:30:00Z: the status of a flight has no property for this event',
      'notice FlightLeg/LegData/OperationTime[TDN CAL] 2027-03-01T18:30:00Z: another time of this event takes precedence',
      'notice FlightLeg/LegData/OperationTime[CMI CAL] 2027-03-01T10:30:00Z: the status of a flight has no property for this event',
    ],
  });
});

test.each<[string, readonly (readonly [string, string, string])[], object, readonly string[]]>([
  ['opens', [['GTO', 'ACT', '10:10:00']], { boarding: { status: 'GateOpen', at: second('10:10:00') } }, []],
  [
    'is open, and estimates are not taken',
    [
      ['CHK', 'ACT', '08:00:00'],
      ['CHC', 'EST', '10:00:00'],
    ],
    { checkIn: { status: 'Open', at: second('08:00:00') } },
    ['[CHC EST] 2027-03-01T10:00:00Z: only actual times of this event are taken'],
  ],
  [
    'has the latest event, of two at the same time the last',
    [
      ['GCL', 'ACT', '10:41:00'],
      ['BEN', 'ACT', '10:41:00'],
      ['FCT', 'ACT', '10:30:00'],
    ],
    { boarding: { status: 'GateClosed', at: second('10:41:00') } },
    [
      '[BEN ACT] 2027-03-01T10:41:00Z: a later event takes precedence',
      '[FCT ACT] 2027-03-01T10:30:00Z: a later event takes precedence',
    ],
  ],
  [
    'opens again',
    [
      ['GCL', 'ACT', '10:41:00'],
      ['GTO', 'ACT', '10:45:00'],
    ],
    { boarding: { status: 'GateOpen', at: second('10:45:00') } },
    ['[GCL ACT] 2027-03-01T10:41:00Z: a later event takes precedence'],
  ],
])('check-in or the gate %s', async (_, times, facts, notes) => {
  const data = times.map(([event, kind, value]) => time(event, kind, value)).join('');
  const notTaken = notes.map((note) => `notice FlightLeg/LegData/OperationTime${note}`);
  expect(await readData(data)).toEqual({ facts, landings: [], notTaken });
});

test('boarding is withdrawn with all its events', async () => {
  const nil = '<OperationTime OperationQualifier="BST" TimeType="ACT" xsi:nil="true"/>';
  expect((await readData(nil)).facts).toEqual({ boarding: null });
  expect((await readData(nil + time('GTO', 'ACT', '10:10:00'))).facts).toEqual({
    boarding: { status: 'GateOpen', at: second('10:10:00') },
  });
});

const indexed = (qualifier: string, type: string, value: string, index = 2): string =>
  `<OperationTime OperationQualifier="${qualifier}" RepeatIndex="${index}" TimeType="${type}">${value}</OperationTime>`;

test.each<[string, string, string, object]>([
  ['OFB', 'ACT', '2027-03-01T25:00:00Z', {}],
  ['OFB', 'EST', '2027-03-01T11:00:00', {}],
  ['OFB', 'SCT', '2027-02-30T11:00:00Z', {}],
  ['BST', 'ACT', 'soon', { boarding: { status: 'GateOpen', at: second('10:10:00') } }],
])('a wrong time %s %s is left out and reported with its path: %s', async (qualifier, type, value, facts) => {
  const data = indexed(qualifier, type, value) + time('GTO', 'ACT', '10:10:00') + time('TKO', 'ACT', '11:20:00');
  const [item] = await readDocument(buildDocument(buildLeg(data)));
  const field = `FlightLeg/LegData/OperationTime[${qualifier} ${type} RepeatIndex=2]`;
  const boarding = { status: 'GateOpen', at: second('10:10:00') };
  expect(item).toMatchObject({ message: { facts: { boarding, actualOff: second('11:20:00'), ...facts } } });
  expect(item && 'remarks' in item ? item.remarks : item).toEqual([
    {
      severity: 'corrected',
      line: 2,
      field,
      value,
      reason: 'bad-value',
      message: `${field} must be a date and time with its offset from UTC, not '${value}'.`,
    },
  ]);
});

test.each(['T24:00:00Z', 'T24:00:00.000Z', 'T24:00Z', 'T24:00:00+00:00'])('a day ends at %s', async (value) => {
  const { facts } = await readData(indexed('OFB', 'ACT', `2027-02-28${value}`));
  expect(facts).toEqual({ actualOut: second('00:00:00') });
});

const resource = (end: string, content: string, usage = 'Actual'): string =>
  `<AirportResources Usage="${usage}"><Resource DepartureOrArrival="${end}">${content}</Resource></AirportResources>`;

test('resources of both ends are taken: repeated ones are joined, and planned ones are apart', async () => {
  const departure = `<PublicTerminal>5</PublicTerminal><PublicTerminal>5</PublicTerminal><AircraftTerminal>6</AircraftTerminal>
    <AircraftParkingPosition Qualifier="Gate">332</AircraftParkingPosition>
    <PassengerGate RepeatIndex="1">B32</PassengerGate><PassengerGate RepeatIndex="2">B33</PassengerGate>
    <CheckInInfo><FirstPosition>12</FirstPosition><LastPosition>15</LastPosition></CheckInInfo>
    <CheckInInfo><FirstPosition>20</FirstPosition><LastPosition>20</LastPosition></CheckInInfo>`;
  const arrival =
    '<AircraftTerminal>8</AircraftTerminal><AircraftParkingPosition>7L</AircraftParkingPosition><PassengerGate>7</PassengerGate><BaggageClaimUnit>4</BaggageClaimUnit>';
  const planned = '<PassengerGate>A1</PassengerGate><PublicTerminal>5</PublicTerminal>';
  const data =
    resource('Departure', departure) + resource('Departure', planned, 'Planned') + resource('Arrival', arrival);
  expect(await readData(data)).toEqual({
    facts: {
      departureTerminal: '5',
      departureGate: 'B32/B33',
      departureStand: '332',
      checkInCounter: '12-15/20',
      arrivalTerminal: '8',
      arrivalGate: '7',
      arrivalStand: '7L',
      baggage: '4',
      plannedDepartureGate: 'A1',
      plannedDepartureTerminal: '5',
    },
    landings: [],
    notTaken: [
      'notice FlightLeg/LegData/AirportResources/Resource/AircraftParkingPosition@Qualifier Gate: the status of a flight has no property for it',
    ],
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

test.each<[string, string, object]>([
  [
    'the off-block and on-block times',
    time('OFB', 'SCT', '11:00:00') + time('ONB', 'SCT', '19:00:00'),
    { scheduledOut: minute('11:00'), scheduledIn: minute('19:00') },
  ],
  [
    'the take-off and touchdown times without these',
    time('TKO', 'SCT', '11:00:00') + time('TDN', 'SCT', '19:00:00'),
    { scheduledOut: minute('11:00'), scheduledIn: minute('19:00') },
  ],
  [
    'the off-block time before the take-off time',
    time('TKO', 'SCT', '11:10:00') + time('OFB', 'SCT', '11:00:00'),
    { scheduledOut: minute('11:00') },
  ],
  ['the arrival alone', time('ONB', 'SCT', '19:00:00'), { scheduledIn: minute('19:00') }],
])('scheduled times identify the flight: %s', async (_, data, scheduled) => {
  const read = async (head: string) => {
    const [item] = await readDocument(buildDocument(buildLeg(data, head)));
    return item && 'message' in item ? item.message.flight : item;
  };
  const flight = {
    by: 'designator',
    carrier: 'XX',
    flightNumber: 101,
    suffix: '',
    datedBy: 'utc',
    departureAirport: 'LHR',
    arrivalAirport: 'JFK',
    ...scheduled,
  };
  expect([
    await read(identifier),
    await read(identifier.replace('2027-03-01', '2000-01-01')),
    await read(identifier.replace(/<OriginDate>.*<.OriginDate>/, '')),
  ]).toEqual([
    { ...flight, originDate: localDate('2027-03-01') },
    { ...flight, originDate: undefined },
    { ...flight, originDate: undefined },
  ]);
});

test('a leg without a date needs a scheduled time', async () => {
  const [item] = await readDocument(buildDocument(buildLeg('', identifier.replace('2027-03-01', '2000-01-01'))));
  expect(item && 'entry' in item && item.entry).toMatchObject({
    severity: 'quarantined',
    field: 'flight.originDate',
    reason: 'missing-member',
  });
});

const status = (code: string): string =>
  `<OperationalStatus RepeatIndex="1" FlightLegScope="FlightLeg">${code}</OperationalStatus>`;
const toBoston =
  '<PlannedArrivalAptHistory>JFK</PlannedArrivalAptHistory><PlannedArrivalAptHistory>BOS</PlannedArrivalAptHistory>';
const indexedHistory =
  '<PlannedArrivalAptHistory RepeatIndex="10">BOS</PlannedArrivalAptHistory><PlannedArrivalAptHistory RepeatIndex="9">JFK</PlannedArrivalAptHistory>';
const divertedAt = { actualOn: second('18:17:00'), actualIn: undefined };

test.each([
  ['DX', '', { cancelled: true }, []],
  ['NOP', '', { cancelled: true }, []],
  ['SQ', '', { cancelled: false }, []],
  ['GRT', '', { actualOut: null, actualOff: null }, []],
  ['OP', '', {}, []],
  ['DV', '', {}, [{ id: '1' }]],
  ['DV', toBoston, {}, [{ id: '1', airport: 'BOS' }]],
  ['RT', toBoston, {}, [{ id: '1', airport: 'BOS' }]],
  ['DV', indexedHistory, {}, [{ id: '1', airport: 'BOS' }]],
  ['DV', toBoston + time('TDN', 'ACT', '18:17:00'), {}, [{ id: '1', airport: 'BOS', actualOn: divertedAt.actualOn }]],
])('operational status %s with %j', async (code, data, facts, landings) => {
  const read = await readData(status(code) + data);
  expect([read.facts, read.landings]).toEqual([facts, landings]);
});

test('a deleted leg is cancelled', async () => {
  const leg = `<FlightLeg>${identifier}<SpecialAction>Delete</SpecialAction></FlightLeg>`;
  expect(await readDocument(buildDocument(leg))).toMatchObject([{ message: { facts: { cancelled: true } } }]);
});

test.each([
  ['<SpecialAction>LockDown</SpecialAction>', true],
  ['<SpecialAction>DoNotDisplay</SpecialAction>', true],
  ['<SpecialAction xsi:nil="true"/>', null],
])('a leg with %s is hidden: %s', async (action, hidden) => {
  const leg = `<FlightLeg>${identifier}${action}</FlightLeg>`;
  expect(await readDocument(buildDocument(leg))).toMatchObject([{ message: { facts: { hidden } } }]);
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
      remarks: [
        {
          severity: 'corrected',
          field: 'FlightLeg/LegData/OperationTime[TKO ACT RepeatIndex=1]',
          reason: 'out-of-order',
          value: '2027-03-01T11:20:00Z',
        },
      ],
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
  const document = buildDocument(
    buildLeg('<Novelty a="1"><B/></Novelty><Novelty/>') + '<constructor/>',
    'Version="16.1"',
  );
  const items = await readDocument(document);
  expect(items.flatMap((item) => ('message' in item ? [item.message.observedAt] : []))).toEqual([
    Date.parse('2027-03-01T18:00:00Z'),
  ]);
  expect(describeRemarks(items)).toEqual([
    'notice @Version 16.1: the supported versions are 21.3 and 22.1',
    'notice @TimeStamp : the time of receipt is used as the time of the messages',
    'notice FlightLeg/LegData/Novelty : it is unknown; it appears 2 times',
    'notice constructor : it is unknown',
  ]);
});

const soap = 'http://schemas.xmlsoap.org/soap/envelope/';
const wrap = (body: string, namespace = soap): string =>
  `<s:Envelope xmlns:s="${namespace}"><s:Header><w:To xmlns:w="urn:w">x<w:B/></w:To></s:Header><s:Body>${body}</s:Body></s:Envelope>`;
const bare = buildDocument(buildLeg(time('OFB', 'ACT', '11:02:00'))).replace(/^<\?xml.*?\?>/, '');

test.each([soap, 'http://www.w3.org/2003/05/soap-envelope'])('a SOAP envelope is opened: %s', async (namespace) => {
  expect(await readDocument(wrap(bare, namespace))).toEqual(await readDocument(bare));
});

test.each([
  ['without a message', wrap(''), 'contains no message'],
  ['with two messages', wrap(bare + bare), 'has a limit of one message'],
  ['with a fault', wrap('<s:Fault/>'), 'must be IATA_AIDX_FlightLegNotifRQ'],
  ['of another namespace', wrap(bare, 'urn:other'), 'must be IATA_AIDX_FlightLegNotifRQ'],
])('a SOAP envelope %s is rejected', async (_, document, expected) => {
  await expect(readDocument(document)).rejects.toThrow(expected);
});
