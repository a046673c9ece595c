import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { statusMessageSchema } from '#feeds/status/message-schema.ts';
import { parseStatusMessage } from '#feeds/status/read-message.ts';

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const fact = <T>(value: fc.Arbitrary<T>) => fc.oneof(value, fc.constant(null));
const some = <T extends object>(members: { [Name in keyof T]: fc.Arbitrary<T[Name]> }) =>
  fc.record(members, { requiredKeys: [] });

const offset = fc.constantFrom('Z', '.5Z', '.120Z', '+05:30', '-11:00');
const instant = fc
  .tuple(fc.integer({ min: -631_000_000, max: 4_100_000_000 }), offset)
  .map(([second, end]) => new Date(second * 1000).toISOString().slice(0, 19) + end);
const date = instant.map((text) => text.slice(0, 10));
const airport = fc.stringMatching(/^[A-Za-z0-9]{3,4}$/);
const sign = fact(fc.stringMatching(/^[ -~]{0,40}$/));
const key = fc.stringMatching(/^[0-9a-fA-F]{64}$/);
const letter = fc.stringMatching(/^[A-Za-z]$/);
const type = some({ iata: fc.stringMatching(/^[A-Z0-9]{3}$/), icao: fc.stringMatching(/^[A-Z0-9]{2,4}$/) });
const classes = ['first', 'business', 'premiumEconomy', 'economyPlus', 'economy'].map((name) => `${name}Class`);
const carrier = fc.stringMatching(/^[A-Za-z0-9]{2,3}$/);
const designator = { carrier, flightNumber: fc.nat(9999), suffix: letter };
const flight = fc.oneof(
  fc.record(
    { ...designator, originDate: date, departureAirport: airport, arrivalAirport: airport },
    { requiredKeys: ['carrier', 'flightNumber', 'originDate', 'departureAirport'] },
  ),
  fc.record(
    { ...designator, originDate: date, scheduledDeparture: instant, departureAirport: airport },
    { requiredKeys: ['carrier', 'flightNumber', 'scheduledDeparture', 'departureAirport'] },
  ),
  fc.record(
    {
      ...designator,
      originDate: date,
      scheduledDeparture: instant,
      departureAirport: airport,
      scheduledArrival: instant,
      arrivalAirport: airport,
    },
    { requiredKeys: ['carrier', 'flightNumber', 'scheduledArrival', 'arrivalAirport', 'departureAirport'] },
  ),
  fc.record({ statusKey: key, departureDate: date }),
  fc.record({ scheduleInstanceKey: key, departureDate: date }),
);

const out = some({ out: fact(instant), off: fact(instant) });
const on = some({ on: fact(instant), in: fact(instant) });

const diversion = fc.record(
  {
    number: fc.integer({ min: 1, max: 9 }),
    airport: fact(airport),
    type: fact(fc.constantFrom('Undefined', 'Unplanned', 'InAirReturn', 'TechnicalStop')),
    estimated: on,
    actual: on,
    continues: fact(fc.boolean()),
    onward: some({ estimated: out, actual: out }),
  },
  { requiredKeys: ['number'] },
);

const plannedLeg = {
  departs: fc.record({ airport, at: instant }),
  arrives: fc.record({ airport, at: instant }, { requiredKeys: ['airport'] }),
  serviceType: letter,
  aircraftType: type,
  recovers: flight,
};
const codeshares = fc.array(fc.record(designator, { requiredKeys: ['carrier', 'flightNumber'] }), { maxLength: 3 });
const plan = fc.oneof(
  fc.record(
    { flightType: fc.constantFrom('Unscheduled', 'GA'), ...plannedLeg },
    { requiredKeys: ['flightType', 'departs', 'arrives'] },
  ),
  fc.record(
    { flightType: fc.constant('Scheduled'), codeshares, ...plannedLeg },
    { requiredKeys: ['flightType', 'departs', 'arrives'] },
  ),
);

const processes = {
  checkIn: fact(fc.record({ status: fc.constantFrom('Open', 'Closed'), at: instant })),
  boarding: fact(fc.record({ status: fc.constantFrom('GateOpen', 'GateClosed'), at: instant })),
};

