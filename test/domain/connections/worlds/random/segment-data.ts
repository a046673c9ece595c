import type { Designator, Itinerary, SegmentData } from '../../../../../src/domain/schedule/schedule.ts';
import type { SeededRandom } from '../../../../lib/seeded-random.ts';
import { equipmentTypes, restrictionCodes } from './codes.ts';

/** An element addressed to a pair of points of an itinerary: by station, by number, by both or not at all. */
export const addressed = (
  legs: Itinerary['legs'],
  { dei, data, chance }: { dei: number; data: string; chance: SeededRandom },
): SegmentData => {
  const [from, to] = [chance.pick(legs), chance.pick(legs)].toSorted((one, other) => one.sequence - other.sequence);
  if (!from || !to) throw new Error('a flight has a leg');
  const how = chance.pick(['both', 'both', 'stations', 'numbers', 'open', 'board'] as const);
  const byStation = how === 'both' || how === 'stations';
  const byNumber = how === 'both' || how === 'numbers';
  return {
    dei,
    data,
    line: 0,
    boardStation: byStation || how === 'board' ? from.departure.station : '',
    offStation: byStation ? to.arrival.station : '',
    boardIndex: byNumber ? from.sequence - 1 : -1,
    offIndex: byNumber ? to.sequence : -1,
  };
};

export const nameOf = ({ carrier, flightNumber, suffix }: Designator): string =>
  `${carrier.padEnd(3)}${String(flightNumber).padStart(4, '0')}${suffix.padEnd(1)}`;

export const segmentDataOf = (
  legs: Itinerary['legs'],
  isRestricted: boolean,
  { carriers, chance }: { readonly carriers: readonly string[]; readonly chance: SeededRandom },
): readonly SegmentData[] => {
  const data: SegmentData[] = [];
  const maybe = (chances: number, dei: number, text: () => string): void => {
    if (chance.chance(chances)) data.push(addressed(legs, { dei, data: text(), chance }));
  };
  const code = (): string => chance.pick([...restrictionCodes]);
  if (isRestricted) {
    for (const dei of [8, 170, 171, 172, 173]) maybe(15, dei, code);
    for (const dei of [710, 711, 712]) maybe(20, dei, () => '');
  }
  maybe(3, 10, () => nameOf({ carrier: chance.pick(carriers), flightNumber: 7, suffix: '' }));
  maybe(6, 127, () => chance.pick([`${chance.pick(carriers)} /SOMEBODY`, chance.pick(carriers), '/SOMEBODY']));
  maybe(10, 220, () => chance.pick(['D', 'I', 'DI', 'ID', 'D/I', 'I/D', 'DD']));
  maybe(12, 121, () => chance.pick(equipmentTypes));
  maybe(20, 198, () => chance.pick(['1', '2', '0', 'A']));
  maybe(20, 199, () => chance.pick(['1', '2', '0', 'A']));
  return data;
};
