import { expect, test } from 'vitest';
import { computeInstance } from '#domain/schedule/instances.ts';
import type { Itinerary } from '#domain/schedule/schedule.ts';
import { buildSegments } from '#domain/schedule/segments.ts';
import { formatMinute } from '#domain/time/dates.ts';
import { listDepartureDates } from '#domain/time/period.ts';
import { readFileText } from '#test/feeds/ssim/build-file.ts';
import { applyText, zoneOf } from '#test/feeds/schedule-messages/read-message-text.ts';
import { createRandom, type SeededRandom } from '#test/lib/seeded-random.ts';
import * as oracle from './oracle.ts';
import { writeSsimFile } from './write-ssim.ts';
import { writeTelegram } from './write-telegram.ts';

/** Every run is reproducible: the seed is printed, and RANDOM_WORLDS multiplies the count. */
const seed = Number(process.env['RANDOM_SEED'] ?? 20_260_601);
const worldCount = 150 * Number(process.env['RANDOM_WORLDS'] ?? 1);

const routes = [
  ['LHR', 'JFK'],
  ['AKL', 'HNL'],
  ['HNL', 'SYD'],
  ['LHR', 'SIN', 'SYD'],
  ['SYD', 'AKL', 'LAX'],
] as const;
const flights = ['X2101', 'X2102', 'X2101A', 'Y79'] as const;
/** Around the clock changes of both hemispheres. */
const seasons = ['2026-09-20', '2026-10-18', '2027-03-07', '2027-03-28'] as const;

const drawPeriod = (random: SeededRandom, begin: string): oracle.OracleMessage['period'] => {
  const from = oracle.shiftDay(begin, random.integer(0, 10));
  const to = oracle.shiftDay(from, random.integer(7, 28));
  const days = random
    .sample([...'1234567'], random.integer(1, 7))
    .toSorted()
    .join('');
  return [from, to, days, random.chance(20) ? 2 : 1];
};

/** Draws a period within dates; each of its dates is one of these. */
const drawWithin = (random: SeededRandom, dates: readonly string[]): oracle.OracleMessage['period'] | undefined => {
  if (dates.length === 0) return undefined;
  const [one, other] = [random.pick(dates), random.pick(dates)].toSorted();
  const [from = '', to = ''] = [one, other];
  const days = [...'1234567'].filter((digit) => {
    const within = oracle.datesOf([from, to, digit, 1]);
    return within.length > 0 && within.every((date) => dates.includes(date));
  });
  const chosen = random.sample(days, random.integer(1, 7)).toSorted().join('');
  const period: oracle.OracleMessage['period'] = [from, to, chosen, random.chance(20) ? 2 : 1];
  return chosen === '' || oracle.datesOf(period).length === 0 ? undefined : period;
};

const sameLegs = (list: readonly oracle.OracleFlight[]): boolean =>
  new Set(list.map(({ mode, legs }) => JSON.stringify([mode, legs]))).size <= 1;
const stationsOf = ({ legs }: oracle.OracleFlight): readonly string[] => [
  ...legs.map(({ from }) => from),
  legs.at(-1)?.to ?? '',
];

/** The message before in the same telegram: a further group repeats its flight and action. */
type Before = Pick<oracle.OracleMessage, 'mode' | 'flight' | 'action' | 'withdraws'>;
type DrawOptions = { readonly begin: string; readonly mode: oracle.Mode; readonly before?: Before | undefined };

