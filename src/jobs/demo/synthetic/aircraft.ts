import { pick } from '../../../lib/seeded-random.ts';
import { getPerformance } from '../world/equipment.ts';

/** An aircraft on a route: what is filed of it, and how long it takes from gate to gate. */
export type RouteAircraft = {
  readonly equipment: string;
  readonly configuration: string;
  readonly elapsedMinutes: number;
};

type Type = readonly [equipment: string, configuration: string];

/** Types by the longest distance they are flown, kilometres. */
const types: readonly (readonly [upToKm: number, types: readonly [Type, ...Type[]]])[] = [
  [
    700,
    [
      ['AT7', 'Y70'],
      ['DH3', 'Y50'],
      ['E75', 'C12Y64'],
      ['320', 'C12Y138'],
    ],
  ],
  [
    4500,
    [
      ['320', 'C12Y138'],
      ['32N', 'Y186'],
      ['738', 'C16Y150'],
      ['7M8', 'Y189'],
      ['321', 'C16Y171'],
      ['E90', 'C10Y88'],
      ['223', 'C20Y105'],
    ],
  ],
  [
    Number.POSITIVE_INFINITY,
    [
      ['789', 'C42W39Y135'],
      ['77W', 'F8C52W28Y216'],
      ['359', 'C40W24Y211'],
      ['333', 'C36Y249'],
    ],
  ],
];

/** Routes are that much longer than the great circle. */
const DETOUR = 1.06;

/** The aircraft of a route of so many kilometres; `share` picks the type. */
export const chooseAircraft = (km: number, share: number): RouteAircraft => {
  const [, [first, ...others]] = types.find(([upToKm]) => km <= upToKm) ?? types[0] ?? [0, [['320', 'Y180']]];
  const [equipment, configuration] = pick(share, [first, ...others]);
  const { speedKmh, overheadMinutes } = getPerformance(equipment);
  return {
    equipment,
    configuration,
    elapsedMinutes: Math.ceil(((km * DETOUR * 60) / speedKmh + overheadMinutes) / 5) * 5,
  };
};
