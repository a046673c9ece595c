import type { Designator, Itinerary, SegmentData } from '../../../../../src/domain/schedule/schedule.ts';
import type { SeededRandom } from '../../../../lib/seeded-random.ts';
import { equipmentTypes, restrictionCodes } from './codes.ts';

/** An element addressed to a pair of points of an itinerary: by station, by number, by both or not at all. */
export const createSegmentDatum = (
  legs: Itinerary['legs'],
  { dei, data, random }: { dei: number; data: string; random: SeededRandom },
): SegmentData => {
  const [from, to] = [random.pick(legs), random.pick(legs)].toSorted((one, other) => one.sequence - other.sequence);
  if (!from || !to) throw new Error('a flight has a leg');
  const how = random.pick(['both', 'both', 'stations', 'numbers', 'open', 'board'] as const);
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

export const formatFlightReference = ({ carrier, flightNumber, suffix }: Designator): string =>
  `${carrier.padEnd(3)}${String(flightNumber).padStart(4, '0')}${suffix.padEnd(1)}`;

export const createSegmentData = (
  legs: Itinerary['legs'],
  isRestricted: boolean,
  { carriers, random }: { readonly carriers: readonly string[]; readonly random: SeededRandom },
): readonly SegmentData[] => {
  const data: SegmentData[] = [];
  const maybe = (chances: number, dei: number, text: () => string): void => {
    if (random.chance(chances)) data.push(createSegmentDatum(legs, { dei, data: text(), random }));
  };
  const code = (): string => random.pick([...restrictionCodes]);
  if (isRestricted) {
    for (const dei of [8, 170, 171, 172, 173]) maybe(15, dei, code);
    for (const dei of [710, 711, 712]) maybe(20, dei, () => '');
  }
  maybe(3, 10, () => formatFlightReference({ carrier: random.pick(carriers), flightNumber: 7, suffix: '' }));
  maybe(6, 127, () => random.pick([`${random.pick(carriers)} /SOMEBODY`, random.pick(carriers), '/SOMEBODY']));
  maybe(10, 220, () => random.pick(['D', 'I', 'DI', 'ID', 'D/I', 'I/D', 'DD']));
  maybe(12, 121, () => random.pick(equipmentTypes));
  maybe(20, 198, () => random.pick(['1', '2', '0', 'A']));
  maybe(20, 199, () => random.pick(['1', '2', '0', 'A']));
  return data;
};
