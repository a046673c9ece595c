import type { SeededRandom } from '#test/lib/seeded-random.ts';

/**
 * An independent model of schedules: flights by local origin date, with instants. It shares no code with the service: dates are strings,
 * instants are milliseconds, and offsets come from Intl.
 */
export type OracleLeg = {
  readonly from: string;
  readonly to: string;
  /** Wall-clock minutes and days after the origin date, in the time mode. */
  readonly out: readonly [minutes: number, days: number];
  readonly in: readonly [minutes: number, days: number];
  readonly type: string;
  readonly configuration: string;
  /** Cockpit crew employer, data element 4; '' for none. */
  readonly crew: string;
};
export type Mode = 'LT' | 'UTC';
/** A routing on one origin date, counted by the clock of its mode. */
export type OracleFlight = { readonly mode: Mode; readonly date: string; readonly legs: readonly OracleLeg[] };
type Layers = { base: OracleFlight[]; adHoc: Map<string, { flights: OracleFlight[] | undefined; cancelled: boolean }> };
export type OracleWorld = Map<string, Layers>;

const zones: Readonly<Record<string, string>> = {
  LHR: 'Europe/London',
  JFK: 'America/New_York',
  SYD: 'Australia/Sydney',
  AKL: 'Pacific/Auckland',
  HNL: 'Pacific/Honolulu',
  SIN: 'Asia/Singapore',
  LAX: 'America/Los_Angeles',
};
const day = 86_400_000;
const formatters = new Map(
  Object.entries(zones).map(([station, timeZone]) => [
    station,
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      hourCycle: 'h23',
    }),
  ]),
);

/** Returns the wall clock at a station, as milliseconds of a UTC clock that shows the same. */
const wallAt = (station: string, instant: number): number => {
  const parts = Object.fromEntries(
    (formatters.get(station)?.formatToParts(instant) ?? []).map(({ type, value }) => [type, Number(value)]),
  );
  return Date.UTC(parts['year'] ?? 0, (parts['month'] ?? 0) - 1, parts['day'], parts['hour'], parts['minute']);
};

/** Returns the instant of a wall clock; in an hour that is skipped, by the offset before the change. */
const instantOf = (station: string, wall: number): number => {
  const offsets = [-day, day].map((shift) => wallAt(station, wall + shift) - (wall + shift));
  return (
    offsets.map((offset) => wall - offset).find((instant) => wallAt(station, instant) === wall) ??
    wall - (offsets[0] ?? 0)
  );
};

export const parseDay = (date: string): number => Date.parse(`${date}T00:00:00Z`);
export const shiftDay = (date: string, days: number): string =>
  new Date(parseDay(date) + days * day).toISOString().slice(0, 10);

const momentOf = (mode: Mode, date: string, station: string, [minutes, days]: readonly [number, number]): number => {
  const clock = parseDay(date) + days * day + minutes * 60_000;
  return mode === 'UTC' ? clock : instantOf(station, clock);
};

/** Returns local time minus UTC at a moment, minutes. */
export const offsetAt = (mode: Mode, date: string, station: string, time: readonly [number, number]): number => {
  const instant = momentOf(mode, date, station, time);
  return (wallAt(station, instant) - instant) / 60_000;
};

/** Returns the origin date of a flight by another clock. */
export const dateIn = (flight: OracleFlight, mode: Mode): string => {
  const [first] = flight.legs;
  if (!first || flight.mode === mode) return flight.date;
  const instant = momentOf(flight.mode, flight.date, first.from, first.out);
  // The clocks are compared at the first departure, which can be on another day than the origin date.
  const shown = mode === 'UTC' ? instant : wallAt(first.from, instant);
  return new Date(shown - first.out[1] * day).toISOString().slice(0, 10);
};

