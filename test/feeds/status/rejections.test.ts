import { expect, test } from 'vitest';
import { parseStatusMessage } from '#feeds/status/read-message.ts';

const frame = {
  messageId: 'm-1',
  observedAt: '2027-03-01T12:00:00.250+01:00',
  flight: { carrier: 'ZZ', flightNumber: 117, originDate: '2027-03-01', departureAirport: 'LHR' },
};

const rejectionOf = (line: string | Buffer) => {
  const result = parseStatusMessage(line);
  return 'rejection' in result ? result.rejection : undefined;
};

const key = 'f0'.repeat(32);
const long = 'x'.repeat(79);
const flight = (members: object) => ({ flight: { ...frame.flight, ...members } });
const range = 'from 1950-01-01 to 2100-01-01';
const diversions = Array.from({ length: 10 }, (_, index) => ({ airport: `BO${index}` }));
const names = 'identify a flight by carrier and flightNumber, by statusKey or by scheduleInstanceKey';
const onlyOnce = 'not contain a diversion number or diversion airport twice';
const leap = '2027-02-29';
const time = '2027-03-01T11:00:00Z';
const [digits, printable] = ['be 64 hexadecimal digits', 'be 0 to 40 printable characters'];
const types = 'Undefined, Unplanned, InAirReturn, TechnicalStop';
const instant = `be a date and time with its offset from UTC like 2027-03-01T11:07:30+01:00, ${range}`;

test.each<readonly [object, string, string, string]>([
  [{ gaet: 'B32' }, 'unknown-member', 'gaet', 'B32'],
  [{ departure: { gaet: { a: 1 } } }, 'unknown-member', 'departure.gaet', '{…}'],
  [flight({ statusKey: key }), 'unknown-member', 'flight.statusKey', key],
  [{ observedAt: undefined }, 'missing-member', 'observedAt', ''],
  [{ flight: undefined }, 'missing-member', 'flight', ''],
  [flight({ originDate: undefined }), 'missing-member', 'flight.originDate', ''],
  [flight({ scheduledDeparture: time, departureAirport: undefined }), 'missing-member', 'flight.departureAirport', ''],
  [flight({ scheduledArrival: time }), 'missing-member', 'flight.arrivalAirport', ''],
  [flight({ scheduledDeparture: time, arrivalScheduled: time }), 'unknown-member', 'flight.arrivalScheduled', time],
])('a message is rejected with the invalid member and its value: %j is an %s', (members, reason, field, value) => {
  const message = `${field} is ${reason === 'missing-member' ? 'required' : 'not a member of a status message'}.`;
  const rejection = { id: 'm-1', reason, field, value, message };
  expect(rejectionOf(JSON.stringify({ ...frame, ...members }))).toStrictEqual(rejection);
});

