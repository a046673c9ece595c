import type { Itinerary } from '../../../../../src/domain/schedule/schedule.ts';
import { listDesignators } from './flights.ts';
import { firstLegOf, splitLegs, findText } from './segment-texts.ts';

/** `seller operator` of all flights with a marketing designator other than that of the operating carrier. */
export const listCodeshares = (itineraries: readonly Itinerary[]): ReadonlySet<string> => {
  const pairs = new Set<string>();
  const add = (seller: string, operator: string): void => {
    if (operator !== '' && seller !== operator) pairs.add(`${seller} ${operator}`);
  };
  for (const { legs, segmentData } of itineraries) {
    const own = legs[0].carrier;
    for (const { dei, data } of segmentData)
      for (const { carrier } of dei === 10 || dei === 50 ? listDesignators(data) : [])
        if (dei === 10) add(carrier, own);
        else add(own, carrier);
    for (const run of splitLegs({ legs, data: segmentData })) {
      const { disclosure, aircraftOwner } = firstLegOf(run);
      if (disclosure === 'L') add(own, aircraftOwner.code);
      if (disclosure === 'Z') add(own, (findText(run, 127) ?? '').split('/')[0]?.trim() ?? '');
    }
  }
  return pairs;
};
