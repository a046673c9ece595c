import type { ConnectionAirport } from '../connecting-flight.ts';
import { placeFits } from './mct-fit.ts';
import { newMctLayer, type MctLayer, type RankedRecord } from './mct-layer.ts';
import type { MctRecord, MctSide } from './mct-record.ts';

const placeOf = ({ suppressionRegion, suppressionCountryCode, suppressionStateCode }: MctRecord): string =>
  [suppressionRegion, suppressionCountryCode, suppressionStateCode].join('|');

/**
 * Answers which of some records hold at an airport, by the region, country or state that they hold in. There are thousands of airports and can be
 * thousands of such records, but few places: airports that lie in the same of these share what was made of the records.
 */
export const newMctPlaces = (
  records: readonly RankedRecord[],
  sides: readonly MctSide[],
): ((point: ConnectionAirport) => MctLayer) => {
  const places = [...Map.groupBy(records, ({ record }) => placeOf(record))];
  const layers = new Map<string, MctLayer>();
  return (point) => {
    const around = places.filter(([, [first]]) => first !== undefined && placeFits(first.record, point));
    const key = around.map(([place]) => place).join();
    const before = layers.get(key);
    if (before) return before;
    const layer = newMctLayer(
      around.flatMap(([, found]) => found),
      sides,
    );
    layers.set(key, layer);
    return layer;
  };
};