const drawSsm = (
  random: SeededRandom,
  world: oracle.OracleWorld,
  { begin, mode, before }: DrawOptions,
): oracle.OracleMessage | undefined => {
  const flight = before?.flight ?? random.pick(flights);
  const action = before?.action ?? random.pick(['NEW', 'CNL', 'RPL', 'TIM', 'EQT', 'REV', 'FLT', 'SKD']);
  const { base } = oracle.layersOf(world, flight);
  const dates = base.map((one) => oracle.dateIn(one, mode));
  const isFree = (
    of: string,
    period: oracle.OracleMessage['period'],
    except: readonly oracle.OracleFlight[] = [],
  ): boolean => {
    const taken = oracle
      .layersOf(world, of)
      .base.filter((one) => !except.includes(one))
      .map((one) => oracle.dateIn(one, mode));
    return oracle.datesOf(period).every((date) => !taken.includes(date));
  };
  const draw = (stations: readonly string[], period: oracle.OracleMessage['period']) =>
    oracle.drawLegs(random, { mode, date: oracle.datesOf(period)[0] ?? period[0], stations });
  const message = { kind: 'SSM', action, mode, flight, withdraws: before?.withdraws ?? random.chance(25) } as const;
  if (action === 'NEW') {
    const period = drawPeriod(random, begin);
    const open = [period[0], oracle.seasonEnd, period[2], period[3]] as const;
    if (random.chance(20) && !message.withdraws && oracle.datesOf(open).length > 0)
      return isFree(flight, open)
        ? { ...message, period: open, isOpen: true, legs: draw(random.pick(routes), open) }
        : undefined;
    return isFree(flight, period) && oracle.datesOf(period).length > 0
      ? { ...message, period, legs: draw(random.pick(routes), period) }
      : undefined;
  }
  const exact = drawWithin(random, dates);
  if (!exact) return undefined;
  // REV and FLT check the dates of their targets, which only exact periods name.
  const isExact = action === 'REV' || action === 'FLT';
  const isOpen = !isExact && !message.withdraws && random.chance(15);
  const isWide = !isExact && random.chance(20);
  const period: oracle.OracleMessage['period'] = isWide
    ? [oracle.shiftDay(exact[0], -random.integer(0, 20)), oracle.shiftDay(exact[1], 20), '1234567', exact[3]]
    : exact;
  const selection = { period, ...(isOpen && { isOpen }) };
  const hit = base.filter((one) => oracle.isWithin({ ...message, ...selection }, oracle.dateIn(one, mode)));
  const [first] = hit;
  if (!first) return undefined;
  const isOneRoute = hit.every((one) => stationsOf(one).join() === stationsOf(first).join());
  const firstDate = hit.map((one) => oracle.dateIn(one, mode)).toSorted()[0] ?? period[0];
  const drawFor = (stations: readonly string[]) => oracle.drawLegs(random, { mode, date: firstDate, stations });
  if (action === 'CNL' || action === 'SKD') return { ...message, ...selection };
  if (action === 'RPL') return { ...message, ...selection, legs: drawFor(random.pick(routes)) };
  if (action === 'EQT') {
    const leg = random.pick(first.legs);
    const scope = [leg.from, leg.to] as const;
    const scoped = isOneRoute && random.chance(50) ? { scope } : {};
    return { ...message, ...selection, ...scoped, legs: drawFor(['LHR', 'JFK']) };
  }
  // Two departures of a date would become one.
  const isOnceADay = new Set(hit.map((one) => oracle.dateIn(one, mode))).size === hit.length;
  if (action === 'TIM')
    return isOneRoute && isOnceADay ? { ...message, ...selection, legs: drawFor(stationsOf(first)) } : undefined;
  if (action === 'FLT') {
    const newFlight = random.pick(flights.filter((one) => one !== flight && one.startsWith('X2')));
    return flight !== 'Y79' && isFree(newFlight, period) ? { ...message, period, newFlight } : undefined;
  }
  const shifts = new Set(hit.map((one) => oracle.parseDay(one.date) - oracle.parseDay(oracle.dateIn(one, mode))));
  const newPeriod: oracle.OracleMessage['period'] = [
    oracle.shiftDay(period[0], 7),
    oracle.shiftDay(period[1], 7),
    period[2],
    period[3],
  ];
  return sameLegs(hit) && shifts.size === 1 && isFree(flight, newPeriod, hit)
    ? { ...message, period, newPeriod }
    : undefined;
};