/** Lists the legs of a flight as text: stations, instants, local departure and equipment. */
export const describeFlight = (designator: string, { mode, date, legs }: OracleFlight): readonly string[] =>
  legs.map(({ from, to, out, in: arrival, type, configuration, crew }) => {
    const departs = momentOf(mode, date, from, out);
    const arrives = momentOf(mode, date, to, arrival);
    // The filed local time, except in an hour that a clock change skips.
    const local = wallAt(from, departs);
    const text = (instant: number): string => new Date(instant).toISOString().slice(0, 16);
    return `${designator} ${from} ${text(departs)} ${text(local)} ${to} ${text(arrives)} ${type}.${configuration} ${crew}`;
  });

export type OracleMessage = {
  readonly kind: 'SSM' | 'ASM';
  readonly action: string;
  readonly mode: Mode;
  readonly flight: string;
  /** From, to, days of operation as digits, weeks; an ASM has one date. */
  readonly period: readonly [string, string, string, 1 | 2];
  readonly newPeriod?: readonly [string, string, string, 1 | 2];
  readonly newFlight?: string;
  /** XASM. */
  readonly withdraws?: boolean;
  readonly legs?: readonly OracleLeg[];
  /** The leg concerned; all legs when absent. */
  readonly scope?: readonly [from: string, to: string];
  /** Whether the period ends with what is filed. */
  readonly isOpen?: boolean;
};

/** The end of the filed schedules. */
export const seasonEnd = '2026-10-24';

/** Returns whether a period of a message has a date; an open one has no end. */
export const isWithin = ({ period: [from, to, days, weeks], isOpen = false }: OracleMessage, date: string): boolean => {
  const elapsed = Math.round((parseDay(date) - parseDay(from)) / day);
  const weekday = String(new Date(parseDay(date)).getUTCDay() || 7);
  const isInSpan = date >= from && (isOpen || date <= to);
  return isInSpan && days.includes(weekday) && (weeks === 1 || Math.floor(elapsed / 7) % 2 === 0);
};

/** Lists the dates of a period. */
export const datesOf = ([from, to, days, weeks]: OracleMessage['period']): readonly string[] => {
  const dates: string[] = [];
  for (let date = from; date <= to; date = shiftDay(date, 1)) {
    const elapsed = Math.round((parseDay(date) - parseDay(from)) / day);
    const weekday = String(new Date(parseDay(date)).getUTCDay() || 7);
    if (days.includes(weekday) && (weeks === 1 || Math.floor(elapsed / 7) % 2 === 0)) dates.push(date);
  }
  return dates;
};

export const layersOf = (world: OracleWorld, flight: string): Layers => {
  const layers = world.get(flight) ?? { base: [], adHoc: new Map() };
  world.set(flight, layers);
  return layers;
};

/** Lists the flights of a designator in force. */
export const inForce = ({ base, adHoc }: Layers): readonly OracleFlight[] => [
  ...base.filter((flight) => adHoc.get(dateIn(flight, 'LT'))?.flights === undefined),
  ...[...adHoc.values()].flatMap(({ flights = [] }) => flights),
];

/** Shows a flight by another clock: the same instants. */
export const showIn = (flight: OracleFlight, mode: Mode): OracleFlight => {
  if (flight.mode === mode) return flight;
  const date = dateIn(flight, mode);
  const show = (station: string, time: readonly [number, number]): readonly [number, number] => {
    const instant = momentOf(flight.mode, flight.date, station, time);
    const shown = (mode === 'UTC' ? instant : wallAt(station, instant)) - parseDay(date);
    return [(((shown / 60_000) % 1440) + 1440) % 1440, Math.floor(shown / day)];
  };
  const legs = flight.legs.map((leg) => ({ ...leg, out: show(leg.from, leg.out), in: show(leg.to, leg.in) }));
  return { mode, date, legs };
};

