import { describe, expect, test } from 'vitest';
import { addDays, formatDate, localDate, type LocalMinute } from '../../../../src/domain/time/dates.ts';
import { EVERY_DAY } from '../../../../src/domain/time/period.ts';
import { buildDemoWorld } from '../../../../src/jobs/demo/world/demo-world.ts';
import { formatDesignator, listOperatedLegs, type OperatedLeg } from './operated-legs.ts';

/** Around clock changes of both hemispheres, a Ramadan in Morocco, and leap days. */
const days = ['2020-01-08', '2026-09-01', '2027-01-20', '2028-02-10'];

/** Returns the offset of a zone from `Intl`, cached by quarter of an hour: clocks change at no other time. */
const clocks = new Map<string, Intl.DateTimeFormat>();
const known = new Map<string, number>();
const offsetByCalendar = (zone: string, utcMinute: number): number => {
  const key = `${zone} ${Math.floor(utcMinute / 15)}`;
  const remembered = known.get(key);
  if (remembered !== undefined) return remembered;
  let clock = clocks.get(zone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      hourCycle: 'h23',
    });
    clocks.set(zone, clock);
  }
  const part = Object.fromEntries(
    clock.formatToParts(utcMinute * 60_000).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = part;
  const offset = Date.UTC(year, month - 1, day, hour, minute) / 60_000 - utcMinute;
  known.set(key, offset);
  return offset;
};

test('the same day gives the same world', () => {
  const today = localDate('2026-11-21');
  expect(buildDemoWorld(today)).toEqual(buildDemoWorld(today));
});

test('a flight keeps its number, variation, times and equipment from one day to the next', () => {
  const describeLegs = (day: string, shift: number): ReadonlyMap<string, string> => {
    const today = addDays(localDate(day), shift);
    const shared = listOperatedLegs(buildDemoWorld(today).schedules).filter(
      ({ originDate }) => originDate >= localDate(day) - 6 && originDate <= localDate(day) + 120,
    );
    return new Map(
      shared.map(({ leg, originDate, departsAt, arrivesAt }) => [
        `${formatDesignator(leg)} ${formatDate(originDate)} ${leg.sequence}`,
        `${leg.itinerary} ${leg.departure.station} ${departsAt} ${leg.arrival.station} ${arrivesAt} ${leg.equipment} ${leg.disclosure}`,
      ]),
    );
  };
  for (const day of days) {
    const today = describeLegs(day, 0);
    const tomorrow = describeLegs(day, 1);
    expect([today.size, today.size > 150_000]).toEqual([tomorrow.size, true]);
    expect([...today].filter(([flight, facts]) => tomorrow.get(flight) !== facts)).toEqual([]);
  }
});

