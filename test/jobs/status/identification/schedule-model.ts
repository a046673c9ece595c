import { buildCarrierFile, buildLeg as buildLegRecord } from '#test/feeds/ssim/build-file.ts';
import type { Random } from '#test/domain/status/random-messages.ts';

/** Minutes that the clock of an airport is ahead of UTC in June. All of these airports are in the tiny world. */
export const offsets = {
  LHR: 60,
  CDG: 120,
  JFK: -240,
  LAX: -420,
  SYD: 600,
  SIN: 480,
  AKL: 720,
  HNL: -600,
} as const;
export type Airport = keyof typeof offsets;
const airports = Object.keys(offsets) as readonly Airport[];

export const DAY = 1440;

/** A leg of a series; minutes count from the midnight, in UTC, of the local date on which the flight leaves its first station. */
type SeriesLeg = { readonly from: Airport; readonly to: Airport; readonly out: number; readonly in: number };

/** A flight that operates on some days. */
export type Series = {
  readonly number: number;
  readonly suffix: string;
  readonly legs: readonly [SeriesLeg, ...SeriesLeg[]];
  /** The days of June on which it leaves its first station, by its clock. */
  readonly days: readonly number[];
};

/** A leg of one flight; minutes count from 1 June, 00:00 UTC. */
export type DatedLeg = {
  readonly name: string;
  readonly series: Series;
  readonly from: Airport;
  readonly to: Airport;
  readonly out: number;
  readonly in: number;
  /** The four dates that senders give it, as days of June. */
  readonly dates: {
    readonly originLocal: number;
    readonly originUtc: number;
    readonly ownLocal: number;
    readonly ownUtc: number;
  };
};

/** A world: all flights of one number. `legs` are those that operate, `absent` those of a day before and after the series. */
export type World = {
  readonly number: number;
  readonly series: readonly Series[];
  readonly legs: readonly DatedLeg[];
  readonly absent: readonly DatedLeg[];
};

