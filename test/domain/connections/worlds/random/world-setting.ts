import type { SeededRandom } from '../../../../lib/seeded-random.ts';
import type { Theme } from './themes.ts';

/** The common properties of the flights of a world. */
export type WorldSetting = {
  readonly theme: Theme;
  /** Stations, the hubs first. */
  readonly codes: readonly string[];
  readonly hubs: readonly string[];
  readonly carriers: readonly string[];
  /** Percentage of flights that stay at their stops for days. */
  readonly slowPercent: number;
  /** Maximum length of their periods, days. */
  readonly maxDays: number;
  readonly random: SeededRandom;
};
