import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secondToMinute } from '#domain/status/instants.ts';
import type { DesignatorReference, FlightFacts, StatusMessage } from '#domain/status/message.ts';
import { localDate } from '#domain/time/dates.ts';
import { buildFile, buildLeg, buildSecondLeg, times } from '#test/feeds/ssim/build-file.ts';
import { schedule } from '#test/products/flight-info/v2/example-schedule.ts';
import { publishText } from '#test/support/tiny-world.ts';
import { flight, formatOutcomes, ingest, listQuarantine, listStoredMessages, message, second } from '../messages.ts';
import { db, useStatusWorld } from '../status-world.ts';

useStatusWorld();

const june = { 15: '01JUN26', 22: '06JUN26' };
const out = (time: string): FlightFacts => ({ actualOut: second(time) });

/** What became of one message: the flight that it was stored with, or why it is in quarantine. */
const place = async (members: Partial<StatusMessage>): Promise<string> => {
  const outcomes = await ingest(db, [message({ id: 'm', ...members })]);
  const [stored] = await listStoredMessages(db);
  return stored?.slice('m: '.length) ?? formatOutcomes(outcomes).join().replace(/:.*/, '');
};

describe('a later leg after midnight, whose flight has four dates', () => {
  // SYD 21:00 on day 1 (11:00Z) to SIN 03:00 on day 2 (19:00Z on day 1); from SIN 09:30 on day 2 (01:30Z) to LHR 15:00Z.
  const syd = { 6: '0611', 37: 'SYD', 48: '+1000', 55: 'SIN', 66: '+0800', 193: '01', ...times('2100', '0300') };
  const sin = { 6: '0611', 37: 'SIN', 48: '+0800', 55: 'LHR', 66: '+0100', 193: '11', ...times('0930', '1600') };
  // AKL 08:00 (20:00Z of the day before) to HNL 17:00 of the day before; from HNL 19:00 (05:00Z) to LAX 03:00 (10:00Z).
  const akl = { 6: '0612', 37: 'AKL', 48: '+1200', 55: 'HNL', 66: '-1000', 193: '0A', ...times('0800', '1700') };
  const hnl = { 6: '0612', 37: 'HNL', 48: '-1000', 55: 'LAX', 66: '-0700', 193: 'A0', ...times('1900', '0300') };
  beforeAll(() =>
    publishText(
      db,
      buildFile(
        buildLeg({ ...june, ...syd }),
        buildSecondLeg({ 15: '02JUN26', 22: '07JUN26', ...sin }),
        buildLeg({ ...june, ...akl }),
        buildSecondLeg({ 15: '31MAY26', 22: '05JUN26', ...hnl }),
      ),
    ),
  );
  afterAll(() => publishText(db, schedule));

  const london = { flightNumber: 611, departureAirport: 'SIN', arrivalAirport: 'LHR' };
  const angeles = { flightNumber: 612, departureAirport: 'HNL', arrivalAirport: 'LAX' };
  /** A reference of AIDX or a telegram by a date. */
  const dated = (members: Partial<DesignatorReference>, date: string): DesignatorReference => ({
    ...flight({ date, ...members }),
    datedBy: 'utc',
  });

  test.each([
    ['the date of the first leg', '2026-06-03', '2026-06-04T01:41Z', '06-04 09:30'],
    ['its own date', '2026-06-04', '2026-06-04T01:41Z', '06-04 09:30'],
    ['its own date, three hours late', '2026-06-04', '2026-06-04T04:30Z', '06-04 09:30'],
    ['the date of the first leg, ten hours late', '2026-06-03', '2026-06-04T11:30Z', '06-04 09:30'],
  ])('is found by %s, which the times of the message decide', async (_, date, time, expected) => {
    expect(await place({ flight: dated(london, date), facts: out(time) })).toBe(`XX611 SIN-LHR ${expected}`);
  });

  test.each([
    ['the local date of the first leg', '2026-06-03', '06-02 19:00'],
    ['the UTC date of the first leg', '2026-06-02', '06-02 19:00'],
    ['its UTC date', '2026-06-03', '06-02 19:00'],
    ['its local date', '2026-06-02', '06-02 19:00'],
  ])('that leaves beyond the date line is found by %s', async (_, date, expected) => {
    expect(await place({ flight: dated(angeles, date), facts: out('2026-06-03T05:10Z') })).toBe(
      `XX612 HNL-LAX ${expected}`,
    );
  });

  test.each<[string, FlightFacts]>([
    ['a cancellation', { cancelled: true }],
    ['a gate', { departureGate: 'B1' }],
    ['an estimate between two flights', { estimatedOut: second('2026-06-04T22:00Z') }],
  ])('is ambiguous for %s, if its date is that of two flights', async (_, facts) => {
    expect(await place({ flight: dated(london, '2026-06-04'), facts })).toBe('ambiguous-flight');
    expect(await listQuarantine(db)).toEqual(['m: ambiguous-flight']);
  });

  test.each<[string, Partial<DesignatorReference>, string, string]>([
    ['an arrival', { departureAirport: '' }, '2026-06-03', '06-04 09:30'],
    ['a departure without its arrival airport', { arrivalAirport: undefined }, '2026-06-03', '06-04 09:30'],
  ])('is found by %s', async (_, members, date, expected) => {
    const facts =
      members.departureAirport === '' ? { actualOn: second('2026-06-04T15:10Z') } : out('2026-06-04T01:41Z');
    expect(await place({ flight: dated({ ...london, ...members }, date), facts })).toBe(`XX611 SIN-LHR ${expected}`);
  });

  test('is not given a message whose times are those of a flight that is unknown', async () => {
    // The last flight of the series leaves SIN on 7 June; that of 8 June is unknown.
    expect(await place({ flight: dated(london, '2026-06-07'), facts: out('2026-06-08T01:41Z') })).toBe(
      'contradictory-flight',
    );
  });

  test.each<[string, string | undefined, string, string]>([
    ['with the date of the first leg', '2026-06-03', '2026-06-04T01:30Z', 'XX611 SIN-LHR 06-04 09:30'],
    ['with its own date', '2026-06-04', '2026-06-04T01:30Z', 'XX611 SIN-LHR 06-04 09:30'],
    ['without a date', undefined, '2026-06-04T01:30Z', 'XX611 SIN-LHR 06-04 09:30'],
    ['that contradicts the date', '2026-06-05', '2026-06-04T01:30Z', 'contradictory-flight'],
    ['that no flight has', '2026-06-04', '2026-06-04T08:30Z', 'contradictory-flight'],
  ])('is found by a scheduled time %s', async (_, date, scheduled, expected) => {
    const reference = {
      ...dated(london, date ?? '2026-06-04'),
      originDate: date === undefined ? undefined : localDate(date),
      scheduledOut: secondToMinute(second(scheduled)),
    };
    expect(await place({ flight: reference, facts: { cancelled: true } })).toBe(expected);
  });

  test.each<[string, Partial<DesignatorReference>]>([
    ['both airports', {}],
    ['its departure airport', { arrivalAirport: undefined }],
  ])('that leaves on the day before is found by a status message of its origin date, by %s', async (_, members) => {
    const reference = flight({ date: '2026-06-03', ...angeles, ...members });
    expect(await place({ flight: reference, facts: { cancelled: true } })).toBe('XX612 HNL-LAX 06-02 19:00');
  });

  test('is not found by its own date in a status message, unless the times are its own', async () => {
    // No flight leaves AKL on 7 June; the leg from HNL that leaves on 5 June is that of 6 June.
    const reference = flight({ date: '2026-06-07', ...london });
    expect(await place({ flight: reference, facts: { cancelled: true } })).toBe('no-such-flight');
    expect(await place({ flight: reference, facts: out('2026-06-07T01:40Z') })).toBe('XX611 SIN-LHR 06-07 09:30');
  });
});