const toDay = (minute: number): number => Math.floor(minute / DAY) + 1;
const formatTime = (minute: number): string => {
  const ofDay = ((minute % DAY) + DAY) % DAY;
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}${String(ofDay % 60).padStart(2, '0')}`;
};

/** Formats a minute as `2026-06-01T10:00:00Z`. */
export const formatInstant = (minute: number): string => new Date(Date.UTC(2026, 5, 1) + minute * 60_000).toISOString();

/** Formats a day of June 2026, which can be 0 or 31, as a date. */
export const formatDay = (day: number): string => formatInstant((day - 1) * DAY).slice(0, 10);

const listLegs = (series: Series, day: number): readonly DatedLeg[] => {
  const start = (day - 1) * DAY;
  const firstOut = start + series.legs[0].out;
  return series.legs.map(({ from, to, ...leg }) => {
    const [out, into] = [start + leg.out, start + leg.in];
    const local = out + offsets[from];
    const name = `${series.number}${series.suffix} ${from}-${to} ${formatDay(toDay(local))} ${formatTime(local)}`;
    const dates = { originLocal: day, originUtc: toDay(firstOut), ownLocal: toDay(local), ownUtc: toDay(out) };
    return { name, series, from, to, out, in: into, dates };
  });
};

const pick = <T>(random: Random, values: readonly [T, ...T[]]): T => values[random(values.length)] ?? values[0];

/** Times of departure: anywhere in the day, and often near midnight, local or UTC. */
const createStart = (random: Random, airport: Airport): number => {
  const nearMidnight = (random(24) - 12) * 5;
  const local = [random(DAY / 5) * 5, nearMidnight, nearMidnight + offsets[airport]][random(3)] ?? 0;
  return (((local % DAY) + DAY) % DAY) - offsets[airport];
};

const createLegs = (random: Random): Series['legs'] => {
  const count = pick(random, [1, 1, 1, 2, 2, 3]);
  const stations: Airport[] = [];
  while (stations.length <= count) {
    const next = airports[random(airports.length)];
    if (next && !stations.includes(next)) stations.push(next);
  }
  let out = createStart(random, stations[0] ?? 'LHR');
  const legs: SeriesLeg[] = [];
  for (let index = 0; index < count; index += 1) {
    const [from = 'LHR', to = 'JFK'] = stations.slice(index);
    const into = out + 60 + random(132) * 5;
    legs.push({ from, to, out, in: into });
    out = into + 40 + random(30) * 5;
  }
  const [first, ...rest] = legs;
  if (!first) throw new Error('a flight has a leg');
  return [first, ...rest];
};

const [FIRST_DAY, LAST_DAY] = [5, 13];

const createDays = (random: Random): readonly number[] => {
  const all = Array.from({ length: LAST_DAY - FIRST_DAY + 1 }, (_, index) => FIRST_DAY + index);
  if (random(3) > 0) return all;
  const some = all.filter(() => random(2) === 0);
  return some.length > 0 ? some : all;
};

/** Returns a series some minutes later; undefined if it would leave on the next local date. */
const moveSeries = (series: Series, minutes: number): Series | undefined => {
  const [first, ...rest] = series.legs;
  if (first.out + minutes + offsets[first.from] >= DAY) return undefined;
  const move = (leg: SeriesLeg): SeriesLeg => ({ ...leg, out: leg.out + minutes, in: leg.in + minutes });
  return { ...series, legs: [move(first), ...rest.map(move)] };
};

/** Creates the flights of a number: with stops, near midnight, over the date line, with a suffix, and with a second departure a day. */
export const createWorld = (random: Random, number: number): World => {
  const base: Series = { number, suffix: '', legs: createLegs(random), days: createDays(random) };
  const second = random(3) === 0 && moveSeries({ ...base, days: createDays(random) }, 60 + random(150) * 5);
  const withSuffix = random(4) === 0 && moveSeries({ ...base, suffix: 'A' }, random(20) * 5);
  const series = [base, second, withSuffix].filter((one) => one !== undefined && one !== false);
  const legs = series.flatMap((one) => one.days.flatMap((day) => listLegs(one, day)));
  const absent = series.flatMap((one) => [FIRST_DAY - 1, LAST_DAY + 1].flatMap((day) => listLegs(one, day)));
  return { number, series, legs, absent };
};

const months = ['MAY', 'JUN', 'JUL'];
const formatSsimDate = (day: number): string => {
  const date = new Date(Date.UTC(2026, 5, day));
  return `${String(date.getUTCDate()).padStart(2, '0')}${months[date.getUTCMonth() - 4]}26`;
};
const formatVariation = (offset: number): string =>
  `${offset < 0 ? '-' : '+'}${String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0')}00`;
const formatDateVariation = (days: number): string => (days < 0 ? 'A' : String(days));

/** Builds the records of a series: one of each leg and day, with the itinerary variation of that day. */
const buildRecords = (series: Series, firstVariation: number): readonly string[] =>
  series.days.flatMap((day, index) =>
    listLegs(series, day).map(({ from, to, out, in: into, dates }, leg) => {
      const [departs, arrives] = [out + offsets[from], into + offsets[to]];
      const date = formatSsimDate(dates.ownLocal);
      const weekday = new Date(Date.UTC(2026, 5, dates.ownLocal)).getUTCDay() || 7;
      const [departure, arrival] = [formatTime(departs), formatTime(arrives)];
      return buildLegRecord({
        2: series.suffix || ' ',
        6: String(series.number).padStart(4, '0'),
        10: String(firstVariation + index).padStart(2, '0'),
        12: String(leg + 1).padStart(2, '0'),
        15: date,
        22: date,
        29: ' '.repeat(weekday - 1) + weekday + ' '.repeat(7 - weekday),
        37: from,
        40: departure,
        44: departure,
        48: formatVariation(offsets[from]),
        55: to,
        58: arrival,
        62: arrival,
        66: formatVariation(offsets[to]),
        73: '320',
        193: formatDateVariation(dates.ownLocal - day) + formatDateVariation(toDay(arrives) - day),
      });
    }),
  );

/** Builds the SSIM file of worlds. */
export const buildScheduleFile = (worlds: readonly World[]): string =>
  buildCarrierFile(
    {},
    ...worlds.flatMap(({ series }) => {
      let variation = 1;
      return series.flatMap((one) => {
        if (one.suffix !== '') variation = 1;
        const records = buildRecords(one, variation);
        variation += one.days.length;
        return records;
      });
    }),
  );
