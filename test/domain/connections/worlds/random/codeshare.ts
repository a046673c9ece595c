import type { Itinerary, ScheduleLeg, SegmentData } from '../../../../../src/domain/schedule/schedule.ts';
import type { Variation } from './itineraries.ts';
import { createSegmentDatum, formatFlightReference } from './segment-data.ts';
import type { WorldSetting } from './world-setting.ts';

/** The same legs under a marketing designator, filed on each leg, on the whole flight or on some leg; or by the disclosure alone. */
export const createCodeshare = (operating: Itinerary, variation: Variation, { random }: WorldSetting): Itinerary => {
  const [first, ...later] = operating.legs.map((leg): ScheduleLeg => ({
    ...leg,
    ...variation,
    disclosure: random.chance(40) ? 'L' : '',
  }));
  if (!first) throw new Error('a flight has a leg');
  const legs = [first, ...later] as const;
  const text = formatFlightReference(operating.legs[0]);
  const plain = (from: ScheduleLeg, to: ScheduleLeg): SegmentData => ({
    dei: 50,
    data: text,
    line: 0,
    boardStation: from.departure.station,
    offStation: to.arrival.station,
    boardIndex: from.sequence - 1,
    offIndex: to.sequence,
  });
  const references = random.chance(60)
    ? legs.map((leg) => plain(leg, leg))
    : random.chance(50)
      ? [plain(first, legs.at(-1) ?? first)]
      : random.chance(70)
        ? [createSegmentDatum(legs, { dei: 50, data: text, random })]
        : [];
  return {
    legs,
    segmentData: [...operating.segmentData.filter(() => random.chance(70)), ...references],
    complete: operating.complete,
  };
};