/** Messages in every valid form, as JSON values. Their times are in no order. */
const someMessage: fc.Arbitrary<unknown> = fc.record(
  {
    messageId: fc.stringMatching(/^[!-~]{1,60}$/),
    observedAt: instant,
    source: fc.stringMatching(/^[a-z]{1,40}$/),
    flight,
    departure: some({
      estimated: out,
      actual: out,
      terminal: sign,
      gate: sign,
      stand: sign,
      checkInCounter: sign,
      planned: some({ terminal: sign, gate: sign, stand: sign, checkInCounter: sign }),
      ...processes,
    }),
    arrival: some({
      estimated: on,
      actual: on,
      terminal: sign,
      gate: sign,
      stand: sign,
      baggage: sign,
      planned: some({ terminal: sign, gate: sign, stand: sign, baggage: sign }),
    }),
    aircraft: some({ registration: fact(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9-]{1,11}$/)), type: fact(type) }),
    seats: fact(some(Object.fromEntries([...classes, 'totalSeats'].map((name) => [name, fc.nat(999)])))),
    cancelled: fact(fc.boolean()),
    proposed: fact(fc.boolean()),
    hidden: fact(fc.boolean()),
    returnedToGate: fc.constant(true),
    diversions: fc.uniqueArray(diversion, { maxLength: 4, selector: ({ number }) => number }),
    plan,
  },
  { requiredKeys: ['messageId', 'observedAt', 'flight'] },
);

const texts = ['', 'A', 'AB', 'ABC', 'ABCD', 'ABCDE', '1', '-', 'G-ZZAB', 'tab\t', 'Zürich', '\ud800', '😀'];
const numbers = [0, 1, 9, 10, 9999, 10_000, -1, 1.5, 1e300];
const lengths = ['x'.repeat(40), 'x'.repeat(41), 'x'.repeat(201), 'f'.repeat(64)];
const dates = ['2027-03-01', '2027-02-29', '2027-03-01T10:00Z', '2027-03-01T10:00:00', '2100-01-01T00:00:00Z'];
const objects = [[], {}, [{}], { number: 1 }, { airport: null }, { at: 1 }, [1, 2]];
const edge = fc.constantFrom<unknown>(null, true, false, ...texts, ...numbers, ...lengths, ...dates, ...objects);

const placesOf = (value: unknown): readonly (readonly string[])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [[name], ...placesOf(inner).map((path) => [name, ...path])])
    : [];

type Edit = (members: Map<string, unknown>, name: string) => void;
const withEdit = (value: unknown, path: readonly string[], edit: Edit): unknown => {
  const [name = '', ...rest] = path;
  const members = new Map(Object.entries(value ?? {}));
  if (rest.length === 0) edit(members, name);
  else members.set(name, withEdit(members.get(name), rest, edit));
  return Array.isArray(value) ? [...members.values()] : Object.fromEntries(members);
};

/** Messages with one member changed, removed or renamed; some of them remain valid. */
const spoiltMessage: fc.Arbitrary<unknown> = fc
  .tuple(someMessage, fc.nat(), optional(edge), fc.boolean())
  .map(([message, at, value, isRenamed]) => {
    const positions = placesOf(message);
    return withEdit(message, positions[at % positions.length] ?? [], (members, name) => {
      if (isRenamed && value === undefined) members.set(`${name}x`, members.get(name));
      if (value === undefined) members.delete(name);
      else members.set(name, value);
    });
  });

const file = new URL('../../../generated/feeds/status-message.schema.json', import.meta.url);
const published: unknown = JSON.parse(readFileSync(file, 'utf8'));
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
const isPublished = ajv.compile(published as object);
const isTaken = (message: unknown): boolean => !('rejection' in parseStatusMessage(JSON.stringify(message)));

/** The rules that the published schema cannot express: valid dates within bounds, and diversions that differ. */
const isBeyondSchema = (issues: unknown): boolean => /a date |twice/.test(JSON.stringify(issues));

