import type { LegEnd, TimeMode } from '../../../../../src/domain/schedule/schedule.ts';
import { getOffset } from '../oracle/clock.ts';
import type { SeededRandom } from '../../../../lib/seeded-random.ts';
import type { Moment } from './moments.ts';
import { allStations } from './themes.ts';

/** Typical errors of senders, minutes. */
const wrongBy = [60, -60, 30, 600];

const zoneOf = (code: string): string | undefined => allStations.find(({ iata }) => iata === code)?.zone;

const variationAt = ({ station, utc }: Moment): number => {
  const zone = zoneOf(station);
  if (zone !== undefined) return getOffset(zone, utc);
  return station === 'QZX' ? 0 : 180;
};

/** Creates the leg ends of a flight as local clocks show them, with occasional errors; dates count from its first departure. */
export const createLegEnds = (moments: readonly Moment[], mode: TimeMode, random: SeededRandom) => {
  const wrong = random.chance(10) ? random.pick(wrongBy) : 0;
  const filed = moments.map((moment) => {
    const variation = variationAt(moment) + (random.chance(50) ? wrong : 0);
    return { ...moment, variation, minute: mode === 'utc' ? moment.utc : moment.utc + variation };
  });
  const origin = Math.floor((filed[0]?.minute ?? 0) / 1440);
  const ends = filed.map(({ station, isArrival, variation, minute }): LegEnd => {
    // Midnight at the end of a day can be filed as 2400.
    const isLate = isArrival && minute % 1440 === 0 && random.chance(50);
    const day = Math.floor(minute / 1440) - (isLate ? 1 : 0);
    const aircraftMinutes = minute - day * 1440;
    const earlier = isLate ? 0 : random.pick([0, 0, 0, 0, 0, 0, 10, -15, 45]);
    return {
      station,
      aircraftMinutes,
      passengerMinutes: isLate ? 1440 : (aircraftMinutes - earlier + 1440) % 1440,
      utcVariationMinutes: variation,
      dateVariation: day - origin,
      terminal: random.pick(['', '', '1', '2', 'A']),
      mctStatus: random.chance(12) ? random.pick(['D', 'I'] as const) : '',
    };
  });
  return { origin, ends };
};
