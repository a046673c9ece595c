import { describe, expect, test } from 'vitest';
import type { CarrierSchedule, ScheduleLeg } from '#domain/schedule/schedule.ts';
import { addDays, buildLocalMinute, formatDate, localDate, type LocalDate } from '#domain/time/dates.ts';
import { EVERY_DAY, listDepartureDates } from '#domain/time/period.ts';
import { airports } from '#demo/world/airports.ts';
import { carriers } from '#demo/world/carriers.ts';
import { buildDemoSchedules } from '#demo/world/demo-world.ts';
import { equipment } from '#demo/world/equipment.ts';
import { readMinimumConnectingTimes } from '#demo/world/minimum-connecting-times.ts';
import { readMctText } from '#test/feeds/mct/read-mct-lines.ts';
import { formatMctText } from '#test/support/mct-lines.ts';

/** Returns every leg on every day of its period, in local times of both ends, computed from the filed values only. */
const listOperatedLegs = (schedules: readonly CarrierSchedule[]) =>
  schedules
    .flatMap(({ itineraries }) => itineraries.flatMap(({ legs }) => legs))
    .flatMap((leg) =>
      [...listDepartureDates(leg.period)].map((date) => {
        const originDate = addDays(date, -leg.departure.dateVariation);
        return {
          leg,
          originDate,
          departsAt: buildLocalMinute(date, leg.departure.aircraftMinutes),
          arrivesAt: buildLocalMinute(addDays(originDate, leg.arrival.dateVariation), leg.arrival.aircraftMinutes),
        };
      }),
    );

/** `L0 15` or, with a suffix, `K0 2501A`. */
const formatDesignator = ({ carrier, flightNumber, suffix }: ScheduleLeg) => `${carrier} ${flightNumber}${suffix}`;
const clocks = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();
const fields = { month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', hourCycle: 'h23' } as const;

const computeOffset = (timeZone: string, utcMinute: number): number => {
  const key = `${timeZone} ${utcMinute}`;
  const cached = offsets.get(key);
  if (cached !== undefined) return cached;
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { timeZone, year: 'numeric', ...fields });
  clocks.set(timeZone, clock);
  const parts = clock.formatToParts(utcMinute * 60_000).map(({ type, value }) => [type, Number(value)]);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = Object.fromEntries(parts);
  const offset = Date.UTC(year, month - 1, day, hour, minute) / 60_000 - utcMinute;
  offsets.set(key, offset);
  return offset;
};
/** Returns the offset of a zone from `Intl`. Clocks change at most once a day, and at a quarter of an hour. */
const getCalendarOffset = (timeZone: string, utcMinute: number): number => {
  const midnight = utcMinute - (utcMinute % 1440);
  const [before, after] = [midnight, midnight + 1440].map((minute) => computeOffset(timeZone, minute));
  return before !== undefined && before === after ? before : computeOffset(timeZone, utcMinute - (utcMinute % 15));
};

/** Around clock changes of both hemispheres, leap days, and a Ramadan in Morocco. All four in a long run. */
const days = ['2026-09-01', '2028-02-10', '2020-01-08', '2027-01-20'].slice(
  0,
  Number(process.env['DEMO_WORLD_DAYS'] ?? 1),
);
/** The years whose clock changes are tested; 10 in a long run. */
const YEARS = Number(process.env['DEMO_WORLD_YEARS'] ?? 2);

/** A month back and four months ahead: the rest of the year repeats the seasons. */
const toSpan = (today: LocalDate) => ({ from: addDays(today, -32), to: addDays(today, 121) });

test('schedules reach from a month ago to a year ahead', () => {
  const today = localDate('2026-11-21');
  const legs = buildDemoSchedules(today).flatMap(({ itineraries }) => itineraries.map(({ legs: [first] }) => first));
  const [from, to] = [
    Math.min(...legs.map(({ period }) => period.from)),
    Math.max(...legs.map(({ period }) => period.to)),
  ];
  expect([from, to]).toEqual([addDays(today, -32), addDays(today, 365)]);
});

