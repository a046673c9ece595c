import type { LocalDate } from '../../../../../src/domain/time/dates.ts';
import { type DaySet, type Period, shiftPeriod } from '../../../../../src/domain/time/period.ts';
import type { Designator, Itinerary, ScheduleLeg, TimeMode } from '../../../../../src/domain/schedule/schedule.ts';
import type { SeededRandom } from '../../../../lib/seeded-random.ts';
import { equipmentTypes, restrictionCodes, serviceTypes } from './codes.ts';
import { filedEnds } from './filed-ends.ts';
import { momentsOf } from './moments.ts';
import { segmentDataOf } from './segment-data.ts';
import type { Setting } from './setting.ts';

/** A designator and which of its itineraries is meant. */
export type Variation = Designator & { readonly itinerary: number };

const periodOf = (origin: number, { mostDays, chance }: Setting): Period => {
  const from = origin - chance.integer(-5, Math.ceil(mostDays * 0.45));
  return {
    from: from as LocalDate,
    to: (from + (chance.chance(50) ? chance.pick([0, 1, 4, 8, 14]) : chance.integer(0, mostDays))) as LocalDate,
    days: (chance.chance(50) ? 127 : chance.integer(1, 127)) as DaySet,
    everyWeeks: chance.chance(15) ? 2 : 1,
  };
};

const nobody = { code: '', name: '' };

const restrictions = (chance: SeededRandom): string =>
  chance
    .times(3, () => (chance.chance(45) ? chance.pick([...restrictionCodes]) : ' '))
    .join('')
    .trimEnd();

/** One itinerary of a designator: its times lie around the moment of the theme where it calls at a hub. */
export const itineraryOf = (variation: Variation, setting: Setting): Itinerary => {
  const { carriers, chance } = setting;
  const timeMode: TimeMode = chance.chance(30) ? 'utc' : 'local';
  const { origin, ends } = filedEnds(momentsOf(setting), timeMode, chance);
  const period = periodOf(origin, setting);
  const serviceType = chance.pick([...serviceTypes]);
  const isRestricted = chance.chance(30);
  const legs = ends.flatMap((departure, index): readonly ScheduleLeg[] => {
    const arrival = ends[index + 1];
    if (index % 2 === 1 || !arrival) return [];
    return [
      {
        ...variation,
        line: index / 2 + 1,
        sequence: index / 2 + 1,
        serviceType: chance.chance(95) ? serviceType : chance.pick([...serviceTypes]),
        timeMode,
        period: shiftPeriod(period, departure.dateVariation),
        departure,
        arrival,
        equipment: chance.pick(equipmentTypes),
        bookingClasses: '',
        bookingModifiers: '',
        meals: '',
        jointOperators: [],
        secureFlight: '',
        aircraftOwner: chance.chance(50) ? nobody : { code: chance.pick(carriers), name: '' },
        cockpitCrew: nobody,
        cabinCrew: nobody,
        disclosure: chance.chance(8) ? chance.pick(['L', 'S', 'X', 'Z'] as const) : '',
        trafficRestrictions: isRestricted ? restrictions(chance) : '',
        configuration: '',
        electronicTicketing: undefined,
        inFlightServices: [],
      },
    ];
  });
  const [first, ...later] = legs;
  if (!first) throw new Error('a flight has a leg');
  const complete = later.length < 2 || chance.chance(85);
  // Of a flight that is not whole, a leg in the middle is missing.
  const kept = [first, ...(complete ? later : later.slice(1))] as const;
  return { legs: kept, segmentData: segmentDataOf(kept, isRestricted, setting), complete };
};
