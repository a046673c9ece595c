import { z } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import { formatIssue, groupIssuesByParameter } from '#http/handler/issue-messages.ts';
import { createQuerySchema } from '#http/handler/query.ts';

const schema = createQuerySchema(
  z.object({
    DepartureDate: z.iso.date().optional(),
    Airport: z
      .array(z.string().regex(/^[A-Z]{3}$/))
      .max(3)
      .optional(),
    CodeType: z.array(z.enum(['IATA', 'ICAO', 'FAA'])).default(['IATA']),
    Codeshare: z.enum(['Operating', 'Marketing']).optional(),
    FlightNumber: z.int().min(1).max(9999).optional(),
    Ratio: z.number().lt(1).optional(),
    IncludeDiverted: z.boolean().default(false),
    Tag: z.array(z.string().max(4)).optional(),
    Registration: z.string().min(2).max(4).optional(),
    Service: z.enum(['K', 'S']).optional(),
    Even: z
      .int()
      .refine((value) => value % 2 === 0, 'must be even, as wings are')
      .optional(),
    version: z.string().optional(),
  }),
  {
    DepartureDate: { type: 'string' },
    Airport: { type: 'string', array: 'csv' },
    CodeType: { type: 'string', array: 'csv', enum: ['IATA', 'ICAO', 'FAA'] },
    Codeshare: { type: 'string', enum: ['Operating', 'Marketing'] },
    FlightNumber: { type: 'integer' },
    Ratio: { type: 'number' },
    IncludeDiverted: { type: 'boolean' },
    Tag: { type: 'string', array: 'repeat' },
    Registration: { type: 'string' },
    Service: { type: 'string', enum: ['K', 'S'] },
    Even: { type: 'integer' },
    version: { type: 'string' },
  },
);

const defaults = { CodeType: ['IATA'], IncludeDiverted: false };

const read = (raw: unknown): unknown => {
  const result = schema.safeParse(raw, { error: formatIssue });
  return result.success ? result.data : groupIssuesByParameter(result.error.issues);
};

test.each([
  ['with names in any letter case', { flightnumber: '12', TAG: 'x' }, { FlightNumber: 12, Tag: ['x'] }],
  ['with a value in any letter case', { codeshare: 'OPERATING' }, { Codeshare: 'Operating' }],
  ['with items in any letter case', { CodeType: 'iata,Icao,fAA' }, { CodeType: ['IATA', 'ICAO', 'FAA'] }],
  ['without parameters it does not know', { FlightIdentities: 'x', constructor: 'x', toString: 'x', shape: 'x' }, {}],
  [
    'with blanks as absence',
    { FlightNumber: '', Airport: ' ', CodeType: ['', '  '], Codeshare: ' ', IncludeDiverted: '' },
    {},
  ],
  ['with lists without blanks and duplicates', { Airport: ' LHR,,JFK , LHR' }, { Airport: ['LHR', 'JFK'] }],
  ['with brackets of a list', { 'Airport[]': ['LHR', 'SYD'] }, { Airport: ['LHR', 'SYD'] }],
  ['with numbered brackets', { 'airport[0]': 'LHR', 'airport[1]': 'SYD' }, { Airport: ['LHR', 'SYD'] }],
  ['with brackets of a single value', { 'FlightNumber[]': '12' }, { FlightNumber: 12 }],
  ['with duplicates in different spelling as one', { CodeType: 'iata,IATA' }, { CodeType: ['IATA'] }],
  ['with lists as one', { Airport: ['LHR,JFK', 'CDG'], airport: 'LHR' }, { Airport: ['LHR', 'JFK', 'CDG'] }],
  ['with a repeated list whose items keep their commas', { Tag: ['a,b', 'c'], tag: 'c' }, { Tag: ['a,b', 'c'] }],
  ['with leading zeros and a plus', { FlightNumber: '0476', Ratio: '+0.5' }, { FlightNumber: 476, Ratio: 0.5 }],
  ['with one number given twice', { FlightNumber: ['12', '012'] }, { FlightNumber: 12 }],
  ['with one value given twice', { Codeshare: ['marketing', 'Marketing'] }, { Codeshare: 'Marketing' }],
  ['with a value given once and once blank', { FlightNumber: ['', '12'] }, { FlightNumber: 12 }],
  ['with a version that is not limited to one', { VERSION: 'v1' }, { version: 'v1' }],
  ['with booleans in any letter case', { IncludeDiverted: 'TRUE' }, { IncludeDiverted: true }],
])('parses a query %s', (_behaviour, raw, expected) => {
  expect(read(raw)).toEqual({ ...defaults, ...expected });
});