describe.each(days)('around %s', (day) => {
  const today = localDate(day);
  const schedules = buildDemoSchedules(today, toSpan(today));
  const legs = listOperatedLegs(schedules);
  const zones = new Map(airports.map(({ iata, zone }) => [iata, zone]));

  test('a flight keeps its number, variation, times and equipment on the next day', () => {
    const describeLegs = (operated: typeof legs): ReadonlyMap<string, string> => {
      // Every fifth day of four months, so that each day of the week is compared.
      const shared = operated.filter(
        ({ originDate }) => originDate >= today - 6 && originDate <= today + 121 && originDate % 5 === 0,
      );
      return new Map(
        shared.map(({ leg, originDate, departsAt, arrivesAt }) => [
          `${formatDesignator(leg)} ${formatDate(originDate)} ${leg.sequence}`,
          `${leg.itinerary} ${leg.departure.station} ${departsAt} ${leg.arrival.station} ${arrivesAt} ${leg.equipment} ${leg.disclosure}`,
        ]),
      );
    };
    const now = describeLegs(legs);
    const tomorrow = describeLegs(listOperatedLegs(buildDemoSchedules(addDays(today, 1), toSpan(addDays(today, 1)))));
    expect([now.size, now.size > 30_000]).toEqual([tomorrow.size, true]);
    expect([...now].filter(([flight, facts]) => tomorrow.get(flight) !== facts)).toEqual([]);
  });

  test('every UTC variation is correct on every day, and every leg takes between 0 and 24 hours', () => {
    const wrong = legs.filter(({ leg: { departure, arrival }, departsAt, arrivesAt }) => {
      const leaves = departsAt - departure.utcVariationMinutes;
      const lands = arrivesAt - arrival.utcVariationMinutes;
      return (
        getCalendarOffset(zones.get(departure.station) ?? '', leaves) !== departure.utcVariationMinutes ||
        getCalendarOffset(zones.get(arrival.station) ?? '', lands) !== arrival.utcVariationMinutes ||
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
    const daily = schedules
      .flatMap(({ itineraries }) => itineraries.map(({ legs: [first] }) => first))
      .filter(({ period }) => period.days === EVERY_DAY);
    const byFlight = Map.groupBy(daily, formatDesignator);
    expect(byFlight.size).toBeGreaterThan(1000);
    const gaps = [...byFlight].filter(([, flown]) =>
      flown.slice(1).some(({ period }, index) => period.from !== addDays(flown[index]?.period.to ?? today, 1)),
    );
    expect(gaps.map(([flight]) => flight)).toEqual([]);
  });

  test('between 1,500 and 2,500 legs depart on every day of the span', () => {
    const counts = Map.groupBy(legs, ({ originDate }) => originDate);
    const expected = Array.from({ length: 154 }, (_, index) => addDays(today, index - 32));
    expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual(expected);
    const sizes = [...counts.values()].map(({ length }) => length);
    expect(Math.min(...sizes)).toBeGreaterThan(1500);
    expect(Math.max(...sizes)).toBeLessThan(2500);
  });

  test('the legs of an itinerary connect in place and time', () => {
    const minuteOf = (end: { readonly dateVariation: number; readonly aircraftMinutes: number }): number =>
      end.dateVariation * 1440 + end.aircraftMinutes;
    for (const { itineraries } of schedules)
      for (const { legs: itinerary } of itineraries)
        for (const [index, next] of itinerary.slice(1).entries()) {
          const { arrival, sequence } = itinerary[index] ?? itinerary[0];
          expect([next.departure.station, next.sequence]).toEqual([arrival.station, sequence + 1]);
          expect(minuteOf(next.departure)).toBeGreaterThan(minuteOf(arrival));
        }
  });

  test('every leg has an airport, a carrier and a type of the world, and lines count up from 1', () => {
    const types = new Set(equipment.map(({ iata }) => iata));
    const airlines = new Set(carriers.map(({ iata }) => iata));
    const all = schedules.flatMap(({ itineraries }) => itineraries.flatMap(({ legs: each }) => each));
    const unknown = all.filter(
      ({ equipment, carrier, departure, arrival }) =>
        !types.has(equipment) || !airlines.has(carrier) || !zones.has(departure.station) || !zones.has(arrival.station),
    );
    expect(unknown).toEqual([]);
    const lines = schedules.flatMap(({ itineraries }) =>
      itineraries.flatMap(({ legs: each, segmentData }) => [...each, ...segmentData].map(({ line }) => line)),
    );
    expect(lines).toEqual(lines.map((_, index) => index + 1));
  });
});

test('no departure is in an hour that a clock skips, in any year', () => {
  const end = localDate(`${2026 + YEARS}-01-01`);
  for (let today = localDate('2026-01-08'); today < end; today = addDays(today, 365))
    expect(buildDemoSchedules(today).length).toBe(12);
});

test('the minimum connecting times are a valid file, and name stations and airlines of the demo world', async () => {
  const today = localDate('2026-11-21');
  const file = await readMinimumConnectingTimes(today);
  const { records, partners, remarks } = await readMctText(formatMctText(file));
  expect({ records, partners, remarks }).toStrictEqual({ ...file, remarks: [] });
  const codes = new Set(['', ...airports.map(({ iata }) => iata), ...carriers.map(({ iata }) => iata)]);
  const named = records.flatMap(({ arrivalStation, departureStation, arrival, departure }) => {
    const stations = [arrivalStation, departureStation];
    return [...stations, ...[arrival, departure].flatMap(({ carrier, operator }) => [carrier, operator])];
  });
  expect(named.filter((code) => !codes.has(code))).toEqual([]);
});

test('rejects a day less than a month after the first day of the clock changes', () => {
  expect(() => buildDemoSchedules(localDate('2020-01-01'))).toThrow(RangeError);
});
