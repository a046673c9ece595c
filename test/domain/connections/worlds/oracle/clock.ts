const DAY = 1440;

const formats = new Map<string, Intl.DateTimeFormat>();
const daysOfZone = new Map<string, Map<number, number | readonly number[]>>();

const twoDigits = { month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
const formatOf = (zone: string): Intl.DateTimeFormat => {
  const options = { timeZone: zone, hourCycle: 'h23', year: 'numeric', ...twoDigits } as const;
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-GB', options);
  formats.set(zone, format);
  return format;
};

export const readClock = (zone: string, utc: number): number => {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(utc * 60_000)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute')) / 60_000;
  return wall - utc;
};

/** Local minus UTC, minutes: one offset for a day whose two ends agree, one a minute for the days of clock changes. */
export const getOffset = (zone: string, utc: number): number => {
  const days = daysOfZone.get(zone) ?? new Map<number, number | readonly number[]>();
  daysOfZone.set(zone, days);
  const day = Math.floor(utc / DAY);
  let known = days.get(day);
  if (known === undefined) {
    const [start, end] = [readClock(zone, day * DAY), readClock(zone, (day + 1) * DAY)];
    known = start === end ? start : Array.from({ length: DAY }, (_, minute) => readClock(zone, day * DAY + minute));
    days.set(day, known);
  }
  return typeof known === 'number' ? known : (known[utc - day * DAY] ?? 0);
};

/** Returns the UTC minute of a wall-clock minute, by the filed variation if possible. A skipped hour counts as before. */
export const toUtc = (zone: string, local: number, filed: number): number => {
  const isRight = (offset: number): boolean => getOffset(zone, local - offset) === offset;
  if (isRight(filed)) return local - filed;
  const before = getOffset(zone, local - DAY);
  const fitting = [before, getOffset(zone, local + DAY)].filter(isRight).map((offset) => local - offset);
  return fitting.length > 0 ? Math.min(...fitting) : local - before;
};

/** `YYYY-MM-DD HH:mm` of minutes since 1970-01-01. */
export const formatMinute = (minute: number): string =>
  new Date(minute * 60_000).toISOString().slice(0, 16).replace('T', ' ');