test('parses a query with names of Object.prototype', () => {
  expect(read(JSON.parse('{"__proto__":"x","FlightNumber":"7"}'))).toEqual({ ...defaults, FlightNumber: 7 });
});

test.each([
  [{ FlightNumber: 'abc' }, { FlightNumber: ["must be a number, not 'abc'"] }],
  [{ FlightNumber: '1.5' }, { FlightNumber: ['must be a whole number, not 1.5'] }],
  [{ FlightNumber: '1e3' }, { FlightNumber: ["must be a number, not '1e3'"] }],
  [{ flightnumber: '0' }, { FlightNumber: ['must be at least 1, not 0'] }],
  [{ FlightNumber: '10000' }, { FlightNumber: ['must be at most 9999, not 10000'] }],
  [{ Ratio: '-.5' }, { Ratio: ["must be a number, not '-.5'"] }],
  [{ Ratio: '1' }, { Ratio: ['must be less than 1, not 1'] }],
  [{ IncludeDiverted: 'yes' }, { IncludeDiverted: ["must be true or false, not 'yes'"] }],
  [{ CodeType: 'IATA,XX' }, { CodeType: ["must be one of IATA, ICAO, FAA, not 'XX'"] }],
  [{ Service: '\u{212A}' }, { Service: ["must be one of K, S, not '\u{212A}'"] }],
  [{ codeshare: 'operatin' }, { Codeshare: ["must be one of Operating, Marketing, not 'operatin'"] }],
  [
    { Airport: 'LHR,x1,jfk' },
    { Airport: ["does not have the form /^[A-Z]{3}$/: 'x1'", "does not have the form /^[A-Z]{3}$/: 'jfk'"] },
  ],
  [{ Airport: 'LHR,JFK,CDG,AMS' }, { Airport: ['must have at most 3 items, not 4'] }],
  [{ Registration: 'x' }, { Registration: ['must have at least 2 characters, not 1'] }],
  [{ Registration: 'x'.repeat(100) }, { Registration: ['must have at most 4 characters, not 100'] }],
  [{ DepartureDate: '2026-02-30' }, { DepartureDate: ["must be a date like 2026-01-31, not '2026-02-30'"] }],
  [{ Tag: ['a,b,c', 'd,e,f'] }, { Tag: ['must have at most 4 characters, not 5'] }],
  [{ DepartureDate: '9'.repeat(64) }, { DepartureDate: [`must be a date like 2026-01-31, not '${'9'.repeat(64)}'`] }],
  [{ DepartureDate: '9'.repeat(100) }, { DepartureDate: [`must be a date like 2026-01-31, not '${'9'.repeat(64)}…'`] }],
  [{ Airport: ',' }, { Airport: ["must have at least 1 item, not ','"] }],
  [
    { 'airport[]': ['LHR', ' , ,'], CodeType: ',' },
    { Airport: ["must have at least 1 item, not ' , ,'"], CodeType: ["must have at least 1 item, not ','"] },
  ],
  [{ Airport: ','.repeat(100) }, { Airport: [`must have at least 1 item, not '${','.repeat(64)}'`] }],
  [{ Even: '3' }, { Even: ['must be even, as wings are'] }],
  [{ FlightNumber: ['12', '13'] }, { FlightNumber: ["accepts one value, not 2 different ones: '12', '13'"] }],
  [
    { Codeshare: 'Operating', codeshare: 'marketing' },
    { Codeshare: ["accepts one value, not 2 different ones: 'Operating', 'Marketing'"] },
  ],
])('rejects %o: %o', (raw, errors) => {
  expect(read(raw)).toEqual(errors);
});