const drawAsm = (
  random: SeededRandom,
  world: oracle.OracleWorld,
  { begin, mode }: DrawOptions,
): oracle.OracleMessage | undefined => {
  const flight = random.pick(flights);
  const action = random.pick(['NEW', 'CNL', 'RIN', 'RPL', 'TIM', 'EQT', 'RRT', 'FLT']);
  const layers = oracle.layersOf(world, flight);
  const all = oracle.inForce(layers);
  // Dates with an ad hoc change are drawn often, so that changes, cancellations and reinstatements meet.
  const changed = all.filter((one) =>
    [...layers.adHoc].some(([key, { flights: of = [] }]) => key === oracle.dateIn(one, 'LT') || of.includes(one)),
  );
  const drawn = changed.length > 0 && random.chance(70) ? changed : all;
  const date =
    action === 'NEW'
      ? oracle.shiftDay(begin, random.integer(0, 40))
      : drawn.length > 0
        ? oracle.dateIn(random.pick(drawn), mode)
        : undefined;
  if (date === undefined) return undefined;
  const found = all.filter((one) => oracle.dateIn(one, mode) === date);
  const near = all.filter(
    (one) => Math.abs(oracle.parseDay(oracle.dateIn(one, 'LT')) - oracle.parseDay(date)) <= 86_400_000 * 2,
  );
  const [first] = found;
  const message = { kind: 'ASM', action, mode, flight, period: [date, date, '1234567', 1] } as const;
  const draw = (stations: readonly string[]) => oracle.drawLegs(random, { mode, date, stations });
  if (action === 'NEW') return near.length === 0 ? { ...message, legs: draw(random.pick(routes)) } : undefined;
  if (!first || found.length > 1) return undefined;
  const entry =
    [...layers.adHoc].find(([, { flights: of = [] }]) => of.includes(first))?.[1] ??
    layers.adHoc.get(oracle.dateIn(first, 'LT'));
  if (action === 'RIN') return entry?.cancelled ? message : undefined;
  if (action === 'CNL') return message;
  const lastLeg = first.legs.at(-1);
  const lastScope = lastLeg && ([lastLeg.from, lastLeg.to] as const);
  if (action === 'EQT') {
    const leg = random.pick(first.legs);
    const scope = [leg.from, leg.to] as const;
    return { ...message, ...(random.chance(50) && { scope }), legs: draw(['LHR', 'JFK']) };
  }
  if (action === 'RRT') {
    if (!lastLeg || !lastScope) return undefined;
    const to = random.pick(['LHR', 'JFK', 'SYD', 'AKL', 'HNL', 'SIN', 'LAX'].filter((one) => one !== lastLeg.from));
    return { ...message, scope: lastScope, legs: [oracle.drawDiversion(random, oracle.showIn(first, mode), to)] };
  }
  if (action === 'FLT') {
    const newFlight = random.pick(flights.filter((one) => one !== flight && one.startsWith('X2')));
    const target = oracle.layersOf(world, newFlight);
    const isNear = [...oracle.inForce(target), ...target.base].some(
      (one) => Math.abs(oracle.parseDay(oracle.dateIn(one, 'LT')) - oracle.parseDay(date)) <= 86_400_000 * 3,
    );
    const isTaken = [...target.adHoc.keys()].some(
      (key) => Math.abs(oracle.parseDay(key) - oracle.parseDay(date)) <= 86_400_000 * 3,
    );
    if (flight === 'Y79' || isNear || isTaken) return undefined;
    // A schedule file has no flight that leaves its first station on another day than its origin date.
    const isPart = first.legs.length > 1 && lastLeg?.out[1] === 0 && random.chance(50);
    return { ...message, newFlight, ...(isPart && lastScope && { scope: lastScope }) };
  }
  // The times of one leg of several, also by another clock.
  if (action === 'TIM' && lastLeg && first.legs.length > 1 && random.chance(50))
    return { ...message, legs: [oracle.drawDiversion(random, oracle.showIn(first, mode), lastLeg.to)] };
  return { ...message, legs: draw(action === 'TIM' ? stationsOf(first) : random.pick(routes)) };
};

/** Draws the sub-messages of a telegram, each over the schedule after those before it, and applies them. */
const drawTelegram = (
  random: SeededRandom,
  world: oracle.OracleWorld,
  begin: string,
): readonly oracle.OracleMessage[] => {
  const [isPeriodic, mode] = [random.chance(60), random.pick(['LT', 'UTC'] as const)];
  const messages: oracle.OracleMessage[] = [];
  for (let more = random.pick([1, 1, 2, 3]); more > 0; more -= 1) {
    const before = random.chance(50) ? messages.at(-1) : undefined;
    const message = isPeriodic
      ? drawSsm(random, world, { begin, mode, before })
      : drawAsm(random, world, { begin, mode });
    if (!message) continue;
    oracle.applyToOracle(world, message);
    messages.push(message);
  }
  return messages;
};

