import { dataElements as dei } from '#domain/schedule/data-elements.ts';
import { parseFlightReferences } from '#domain/schedule/designators.ts';
import type { Itinerary, ScheduleLeg } from '#domain/schedule/schedule.ts';
import { toPointPair, parseCompany, findText } from '#domain/schedule/segment-data.ts';
import { findDisclosedOperator, isOperatedByOther } from '#domain/schedule/segments.ts';

type Codeshare = readonly [seller: string, operator: string];

/** The code of the carrier that operates a marketing leg by its disclosure; '' when none is disclosed. */
const findOperator = (leg: ScheduleLeg, { segmentData }: Itinerary): string => {
  if (!isOperatedByOther(leg)) return '';
  const text = findText(segmentData, toPointPair([leg]), dei.operatingAirline);
  return findDisclosedOperator(leg, text === undefined ? undefined : parseCompany(text))?.code ?? '';
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
    ...legs.map((leg) => findOperator(leg, itinerary)),
  ];
  const pairs: readonly Codeshare[] = [
    ...operators.map((operator) => [carrier, operator] as const),
    ...listReferencedCarriers(itinerary, dei.marketingFlights).map((seller) => [seller, carrier] as const),
  ];
  return pairs.filter(([seller, operator]) => operator !== '' && seller !== operator);
};

/** The codeshares of many itineraries, each pair of carriers once. `carrierOf` returns the code of a carrier in connections. */
export class CodeshareList {
  readonly #carrierOf: (designator: string) => string;
  readonly #known = new Set<string>();
  readonly #pairs: Codeshare[] = [];

  constructor(carrierOf: (designator: string) => string) {
    this.#carrierOf = carrierOf;
  }

  get pairs(): readonly Codeshare[] {
    return this.#pairs;
  }

  add(itinerary: Itinerary): void {
    for (const [seller, operator] of listCodeshares(itinerary)) {
      const pair = [this.#carrierOf(seller), this.#carrierOf(operator)] as const;
      if (pair[0] === pair[1] || this.#known.has(pair.join())) continue;
      this.#known.add(pair.join());
      this.#pairs.push(pair);
    }
  }
}