const retime = (flight: OracleFlight, message: OracleMessage): OracleFlight => {
  const shown = showIn(flight, message.mode);
  const legs = shown.legs.map((leg) => {
    const stated = message.legs?.find(({ from, to }) => from === leg.from && to === leg.to);
    return { ...leg, out: stated?.out ?? leg.out, in: stated?.in ?? leg.in };
  });
  return { ...shown, legs };
};
const isScoped = ({ scope }: OracleMessage, { from, to }: OracleLeg): boolean =>
  scope === undefined || (scope[0] === from && scope[1] === to);
const reequip = (flight: OracleFlight, message: OracleMessage): OracleFlight => {
  const { type = '', configuration = '', crew = '' } = message.legs?.[0] ?? {};
  return {
    ...flight,
    legs: flight.legs.map((leg) =>
      isScoped(message, leg) ? { ...leg, type, configuration, crew: crew || leg.crew } : leg,
    ),
  };
};
const reroute = (flight: OracleFlight, message: OracleMessage): OracleFlight => {
  const shown = showIn(flight, message.mode);
  return { ...shown, legs: shown.legs.flatMap((leg) => (isScoped(message, leg) ? (message.legs ?? []) : [leg])) };
};
const patch = (flight: OracleFlight, message: OracleMessage): OracleFlight =>
  message.action === 'TIM' ? retime(flight, message) : reequip(flight, message);
const build = ({ mode, legs = [] }: OracleMessage, date: string): OracleFlight => ({ mode, date, legs });

/** XASM: drops the ad hoc changes of flights that leave on one of the dates. */
const withdraw = (layers: Layers, { mode, period }: OracleMessage): void => {
  const dates = datesOf(period);
  for (const [key, { flights = [] }] of layers.adHoc) {
    const concerned = flights.length > 0 ? flights : layers.base.filter((one) => dateIn(one, 'LT') === key);
    if (concerned.some((one) => dates.includes(dateIn(one, mode)))) layers.adHoc.delete(key);
  }
};

const applyPeriod = (world: OracleWorld, message: OracleMessage): void => {
  const { action, flight, mode, period } = message;
  const layers = layersOf(world, flight);
  if (message.withdraws) withdraw(layers, message);
  const isHit = (one: OracleFlight): boolean => isWithin(message, dateIn(one, mode));
  const [hit, rest] = [layers.base.filter(isHit), layers.base.filter((one) => !isHit(one))];
  // RPL does not extend a schedule.
  const dates =
    action === 'RPL'
      ? [...new Set(hit.map((one) => dateIn(one, mode)))]
      : datesOf(message.isOpen ? [period[0], seasonEnd, period[2], period[3]] : period);
  const built = dates.map((date) => build(message, date));
  if (action === 'NEW') layers.base.push(...built);
  if (action === 'SKD' || action === 'CNL') layers.base = rest;
  if (action === 'RPL') layers.base = [...rest, ...built];
  if (action === 'TIM' || action === 'EQT') layers.base = [...rest, ...hit.map((one) => patch(one, message))];
  if (action === 'REV' && message.newPeriod && hit[0]) {
    const [first] = hit;
    const shift = Math.round((parseDay(first.date) - parseDay(dateIn(first, mode))) / day);
    layers.base = [...rest, ...datesOf(message.newPeriod).map((date) => ({ ...first, date: shiftDay(date, shift) }))];
  }
  if (action === 'FLT' && message.newFlight !== undefined) {
    layers.base = rest;
    layersOf(world, message.newFlight).base.push(...hit);
  }
};