const formatMoment = (at: Parameters<typeof formatMinute>[0]): string =>
  formatMinute(at).slice(0, 16).replace(' ', 'T');

const listInstances = (itineraries: readonly Itinerary[]): readonly string[] =>
  itineraries.flatMap((itinerary) =>
    buildSegments(itinerary)
      .filter(({ legs }) => legs.length === 1)
      .flatMap((segment) => {
        const [{ carrier, flightNumber, suffix, departure, arrival, equipment, configuration, period, cockpitCrew }] =
          segment.legs;
        return [...listDepartureDates(period)].map((date) => {
          const at = computeInstance(segment, date, { firstLeg: itinerary.legs[0], zoneOf });
          const departs = `${departure.station} ${formatMoment(at.departsAtUtc)} ${formatMoment(at.departsAtLocal)}`;
          const arrives = `${arrival.station} ${formatMoment(at.arrivesAtUtc)}`;
          return `${carrier}${flightNumber}${suffix} ${departs} ${arrives} ${equipment}.${configuration} ${cockpitCrew.code}`;
        });
      }),
  );

test(
  `schedules after messages equal an independent model, and the file of that model (${worldCount} worlds, seed ${seed})`,
  { timeout: 60_000 + 100 * worldCount },
  async () => {
    let [messageCount, instanceCount] = [0, 0];
    for (let number = 0; number < worldCount; number += 1) {
      const random = createRandom(seed + number);
      const begin = random.pick(seasons);
      const world: oracle.OracleWorld = new Map();
      const base = random
        .times(random.integer(1, 5), () => {
          const [flight, mode, period] = [
            random.pick(flights),
            random.pick(['LT', 'UTC'] as const),
            drawPeriod(random, begin),
          ];
          const date = oracle.datesOf(period)[0] ?? period[0];
          return { flight, mode, period, legs: oracle.drawLegs(random, { mode, date, stations: random.pick(routes) }) };
        })
        .filter(({ period }) => oracle.datesOf(period).length > 0);
      for (const { flight, mode, period, legs } of base)
        oracle.layersOf(world, flight).base.push(...oracle.datesOf(period).map((date) => ({ mode, date, legs })));
      const { itineraries: filed } = await readFileText(writeSsimFile(base));
      const texts: string[] = [];
      for (let attempt = 0; attempt < 40 && texts.length < 12; attempt += 1) {
        const messages = drawTelegram(random, world, begin);
        if (messages.length === 0) continue;
        texts.push(writeTelegram(messages, texts.length + 1, random));
        messageCount += messages.length;
      }
      // Receipt in any order gives the order of the references.
      const amended = await applyText(random.sample(texts, texts.length).join(''), filed);
      const expected = [...world]
        .flatMap(([flight, layers]) => oracle.inForce(layers).flatMap((one) => oracle.describeFlight(flight, one)))
        .toSorted();
      const where = `world ${number} of seed ${seed}:\n${texts.join('')}`;
      expect(amended.rejections, where).toEqual([]);
      expect(listInstances(amended.itineraries).toSorted(), where).toEqual(expected);
      const merged = [...world].flatMap(([flight, layers]) =>
        oracle
          .inForce(layers)
          .map(({ mode, date, legs }) => ({ flight, mode, legs, period: [date, date, '1234567', 1] as const })),
      );
      // A file without flights is rejected.
      const reloaded = merged.length === 0 ? [] : (await readFileText(writeSsimFile(merged))).itineraries;
      expect(listInstances(reloaded).toSorted(), where).toEqual(expected);
      instanceCount += expected.length;
    }
    process.stdout.write(`${worldCount} worlds, ${messageCount} messages, ${instanceCount} instances, 0 differences\n`);
    expect(messageCount).toBeGreaterThan(worldCount);
  },
);
