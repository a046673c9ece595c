import type { Itinerary, ScheduleLeg, SegmentData } from '../../../../../src/domain/schedule/schedule.ts';
import type { Variation } from './itineraries.ts';
import { addressed, nameOf } from './segment-data.ts';
import type { Setting } from './setting.ts';

/** The same legs sold under another designator, said on each leg, on the whole flight or on some leg; or by the disclosure alone. */
export const codeshareOf = (operating: Itinerary, variation: Variation, { chance }: Setting): Itinerary => {
  const [first, ...later] = operating.legs.map((leg): ScheduleLeg => ({
    ...leg,
    ...variation,
    disclosure: chance.chance(40) ? 'L' : '',
  }));
  if (!first) throw new Error('a flight has a leg');
  const legs = [first, ...later] as const;
  const text = nameOf(operating.legs[0]);
  const plain = (from: ScheduleLeg, to: ScheduleLeg): SegmentData => ({
    dei: 50,
    data: text,
    line: 0,
    boardStation: from.departure.station,
    offStation: to.arrival.station,
    boardIndex: from.sequence - 1,
    offIndex: to.sequence,
  });
  const references = chance.chance(60)
    ? legs.map((leg) => plain(leg, leg))
    : chance.chance(50)
      ? [plain(first, legs.at(-1) ?? first)]
      : chance.chance(70)
        ? [addressed(legs, { dei: 50, data: text, chance })]
        : [];
  return {
    legs,
    segmentData: [...operating.segmentData.filter(() => chance.chance(70)), ...references],
    complete: operating.complete,
  };
};