describe('two departures of a designator on one route and day', () => {
  const daily = { 6: '0100', 15: '01JUN26', 22: '03JUN26', 55: 'CDG', 66: '+0200' };
  beforeAll(() =>
    publishText(
      db,
      buildFile(
        buildLeg({ ...daily, ...times('0700', '0920') }),
        buildLeg({ ...daily, 10: '02', ...times('1900', '2120') }),
      ),
    ),
  );
  afterAll(() => publishText(db, schedule));

  const xx100 = flight({ flightNumber: 100, arrivalAirport: 'CDG' });
  const evening = 'XX100 LHR-CDG 06-01 19:00';
  const morning = 'XX100 LHR-CDG 06-01 07:00';

  test.each<[string, Partial<StatusMessage>, string]>([
    ['an estimate of the second', { facts: { estimatedOut: second('2026-06-01T18:25Z') } }, evening],
    ['an actual time of the first', { facts: out('2026-06-01T06:10Z') }, morning],
    ['the first, seven hours late', { facts: out('2026-06-01T13:00Z') }, morning],
    ['an arrival of the second', { facts: { actualIn: second('2026-06-01T19:30Z') } }, evening],
    [
      'boarding of the second',
      { facts: { boarding: { status: 'Boarding', at: second('2026-06-01T17:30Z') } } },
      evening,
    ],
    [
      'a diversion of the second',
      { landings: [{ id: '1', airport: 'LGW', actualOn: second('2026-06-01T19:00Z') }] },
      evening,
    ],
    ['a cancellation', { facts: { cancelled: true } }, 'ambiguous-flight'],
    ['a gate', { facts: { departureGate: 'B1' } }, 'ambiguous-flight'],
    ['a time that fits neither', { facts: out('2026-06-02T13:00Z') }, 'ambiguous-flight'],
  ])('are distinguished by the times of a message: %s', async (_, members, expected) => {
    expect(await place({ flight: xx100, ...members })).toBe(expected);
    await db`truncate flight_status, status_message, status_quarantine`;
    expect(await place({ flight: { ...xx100, arrivalAirport: undefined }, ...members })).toBe(expected);
    await db`truncate flight_status, status_message, status_quarantine`;
    expect(await place({ flight: { ...xx100, datedBy: 'utc' }, ...members })).toBe(expected);
  });

  test('a message that names a flight by its key reaches it', async () => {
    const rows = await db<{ key: string }[]>`
      select encode(key, 'hex') as key from flight_instance where flight_number = 100 and departs_at = '2026-06-01T19:00'`;
    const reference = {
      by: 'scheduleInstanceKey',
      key: rows[0]?.key ?? '',
      departureDate: localDate('2026-06-01'),
    } as const;
    expect(await place({ flight: reference, facts: { cancelled: true } })).toBe(evening);
  });
});
