import type { Setting } from './setting.ts';
import { strangers } from './themes.ts';

/** A departure or an arrival of a flight, UTC minutes since 1970-01-01. */
export type Moment = { readonly station: string; readonly utc: number; readonly isArrival: boolean };

/** Stations in order; a flight calls at a hub, and the number of the hub among its stations tells which end is timed. */
const routeOf = ({
  codes,
  hubs,
  slowPercent,
  chance,
}: Setting): { readonly route: readonly string[]; readonly hubAt: number } => {
  const length = chance.chance(slowPercent) ? 4 : chance.pick([2, 2, 2, 2, 3, 3, 4]);
  const hub = chance.pick(hubs);
  const hubAt = chance.chance(75) ? chance.pick([0, length - 1]) : chance.integer(0, length - 1);
  const route: string[] = [];
  for (let index = 0; index < length; index += 1) {
    const others = codes.filter((code) => code !== route.at(-1) && !(index === hubAt - 1 && code === hub));
    const elsewhere = chance.chance(2) ? chance.pick(strangers) : chance.pick(others);
    route.push(index === hubAt ? hub : elsewhere);
  }
  return { route, hubAt };
};

const roundTo5 = (minute: number): number => Math.round(minute / 5) * 5;

/** The departures and arrivals of a flight in order, around the moment of the theme where it calls at a hub. */
export const momentsOf = (setting: Setting): readonly Moment[] => {
  const { theme, slowPercent, chance } = setting;
  const { route, hubAt } = routeOf(setting);
  const middle = theme.day * 1440 + theme.minute;
  const atHub =
    hubAt === 0 ? middle + chance.integer(-60, chance.pick([120, 300, 600])) : middle + chance.integer(-200, 90);
  // Date variations reach as far as they may where a flight stands at its stops for days.
  const isSlow = chance.chance(slowPercent);
  const moments: Moment[] = [];
  let clock = 0;
  for (const [index, station] of route.entries()) {
    if (index > 0) {
      clock += chance.integer(8, 110) * 5;
      moments.push({ station, utc: clock, isArrival: true });
    }
    if (index === route.length - 1) continue;
    if (index > 0) clock += isSlow ? 1440 + chance.integer(0, 400) * 5 : chance.integer(6, 40) * 5;
    moments.push({ station, utc: clock, isArrival: false });
  }
  const timed = moments[hubAt === 0 ? 0 : 2 * hubAt - 1]?.utc ?? 0;
  return moments.map((moment) => ({ ...moment, utc: roundTo5(atHub) - timed + moment.utc }));
};
