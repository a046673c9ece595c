import { describe, expect, test } from 'vitest';
import { parseStatusMessage } from '../../../src/feeds/status/read-message.ts';

const frame = {
  messageId: 'm-1',
  observedAt: '2027-03-01T12:00:00.250+01:00',
  flight: { carrier: 'ZZ', flightNumber: 117, originDate: '2027-03-01', departureAirport: 'LHR' },
};

const rejectionOf = (line: string | Buffer) => {
  const result = parseStatusMessage(line);
  return 'rejection' in result ? result.rejection : undefined;
};

describe('a message is rejected with the invalid member and its value', () => {
  const key = 'f0'.repeat(32);
  const flight = (members: object) => ({ flight: { ...frame.flight, ...members } });
  test.each<readonly [object, string, string, string, string]>([
    [{ gaet: 'B32' }, 'unknown-member', 'gaet', 'B32', 'gaet is no member of a status message.'],
    [
      { departure: { gaet: { a: 1 } } },
      'unknown-member',
      'departure.gaet',
      '{…}',
      'departure.gaet is no member of a status message.',
    ],
    [{ observedAt: undefined }, 'missing-member', 'observedAt', '', 'observedAt is required.'],
    [{ flight: undefined }, 'missing-member', 'flight', '', 'flight is required.'],
    [flight({ originDate: undefined }), 'missing-member', 'flight.originDate', '', 'flight.originDate is required.'],
    [
      { observedAt: '2027-03-01T10:00:00' },
      'bad-value',
      'observedAt',
      '2027-03-01T10:00:00',
      "observedAt must be a date and time with its offset from UTC like 2027-03-01T11:07:30+01:00, from 1950-01-01 to 2100-01-01, not '2027-03-01T10:00:00'.",
    ],
    [
      { observedAt: 1_803_895_200 },
      'bad-value',
      'observedAt',
      '1803895200',
      'observedAt must be a text, not 1803895200.',
    ],
    [
      flight({ flightNumber: '117' }),
      'bad-value',
      'flight.flightNumber',
      '117',
      "flight.flightNumber must be a whole number, not '117'.",
    ],
    [
      flight({ flightNumber: 1.5 }),
      'bad-value',
      'flight.flightNumber',
      '1.5',
      'flight.flightNumber must be a whole number, not 1.5.',
    ],
    [
      flight({ flightNumber: 10_000 }),
      'bad-value',
      'flight.flightNumber',
      '10000',
      'flight.flightNumber must be at most 9999, not 10000.',
    ],
    [
      flight({ originDate: '2027-02-29' }),
      'bad-value',
      'flight.originDate',
      '2027-02-29',
      "flight.originDate must be a date like 2027-03-01, from 1950-01-01 to 2100-01-01, not '2027-02-29'.",
    ],
    [
      flight({ statusKey: key }),
      'unknown-member',
      'flight.statusKey',
      key,
      'flight.statusKey is no member of a status message.',
    ],
    [
      { flight: { statusKey: 'f0', departureDate: '2027-03-01' } },
      'bad-value',
      'flight.statusKey',
      'f0',
      "flight.statusKey must be 64 hexadecimal digits, not 'f0'.",
    ],
    [
      { flight: 'ZZ117' },
      'bad-value',
      'flight',
      'ZZ117',
      'flight must name a flight by carrier and flightNumber, by statusKey or by scheduleInstanceKey.',
    ],
    [
      { flight: { departureDate: '2027-03-01' } },
      'bad-value',
      'flight',
      '{…}',
      'flight must name a flight by carrier and flightNumber, by statusKey or by scheduleInstanceKey.',
    ],
    [{ departure: null }, 'bad-value', 'departure', 'null', 'departure must be an object, not null.'],
    [
      { departure: { gate: 'x'.repeat(100) } },
      'bad-value',
      'departure.gate',
      `${'x'.repeat(79)}…`,
      `departure.gate must be 0 to 40 printable characters, not '${'x'.repeat(79)}…'.`,
    ],
    [
      { arrival: { baggage: 'a\nb' } },
      'bad-value',
      'arrival.baggage',
      'a\nb',
      "arrival.baggage must be 0 to 40 printable characters, not 'a\nb'.",
    ],
    [{ cancelled: 'yes' }, 'bad-value', 'cancelled', 'yes', "cancelled must be true or false, not 'yes'."],
    [{ returnedToGate: false }, 'bad-value', 'returnedToGate', 'false', 'returnedToGate must be true, not false.'],
    [
      { seats: { economyClass: -1 } },
      'bad-value',
      'seats.economyClass',
      '-1',
      'seats.economyClass must be at least 0, not -1.',
    ],
    [{ diversions: {} }, 'bad-value', 'diversions', '{…}', 'diversions must be a list, not an object.'],
    [
      { diversions: [{ number: 1 }, { airport: null }] },
      'bad-value',
      'diversions.1',
      '{…}',
      'diversions.1 must have a number or an airport to be known by.',
    ],
    [
      { diversions: [{ airport: 'bos' }, { airport: 'BOS' }] },
      'bad-value',
      'diversions',
      '[…]',
      'diversions must not list a diversion twice, by its number or its airport.',
    ],
    [
      { diversions: Array.from({ length: 10 }, (_, index) => ({ airport: `BO${index}` })) },
      'bad-value',
      'diversions',
      '[…]',
      'diversions must have at most 9 items.',
    ],
    [
      { diversions: [{ number: 1, type: 'Sideways' }] },
      'bad-value',
      'diversions.0.type',
      'Sideways',
      "diversions.0.type must be one of Undefined, Unplanned, InAirReturn, TechnicalStop, not 'Sideways'.",
    ],
    [
      { cancelled: 1, proposed: 2 },
      'bad-value',
      'cancelled',
      '1',
      'cancelled must be true or false, not 1. There is 1 more fault.',
    ],
    [
      { cancelled: 1, proposed: 2, seats: 3 },
      'bad-value',
      'seats',
      '3',
      'seats must be an object, not 3. There are 2 more faults.',
    ],
  ])('%j', (members, reason, field, value, message) => {
    expect(rejectionOf(JSON.stringify({ ...frame, ...members }))).toStrictEqual({
      reason,
      field,
      value,
      message,
      id: 'm-1',
    });
  });

  test.each([undefined, '', 5, 'a\u0000b', 'x'.repeat(201)])('without an id where that is invalid: %j', (messageId) => {
    const rejection = rejectionOf(JSON.stringify({ ...frame, messageId }));
    expect(rejection).toMatchObject({ field: 'messageId' });
    expect(rejection).not.toHaveProperty('id');
  });
});

