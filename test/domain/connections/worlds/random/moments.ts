import type { WorldSetting } from './world-setting.ts';
import { unknownStations } from './themes.ts';

/** A departure or an arrival of a flight, UTC minutes since 1970-01-01. */
export type Moment = { readonly station: string; readonly utc: number; readonly isArrival: boolean };

/** Stations in order; a flight calls at a hub, whose index among its stations selects the end that is timed. */
const routeOf = ({
  codes,
  hubs,
  slowPercent,
  random,
}: WorldSetting): { readonly route: readonly string[]; readonly hubAt: number } => {
  const length = random.chance(slowPercent) ? 4 : random.pick([2, 2, 2, 2, 3, 3, 4]);
  const hub = random.pick(hubs);
  const hubAt = random.chance(75) ? random.pick([0, length - 1]) : random.integer(0, length - 1);
  const route: string[] = [];
  for (let index = 0; index < length; index += 1) {
    const others = codes.filter((code) => code !== route.at(-1) && !(index === hubAt - 1 && code === hub));
    const elsewhere = random.chance(2) ? random.pick(unknownStations) : random.pick(others);
    route.push(index === hubAt ? hub : elsewhere);
  }
  return { route, hubAt };
};

const roundTo5 = (minute: number): number => Math.round(minute / 5) * 5;

/** The departures and arrivals of a flight in order, around the instant of the theme where it calls at a hub. */
export const createMoments = (setting: WorldSetting): readonly Moment[] => {
  const { theme, slowPercent, random } = setting;
  const { route, hubAt } = routeOf(setting);
  const middle = theme.day * 1440 + theme.minute;
  const atHub =
    hubAt === 0 ? middle + random.integer(-60, random.pick([120, 300, 600])) : middle + random.integer(-200, 90);
  // Date variations have their maximum if a flight stays at its stops for days.
  const isSlow = random.chance(slowPercent);
  const moments: Moment[] = [];
  let clock = 0;
  for (const [index, station] of route.entries()) {
    if (index > 0) {
      clock += random.integer(8, 110) * 5;
      moments.push({ station, utc: clock, isArrival: true });
    }
    if (index === route.length - 1) continue;
    if (index > 0) clock += isSlow ? 1440 + random.integer(0, 400) * 5 : random.integer(6, 40) * 5;
    moments.push({ station, utc: clock, isArrival: false });
  }
  const timed = moments[hubAt === 0 ? 0 : 2 * hubAt - 1]?.utc ?? 0;
  return moments.map((moment) => ({ ...moment, utc: roundTo5(atHub) - timed + moment.utc }));
};
