import type { SeededRandom } from '../../../../lib/seeded-random.ts';
import type { Theme } from './themes.ts';

/** What the flights of a world have in common. */
export type WorldSetting = {
  readonly theme: Theme;
  /** Where they call, the hubs first. */
  readonly codes: readonly string[];
  readonly hubs: readonly string[];
  readonly carriers: readonly string[];
  /** How many of a hundred flights stand at their stops for days. */
  readonly slowPercent: number;
  /** How many days their periods may have at most. */
  readonly maxDays: number;
  readonly random: SeededRandom;
};
