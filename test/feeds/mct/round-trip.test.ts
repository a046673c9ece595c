import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mctStatuses } from '#domain/connections/mct/mct-record.ts';
import type { MctFile, MctRecord, MctSide } from '#domain/connections/mct/mct-record.ts';
import { addDays, localDate } from '#domain/time/dates.ts';
import { formatMctText, side } from '#test/support/mct-lines.ts';
import { readMctText } from './read-mct-lines.ts';

const letter = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const letters = (length: number): fc.Arbitrary<string> =>
  fc.array(letter, { minLength: length, maxLength: length }).map((letters) => letters.join(''));
const maybe = <T>(value: fc.Arbitrary<T>, absent: T): fc.Arbitrary<T> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(absent) }, { weight: 1, arbitrary: value });
const text = (value: fc.Arbitrary<string>): fc.Arbitrary<string> => maybe(value, '');
const carrier = fc.tuple(letter, fc.constantFrom(...'0123456789ABC')).map(([first, second]) => first + second);

const location: fc.Arbitrary<Partial<MctSide>> = fc.oneof(
  fc.constant({}),
  fc.record({ station: letters(3) }),
  fc.record({ countryCode: letters(2), stateCode: text(letters(2)) }),
  fc.record({ region: fc.constantFrom('EUR', 'SCH') }),
);

const aircraft: fc.Arbitrary<Partial<MctSide>> = fc.oneof(
  fc.constant({}),
  fc.record({ equipment: fc.constantFrom('320', '73H', '789') }),
  fc.record({ body: fc.constantFrom<'W' | 'N'>('W', 'N') }),
);

const range = fc
  .tuple(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 0, max: 9999 }))
  .map(([one, other]) => ({ from: Math.min(one, other), to: Math.max(one, other) }));

const flights = maybe<MctSide['flights']>(range, undefined);
const terminal = text(fc.constantFrom('1', '2A', 'S'));
const flight = { carrier: text(carrier), isCodeshare: fc.boolean(), operator: text(carrier), flights, terminal };
const anySide: fc.Arbitrary<MctSide> = fc
  .tuple(fc.record(flight), location, aircraft)
  .map((parts) => side(Object.assign({}, ...parts)));

const anyDates = fc
  .tuple(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 0, max: 400 }), fc.constantFrom(0, 1, 2, 3))
  .map(([start, length, filled]) => {
    const from = addDays(localDate('2026-01-01'), start);
    return { from: filled & 1 ? from : undefined, to: filled & 2 ? addDays(from, length) : undefined };
  });

const minutes = fc.integer({ min: 0, max: 5999 }).filter((value) => value !== 19 * 60 + 59);

const hasCarrier = (sides: readonly MctSide[]): boolean =>
  sides.some(({ carrier: named, operator }) => named !== '' || operator !== '');

const ruleOf = (sides: readonly MctSide[]): fc.Arbitrary<Pick<MctRecord, 'suppression' | 'minutes'>> =>
  hasCarrier(sides)
    ? fc.oneof(
        fc.record({ suppression: fc.constant('N' as const), minutes: maybe<number | undefined>(minutes, undefined) }),
        fc.record({ suppression: fc.constant('Y' as const), minutes: fc.constant(undefined) }),
      )
    : fc.record({ suppression: fc.constant('' as const), minutes });

const suppressionPlace = fc.oneof(
  fc.constant({ suppressionStateCode: '', suppressionCountryCode: '', suppressionRegion: '' }),
  fc.record({
    suppressionStateCode: text(letters(2)),
    suppressionCountryCode: letters(2),
    suppressionRegion: text(fc.constantFrom('EUR', 'SCH')),
  }),
);

const anyStations = fc.record({
  status: fc.constantFrom(...mctStatuses),
  arrivalStation: letters(3),
  departureStation: text(letters(3)),
  submittedBy: text(carrier),
});

const anyRecord = fc
  .tuple(anySide, anySide)
  .chain(([arrival, departure]) =>
    fc
      .tuple(anyStations, anyDates, ruleOf([arrival, departure]), suppressionPlace)
      .map(([stations, dates, rule, where]) => ({ arrival, departure, ...stations, ...dates, ...rule, ...where })),
  );

/** Records of different stations cannot conflict, so all of them are accepted. */
const anyFile: fc.Arbitrary<MctFile> = fc
  .tuple(
    fc.uniqueArray(anyRecord, { selector: ({ arrivalStation }) => arrivalStation, minLength: 1, maxLength: 20 }),
    fc.uniqueArray(fc.tuple(carrier, fc.uniqueArray(carrier, { maxLength: 130 })), {
      selector: ([of]) => of,
      maxLength: 3,
    }),
  )
  .map(([records, lists]) => {
    let line = 2;
    const numbered = records.map((record) => ({ line: line++, ...record }));
    const partners = lists.map(([of, others]) => {
      const list = { line, carrier: of, partners: others };
      line += Math.max(1, Math.ceil(others.length / 95));
      return list;
    });
    return { records: numbered, partners };
  });

test('reads every file as it was written', async () => {
  await fc.assert(
    fc.asyncProperty(anyFile, async (file) => {
      const { records, partners, report } = await readMctText(formatMctText(file));
      expect({ records, partners }).toStrictEqual(file);
      expect(report.entries.filter(({ severity }) => severity === 'quarantined')).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test('a file with any changed byte is read or rejected, and never crashes', async () => {
  const { records, partners } = fc.sample(anyFile, { numRuns: 1, seed: 1 })[0] ?? { records: [], partners: [] };
  const whole = formatMctText({ records, partners });
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 }), async (at, byte) => {
      const changed = whole.slice(0, at) + String.fromCharCode(byte) + whole.slice(at + 1);
      const outcome = await readMctText(changed).then(
        ({ records: parsed }) => parsed.length <= records.length,
        (error: unknown) => error instanceof Error && error.name === 'FeedError',
      );
      expect(outcome).toBe(true);
    }),
    { numRuns: 300 },
  );
});
