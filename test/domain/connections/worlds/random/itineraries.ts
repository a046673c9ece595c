import type { LocalDate } from '../../../../../src/domain/time/dates.ts';
import { type DaySet, type Period, shiftPeriod } from '../../../../../src/domain/time/period.ts';
import type { Designator, Itinerary, ScheduleLeg, TimeMode } from '../../../../../src/domain/schedule/schedule.ts';
import type { SeededRandom } from '../../../../lib/seeded-random.ts';
import { equipmentTypes, restrictionCodes, serviceTypes } from './codes.ts';
import { createLegEnds } from './filed-ends.ts';
import { createMoments } from './moments.ts';
import { createSegmentData } from './segment-data.ts';
import type { WorldSetting } from './world-setting.ts';

/** A designator and the index of one of its itineraries. */
export type Variation = Designator & { readonly itinerary: number };

const periodOf = (origin: number, { maxDays: mostDays, random }: WorldSetting): Period => {
  const from = origin - random.integer(-5, Math.ceil(mostDays * 0.45));
  return {
    from: from as LocalDate,
    to: (from + (random.chance(50) ? random.pick([0, 1, 4, 8, 14]) : random.integer(0, mostDays))) as LocalDate,
    days: (random.chance(50) ? 127 : random.integer(1, 127)) as DaySet,
    everyWeeks: random.chance(15) ? 2 : 1,
  };
};

const noOperator = { code: '', name: '' };

const restrictions = (random: SeededRandom): string =>
  random
    .times(3, () => (random.chance(45) ? random.pick([...restrictionCodes]) : ' '))
    .join('')
    .trimEnd();

/** Creates one itinerary of a designator: its times are near the instant of the theme where it calls at a hub. */
export const createItinerary = (variation: Variation, setting: WorldSetting): Itinerary => {
  const { carriers, random } = setting;
  const timeMode: TimeMode = random.chance(30) ? 'utc' : 'local';
  const { origin, ends } = createLegEnds(createMoments(setting), timeMode, random);
  const period = periodOf(origin, setting);
  const serviceType = random.pick([...serviceTypes]);
  const isRestricted = random.chance(30);
  const legs = ends.flatMap((departure, index): readonly ScheduleLeg[] => {
    const arrival = ends[index + 1];
    if (index % 2 === 1 || !arrival) return [];
    return [
      {
        ...variation,
        line: index / 2 + 1,
        sequence: index / 2 + 1,
        serviceType: random.chance(95) ? serviceType : random.pick([...serviceTypes]),
        timeMode,
        period: shiftPeriod(period, departure.dateVariation),
        departure,
        arrival,
        equipment: random.pick(equipmentTypes),
        bookingClasses: '',
        bookingModifiers: '',
        meals: '',
        jointOperators: [],
        secureFlight: '',
        aircraftOwner: random.chance(50) ? noOperator : { code: random.pick(carriers), name: '' },
        cockpitCrew: noOperator,
        cabinCrew: noOperator,
        disclosure: random.chance(8) ? random.pick(['L', 'S', 'X', 'Z'] as const) : '',
        trafficRestrictions: isRestricted ? restrictions(random) : '',
        configuration: '',
        electronicTicketing: undefined,
        inFlightServices: [],
      },
    ];
  });
  const [first, ...later] = legs;
  if (!first) throw new Error('a flight has a leg');
  const complete = later.length < 2 || random.chance(85);
  // An incomplete flight lacks a leg in the middle.
  const flown = [first, ...(complete ? later : later.slice(1))] as const;
  return { legs: flown, segmentData: createSegmentData(flown, isRestricted, setting), complete };
};