describe('a line that is not a message is rejected', () => {
  const json = JSON.stringify(frame);
  test.each<readonly [string, string | Buffer, string, string]>([
    ['not-json', '{"messageId":', '{"messageId":', 'The line is not JSON: Unexpected end of JSON input.'],
    ['not-json', '', '', 'The line is not JSON: Unexpected end of JSON input.'],
    ['not-an-object', `[${json}]`, `${`[${json}]`.slice(0, 79)}…`, 'The line is JSON but not an object.'],
    ['not-an-object', 'null', 'null', 'The line is JSON but not an object.'],
    ['not-utf8', Buffer.from([0x7b, 0xff, 0x7d]), '{\uFFFD}', 'The line is not UTF-8.'],
    [
      'too-long',
      'x'.repeat(65_537),
      `${'x'.repeat(79)}…`,
      'The line has more than 65536 bytes, the most a message may have.',
    ],
  ])('%s', (reason, line, value, message) => {
    expect(rejectionOf(line)).toStrictEqual({ reason, field: '', value, message });
  });

  test('by its length in bytes, not in characters', () => {
    expect(rejectionOf('é'.repeat(32_769))?.reason).toBe('too-long');
    expect(rejectionOf(Buffer.from('é'.repeat(32_769)))?.reason).toBe('too-long');
  });

  test('at any depth of nesting', () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    expect(rejectionOf(`${json.slice(0, -1)},"x":${deep}}`)).toMatchObject({ reason: 'unknown-member', value: '[…]' });
    expect(rejectionOf(`${json.slice(0, -1)},"seats":${deep}}`)).toMatchObject({ reason: 'bad-value', field: 'seats' });
  });

  test('with members named like those of Object.prototype', () => {
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect(rejectionOf(`${json.slice(0, -1)},"${name}":{}}`), name).toMatchObject({
        reason: 'unknown-member',
        field: name,
      });
  });
});