test.each<readonly [object, string, string, string]>([
  [{ observedAt: '2027-03-01T10:00' }, 'observedAt', '2027-03-01T10:00', `${instant}, not '2027-03-01T10:00'`],
  [{ observedAt: 1_803_895_200 }, 'observedAt', '1803895200', 'be a text, not 1803895200'],
  [flight({ flightNumber: '117' }), 'flight.flightNumber', '117', "be a whole number, not '117'"],
  [flight({ flightNumber: 1.5 }), 'flight.flightNumber', '1.5', 'be a whole number, not 1.5'],
  [flight({ flightNumber: 10_000 }), 'flight.flightNumber', '10000', 'be at most 9999, not 10000'],
  [flight({ originDate: leap }), 'flight.originDate', leap, `be a date like 2027-03-01, ${range}, not '${leap}'`],
  [{ flight: { statusKey: 'f0', departureDate: '2027-03-01' } }, 'flight.statusKey', 'f0', `${digits}, not 'f0'`],
  [flight({ scheduledDeparture: leap }), 'flight.scheduledDeparture', leap, `${instant}, not '${leap}'`],
  [
    flight({ scheduledDeparture: time, scheduledArrival: time }),
    'flight',
    '{…}',
    'have the arrivalAirport of its scheduledArrival',
  ],
  [{ flight: 'ZZ117' }, 'flight', 'ZZ117', names],
  [{ flight: { departureDate: '2027-03-01' } }, 'flight', '{…}', names],
  [{ departure: null }, 'departure', 'null', 'be an object, not null'],
  [{ departure: { gate: 'x'.repeat(100) } }, 'departure.gate', `${long}…`, `${printable}, not '${long}…'`],
  [{ arrival: { gate: 'A\u202e21' } }, 'arrival.gate', 'A\u202e21', `${printable}, not 'A\u202e21'`],
  [{ arrival: { stand: 'A\u200b1' } }, 'arrival.stand', 'A\u200b1', `${printable}, not 'A\u200b1'`],
  [{ arrival: { baggage: 'a\nb' } }, 'arrival.baggage', 'a\nb', "be 0 to 40 printable characters, not 'a\nb'"],
  [{ cancelled: 'yes' }, 'cancelled', 'yes', "be true or false, not 'yes'"],
  [{ returnedToGate: false }, 'returnedToGate', 'false', 'be true, not false'],
  [{ seats: { economyClass: -1 } }, 'seats.economyClass', '-1', 'be at least 0, not -1'],
  [{ diversions: {} }, 'diversions', '{…}', 'be a list, not an object'],
  [{ diversions: [{ number: 1 }, {}] }, 'diversions.1', '{…}', 'have a number or an airport'],
  [{ diversions: [{ airport: null }] }, 'diversions.0', '{…}', 'have a number or an airport'],
  [{ diversions: [{ airport: 'bos' }, { airport: 'BOS' }] }, 'diversions', '[…]', onlyOnce],
  [{ diversions }, 'diversions', '[…]', 'have at most 9 items'],
  [{ diversions: [{ number: 1, type: 'Up' }] }, 'diversions.0.type', 'Up', `be one of ${types}, not 'Up'`],
  [{ cancelled: 1, proposed: 2 }, 'cancelled', '1', 'be true or false, not 1. There is 1 more error: proposed'],
  [
    { cancelled: 1, proposed: 2, seats: 3 },
    'seats',
    '3',
    'be an object, not 3. There are 2 more errors: cancelled, proposed',
  ],
])('a message is rejected with the invalid member and its value: %j has a bad value', (members, field, value, rule) => {
  const rejection = { id: 'm-1', reason: 'bad-value', field, value, message: `${field} must ${rule}.` };
  expect(rejectionOf(JSON.stringify({ ...frame, ...members }))).toStrictEqual(rejection);
});

test.each([undefined, '', 5, 'a\u0000b', 'x'.repeat(201)])(
  'a message is rejected with the invalid member and its value without an id where that is invalid: %j',
  (messageId) => {
    const rejection = rejectionOf(JSON.stringify({ ...frame, messageId }));
    expect(rejection).toMatchObject({ field: 'messageId' });
    expect(rejection).not.toHaveProperty('id');
  },
);

const json = JSON.stringify(frame);
const notJson = 'The line is not JSON: Unexpected end of JSON input.';
const notAnObject = 'The line is JSON but not an object.';
const tooLong = 'The line exceeds the limit of 65536 bytes.';
test.each<readonly [string, string | Buffer, string, string]>([
  ['not-json', '{"messageId":', '{"messageId":', notJson],
  ['not-json', '', '', notJson],
  ['not-an-object', `[${json}]`, `${`[${json}]`.slice(0, 79)}…`, notAnObject],
  ['not-an-object', 'null', 'null', notAnObject],
  ['not-utf8', Buffer.from([0x7b, 0xff, 0x7d]), '{\uFFFD}', 'The line is not UTF-8.'],
  ['too-long', 'x'.repeat(65_537), `${long}…`, tooLong],
])('a line that is not a message is rejected: %s', (reason, line, value, message) => {
  expect(rejectionOf(line)).toStrictEqual({ reason, field: '', value, message });
});

test('a line that is not a message is rejected by its length in bytes, not in characters', () => {
  expect(rejectionOf('é'.repeat(32_769))?.reason).toBe('too-long');
  expect(rejectionOf(Buffer.from('é'.repeat(32_769)))?.reason).toBe('too-long');
});

const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
test.each([
  ['at any depth of nesting', 'x', deep, { reason: 'unknown-member', field: 'x', value: '[…]' }],
  ['at any depth of nesting', 'seats', deep, { reason: 'bad-value', field: 'seats' }],
  ['with a member of Object.prototype', '__proto__', '{}', { reason: 'unknown-member', field: '__proto__' }],
  ['with a member of Object.prototype', 'constructor', '{}', { reason: 'unknown-member', field: 'constructor' }],
  ['with a member of Object.prototype', 'toString', '{}', { reason: 'unknown-member', field: 'toString' }],
])('a line that is not a message is rejected: %s: %s', (_, name, value, rejection) => {
  expect(rejectionOf(`${json.slice(0, -1)},"${name}":${value}}`)).toMatchObject(rejection);
});
