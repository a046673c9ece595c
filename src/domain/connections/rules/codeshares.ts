import { dataElements as dei } from '../../schedule/data-elements.ts';
import { parseFlightReferences } from '../../schedule/designators.ts';
import type { Itinerary, ScheduleLeg } from '../../schedule/schedule.ts';
import { toPointPair, parseCompany, findText } from '../../schedule/segment-data.ts';

type Codeshare = readonly [seller: string, operator: string];

/** The company named by the disclosure of a marketing leg: the aircraft owner, or data element 127. */
const findDisclosedOperator = (leg: ScheduleLeg, { segmentData }: Itinerary): string => {
  if (leg.disclosure === 'L') return leg.aircraftOwner.code;
  return leg.disclosure === 'Z'
    ? parseCompany(findText(segmentData, toPointPair([leg]), dei.operatingAirline) ?? '').code
    : '';
};

const listReferencedCarriers = ({ segmentData }: Itinerary, element: number): readonly string[] =>
  segmentData
    .filter((data) => data.dei === element)
    .flatMap(({ data }) => (parseFlightReferences(data) ?? []).map(({ carrier }) => carrier));

/**
 * Lists the carriers that sell flights of another, as an itinerary files them: operating flights (data element 50), other marketing flights (data
 * element 10), and the disclosed operator (byte 149, `L` and `Z`).
 */
export const listCodeshares = (itinerary: Itinerary): readonly Codeshare[] => {
  const { legs } = itinerary;
  const { carrier } = legs[0];
  const operators = [
    ...listReferencedCarriers(itinerary, dei.operatingFlight),
    ...legs.map((leg) => findDisclosedOperator(leg, itinerary)),
  ];
  const pairs: readonly Codeshare[] = [
    ...operators.map((operator) => [carrier, operator] as const),
    ...listReferencedCarriers(itinerary, dei.marketingFlights).map((seller) => [seller, carrier] as const),
  ];
  return pairs.filter(([seller, operator]) => operator !== '' && seller !== operator);
};