test('rejects a query with repeated values first', () => {
  expect(read({ FlightNumber: ['12', '13', '14', '15'], Ratio: '9', Codeshare: ['x', 'y'] })).toEqual({
    FlightNumber: ["accepts one value, not 4 different ones: '12', '13', '14'"],
    Codeshare: ["accepts one value, not 2 different ones: 'x', 'y'"],
  });
});

test.each([['99999999999999999999'], ['-99999999999999999999'], ['9'.repeat(400)]])(
  'rejects a number that is out of range: %s',
  (text) => {
    expect(read({ FlightNumber: text })).toEqual({ FlightNumber: expect.any(Array) });
  },
);

test('rejects a query with few messages, however many items are invalid', () => {
  const items = Array.from({ length: 3000 }, (_, index) => `x${index}`).join(',');
  expect(read({ CodeType: items })).toEqual({
    CodeType: [...[0, 1, 2, 3, 4].map((index) => `must be one of IATA, ICAO, FAA, not 'x${index}'`), 'and 2995 more'],
  });
});

test('reports a blank required parameter as required', () => {
  const required = createQuerySchema(z.object({ Day: z.iso.date(), Kind: z.enum(['a', 'b']) }), {
    Day: { type: 'string' },
    Kind: { type: 'string', enum: ['a', 'b'] },
  });
  const result = required.safeParse({ Day: '' }, { error: formatIssue });
  expect(groupIssuesByParameter(result.error?.issues ?? [])).toEqual({ Day: ['is required'], Kind: ['is required'] });
});

test('names the expected format of a text', () => {
  const formats = { date: z.iso.date(), datetime: z.iso.datetime(), time: z.iso.time(), mail: z.email() };
  const schema = z.object({ ...formats, url: z.url(), id: z.uuid() });
  const result = schema.safeParse(Object.fromEntries(Object.keys(schema.shape).map((name) => [name, 'x'])), {
    error: formatIssue,
  });
  expect(groupIssuesByParameter(result.error?.issues ?? [])).toEqual({
    date: ["must be a date like 2026-01-31, not 'x'"],
    datetime: ["must be a date and time like 2026-01-31T09:30:00Z, not 'x'"],
    time: ["must be a time like 09:30:00, not 'x'"],
    mail: ["must be an e-mail address, not 'x'"],
    url: ["must be an absolute URL, not 'x'"],
    id: ["must be a UUID, not 'x'"],
  });
});

test.each([
  [{}, 'an object'],
  [[1], 'a list'],
  [null, 'null'],
  ['x', "'x'"],
])('lists the values of a parameter that has these or a number, and calls %j %s', (at, name) => {
  const schema = z.object({ at: z.union([z.int(), z.enum(['IATA', 'ICAO'])]) });
  const result = schema.safeParse({ at }, { error: formatIssue });
  const errors = groupIssuesByParameter(result.error?.issues ?? []);
  expect(errors).toEqual({ at: [`must be one of IATA, ICAO, not ${name}`] });
});

test('reports a rule about several parameters under the empty name', () => {
  const ruled = z.object({ a: z.string().optional() }).refine(() => false, 'give a or b');
  const result = ruled.safeParse({}, { error: formatIssue });
  expect(groupIssuesByParameter(result.error?.issues ?? [])).toEqual({ '': ['give a or b'] });
});

test('a query that is sent again has the same result, which no request can change', async () => {
  const parse = async () => (await schema.safeParseAsync({ Airport: 'LHR,JFK' })).data;
  const parsed = await parse();
  expect(parsed).toEqual({ ...defaults, Airport: ['LHR', 'JFK'] });
  expect(await parse()).toBe(parsed);
  expect(() => parsed?.Airport?.push('CDG')).toThrow(TypeError);
  expect(() => Object.assign(Object(parsed), { FlightNumber: 1 })).toThrow(TypeError);
});

test('a query with a wrong value is rejected each time', async () => {
  const parse = async () => (await schema.safeParseAsync({ FlightNumber: 'x' })).error?.issues;
  const issues = await parse();
  expect(issues).toMatchObject([{ path: ['FlightNumber'], code: 'invalid_type' }]);
  expect(await parse()).toEqual(issues);
});