describe.each(days)('around %s', (day) => {
  const today = localDate(day);
  const world = buildDemoWorld(today);
  const legs = listOperatedLegs(world.schedules);
  const zones = new Map(world.locations.map(({ iata, zone = '' }) => [iata, zone]));
  const utc = (local: LocalMinute, variation: number): number => local - variation;

  test('every UTC variation is correct on every day, and every leg takes between 0 and 24 hours', () => {
    const wrong = legs.filter(({ leg: { departure, arrival }, departsAt, arrivesAt }) => {
      const leaves = utc(departsAt, departure.utcVariationMinutes);
      const lands = utc(arrivesAt, arrival.utcVariationMinutes);
      return (
        offsetByCalendar(zones.get(departure.station) ?? '', leaves) !== departure.utcVariationMinutes ||
        offsetByCalendar(zones.get(arrival.station) ?? '', lands) !== arrival.utcVariationMinutes ||
        lands <= leaves ||
        lands - leaves >= 1440
      );
    });
    expect(wrong).toEqual([]);
  });

  test('times of day and date variations can be filed in SSIM', () => {
    const impossible = legs.filter(
      ({ leg: { departure, arrival, itinerary, sequence } }) =>
        ![departure.aircraftMinutes, departure.passengerMinutes].every((minutes) => minutes >= 0 && minutes < 1440) ||
        ![arrival.aircraftMinutes, arrival.passengerMinutes].every((minutes) => minutes > 0 && minutes <= 1440) ||
        ![departure.dateVariation, arrival.dateVariation].every((days) => days >= -1 && days <= 7) ||
        (sequence === 1 && departure.dateVariation !== 0) ||
        itinerary < 1 ||
        itinerary > 999,
    );
    expect(impossible).toEqual([]);
  });

  test('no flight departs twice on a day under the same designator', () => {
    const departures = legs.map(({ leg, originDate }) => `${formatDesignator(leg)} ${leg.sequence} ${originDate}`);
    expect(new Set(departures).size).toBe(departures.length);
  });

  test('the periods of a daily flight have no gap from the first day to the last', () => {
    const daily = Map.groupBy(
      world.schedules
        .flatMap(({ itineraries }) => itineraries)
        .filter(({ legs: [first] }) => first.period.days === EVERY_DAY),
      ({ legs: [first] }) => formatDesignator(first),
    );
    expect(daily.size).toBeGreaterThan(1000);
    for (const [flight, itineraries] of daily) {
      const periods = itineraries.map(({ legs: [first] }) => first.period);
      for (const [index, { from }] of periods.slice(1).entries())
        expect(`${flight} ${from}`).toBe(`${flight} ${addDays(periods[index]?.to ?? today, 1)}`);
    }
  });

  test('between 1,500 and 2,500 legs depart on every day from a week ago to four months ahead', () => {
    const counts = Map.groupBy(legs, ({ originDate }) => originDate);
    expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 128 }, (_, index) => addDays(today, index - 7)),
    );
    const sizes = [...counts.values()].map((each: readonly OperatedLeg[]) => each.length);
    expect(Math.min(...sizes)).toBeGreaterThan(1500);
    expect(Math.max(...sizes)).toBeLessThan(2500);
  });

  test('the legs of an itinerary connect in place and time', () => {
    for (const { itineraries } of world.schedules)
      for (const { legs: itinerary } of itineraries)
        for (const [index, next] of itinerary.slice(1).entries()) {
          const before = itinerary[index];
          expect(next.departure.station).toBe(before?.arrival.station);
          expect(next.sequence).toBe((before?.sequence ?? 0) + 1);
          const landed = (before?.arrival.dateVariation ?? 0) * 1440 + (before?.arrival.aircraftMinutes ?? 0);
          expect(next.departure.dateVariation * 1440 + next.departure.aircraftMinutes).toBeGreaterThan(landed);
        }
  });

  test('every leg has an airport, a carrier and a type of the world, and lines count up from 1', () => {
    const types = new Set(world.equipment.map(({ iata }) => iata));
    const airlines = new Set(world.carriers.map(({ iata }) => iata));
    const all = world.schedules.flatMap(({ itineraries }) => itineraries.flatMap(({ legs: each }) => each));
    expect(all.filter(({ equipment }) => !types.has(equipment))).toEqual([]);
    expect(all.filter(({ carrier }) => !airlines.has(carrier))).toEqual([]);
    expect(
      all.filter(({ departure, arrival }) => !zones.has(departure.station) || !zones.has(arrival.station)),
    ).toEqual([]);
    const lines = world.schedules.flatMap(({ itineraries }) =>
      itineraries.flatMap(({ legs: each, segmentData }) => [...each, ...segmentData].map(({ line }) => line)),
    );
    expect(lines).toEqual(lines.map((_, index) => index + 1));
  });
});

test('no departure is in an hour that a clock skips, in any year', () => {
  for (let today = localDate('2026-01-08'); today < localDate('2036-01-01'); today = addDays(today, 128))
    expect(buildDemoWorld(today).schedules.length).toBe(12);
});

test('rejects a day less than a week after the start of 2020', () => {
  expect(() => buildDemoWorld(localDate('2020-01-07'))).toThrow(RangeError);
});