const applyDate = (world: OracleWorld, message: OracleMessage): void => {
  const { action, flight, mode, period } = message;
  const layers = layersOf(world, flight);
  const [date] = period;
  const flights = inForce(layers).filter((one) => dateIn(one, mode) === date);
  const entry = [...layers.adHoc].find(([, { flights: changed = [] }]) =>
    changed.some((one) => flights.includes(one)),
  )?.[0];
  const built = action === 'NEW' || action === 'RPL' ? [build(message, date)] : [];
  const key = entry ?? ((flights[0] ?? built[0]) ? dateIn((flights[0] ?? built[0]) as OracleFlight, 'LT') : date);
  const before = layers.adHoc.get(key);
  if (action === 'NEW' || action === 'RPL') layers.adHoc.set(key, { flights: built, cancelled: false });
  if (action === 'TIM' || action === 'EQT')
    layers.adHoc.set(key, {
      flights: flights.map((one) => patch(one, message)),
      cancelled: before?.cancelled ?? false,
    });
  if (action === 'RRT')
    layers.adHoc.set(key, { flights: flights.map((one) => reroute(one, message)), cancelled: false });
  if (action === 'FLT' && message.newFlight !== undefined) {
    const part = (isMoved: boolean): OracleFlight[] =>
      flights
        .map((one) => ({ ...one, legs: one.legs.filter((leg) => isScoped(message, leg) === isMoved) }))
        .filter(({ legs }) => legs.length > 0);
    const cancelled = before?.cancelled ?? false;
    layers.adHoc.set(key, { flights: part(false), cancelled });
    layersOf(world, message.newFlight).adHoc.set(key, { flights: part(true), cancelled });
  }
  if (action === 'CNL') layers.adHoc.set(key, { flights: before?.flights, cancelled: true });
  if (action === 'RIN' && before?.flights) layers.adHoc.set(key, { ...before, cancelled: false });
  if (action === 'RIN' && !before?.flights) layers.adHoc.delete(key);
};

export const applyToOracle = (world: OracleWorld, message: OracleMessage): void =>
  message.kind === 'SSM' ? applyPeriod(world, message) : applyDate(world, message);

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
export const writeDay = (date: string): string =>
  `${date.slice(8)}${monthNames[Number(date.slice(5, 7)) - 1]}${date.slice(2, 4)}`;
export const writeClock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}${String(minutes % 60).padStart(2, '0')}`;
export const writeEnd = (station: string, [minutes, days]: readonly [number, number]): string =>
  `${station}${writeClock(minutes)}${days === 0 ? '' : days === -1 ? '/M1' : `/${days}`}`;

/** Draws legs that follow each other by instants around a date; the clock of the mode writes them. */
export const drawLegs = (
  random: SeededRandom,
  { mode, date, stations }: { readonly mode: Mode; readonly date: string; readonly stations: readonly string[] },
): readonly OracleLeg[] => {
  const wall = (station: string, instant: number): number => (mode === 'UTC' ? instant : wallAt(station, instant));
  const start = parseDay(date) + 5 * random.integer(0, 287) * 60_000;
  let instant = mode === 'UTC' ? start : instantOf(stations[0] ?? '', start);
  const split = (station: string, at: number): readonly [number, number] => {
    const shown = wall(station, at) - parseDay(date);
    return [(((shown / 60_000) % 1440) + 1440) % 1440, Math.floor(shown / day)];
  };
  return stations.slice(1).map((to, index) => {
    const from = stations[index] ?? '';
    const departs = instant + (index === 0 ? 0 : 60 * 60_000);
    const arrives = departs + 5 * random.integer(30, 130) * 60_000;
    instant = arrives;
    return {
      from,
      to,
      out: split(from, departs),
      in: split(to, arrives),
      type: random.pick(['789', '320', '77W']),
      configuration: `Y${random.integer(100, 300)}`,
      crew: random.pick(['', '', 'XB', 'XC']),
    };
  });
};

/** Draws a leg that takes the place of the last one of a flight: the same departure to another station. */
export const drawDiversion = (random: SeededRandom, { mode, date, legs }: OracleFlight, to: string): OracleLeg => {
  const last = legs.at(-1);
  if (!last) throw new Error('a flight has legs');
  const arrives = momentOf(mode, date, last.from, last.out) + 5 * random.integer(30, 130) * 60_000;
  const shown = (mode === 'UTC' ? arrives : wallAt(to, arrives)) - parseDay(date);
  const arrival = [(((shown / 60_000) % 1440) + 1440) % 1440, Math.floor(shown / day)] as const;
  return { ...last, to, in: arrival };
};