test('the reader, the schema and the published JSON Schema accept every valid message', () => {
  fc.assert(
    fc.property(someMessage, (message) => {
      expect(isTaken(message)).toBe(true);
      expect(isPublished(message), JSON.stringify(isPublished.errors)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('the reader, the schema and the published JSON Schema agree on every message that has one error', () => {
  const seen = { accepted: 0, rejected: 0 };
  fc.assert(
    fc.property(spoiltMessage, (message) => {
      const { success, error } = statusMessageSchema.safeParse(message);
      expect(isTaken(message)).toBe(success);
      seen[success ? 'accepted' : 'rejected'] += 1;
      const isPublishedToo = isBeyondSchema(error?.issues ?? []) ? success : isPublished(message);
      expect(isPublishedToo, JSON.stringify(isPublished.errors)).toBe(success);
    }),
    { numRuns: 800 },
  );
  expect(Math.min(seen.accepted, seen.rejected)).toBeGreaterThan(80);
});

/** Lists the members of a schema, each with those above it; the forms of a flight have theirs together. */
const listMembers = (node: unknown, above = ''): readonly string[] => {
  if (typeof node !== 'object' || node === null) return [];
  const { $ref, properties = {}, items, anyOf = [], oneOf = [] } = Object(node);
  if ($ref !== undefined) return listMembers(Object(published).$defs[$ref.split('/').at(-1)], above);
  const own = Object.entries(properties).flatMap(([name, inner]) => {
    const path = above === '' ? name : `${above}.${name}`;
    return path.endsWith('recovers') ? [path] : [path, ...listMembers(inner, path)];
  });
  return [...new Set([...own, ...[items, ...anyOf, ...oneOf].flatMap((inner) => listMembers(inner, above))])];
};

const listSentMembers = (value: unknown, above = ''): readonly string[] =>
  Array.isArray(value)
    ? value.flatMap((item) => listSentMembers(item, above))
    : Object.entries(Object(value)).flatMap(([name, inner]) => {
        const path = above === '' ? name : `${above}.${name}`;
        return path.endsWith('recovers') || typeof inner !== 'object'
          ? [path]
          : [path, ...listSentMembers(inner, path)];
      });

test('the random messages of these tests have every member of the schema', () => {
  const sent = new Set(fc.sample(someMessage, { numRuns: 2000, seed: 1 }).flatMap((one) => listSentMembers(one)));
  expect(listMembers(published).toSorted()).toEqual([...sent].toSorted());
});

test('the document of the feed names every member', () => {
  const document: unknown = JSON.parse(
    readFileSync(new URL('../../../generated/status-feed/v1/openapi.json', import.meta.url), 'utf8'),
  );
  const { description } = Object(document).paths['/status-messages'].post;
  const named = new Set([...String(description).matchAll(/`([A-Za-z.]+)`/g)].map(([, name]) => name));
  const names = new Set(listMembers(published).map((path) => path.split('.').at(-1) ?? ''));
  expect([...names].filter((name) => !named.has(name))).toEqual([]);
});

test('the published schema describes every member', () => {
  const bare: string[] = [];
  const visit = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, properties = {} } = node as {
      readonly type?: string;
      readonly properties?: Record<string, { readonly description?: string }>;
    };
    for (const [name, { description = '' }] of Object.entries(type === 'object' ? properties : {}))
      if (description.length < 10) bare.push(`${path}/${name}`);
    for (const [name, inner] of Object.entries(node)) visit(inner, `${path}/${name}`);
  };
  visit(published, '');
  expect(bare).toEqual([]);
});

test('the examples in the documentation are accepted without errors', () => {
  const text = readFileSync(new URL('../../../docs/reference/status-messages.md', import.meta.url), 'utf8');
  const lines = [...text.matchAll(/```json\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'));
  expect(lines).toHaveLength(16);
  for (const line of lines) {
    expect(parseStatusMessage(line), line).toMatchObject({ message: { id: expect.any(String) }, fieldErrors: [] });
    expect(isPublished(JSON.parse(line)), line).toBe(true);
  }
});
