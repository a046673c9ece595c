import type { ConnectingFlight } from '../connecting-flight.ts';
import type { MctPartners } from '../mct/mct-record.ts';
import type { ConnectionType } from '../wanted-connections.ts';

/** What is known of who works with whom; written as JSON with a set of connections. Carriers are designators. */
export type Cooperation = {
  readonly partners: readonly MctPartners[];
  /** The alliance of a carrier, by designator. */
  readonly alliances: Readonly<Record<string, string>>;
  /** A carrier that sells flights, and the one that operates them. */
  readonly codeshares: readonly (readonly [string, string])[];
};

/** Of two carriers the one whose list of partners lacks the other, and the line of that list (the first, if it takes several). */
export type PartnerRefusal = { readonly carrier: string; readonly other: string; readonly line: number };

export type CarrierTies = {
  /** Who objects to the pair: between the carriers that sell the flights, then between those that operate them. */
  readonly refusalsOf: (flight1: ConnectingFlight, flight2: ConnectingFlight) => readonly PartnerRefusal[];
  /** The rule `partners`. */
  readonly maySellTogether: (flight1: ConnectingFlight, flight2: ConnectingFlight) => boolean;
  readonly typeOf: (carrier1: string, carrier2: string) => ConnectionType;
};

type PartnerList = { readonly line: number; readonly partners: ReadonlySet<string> };

const partnerListsOf = (partners: readonly MctPartners[]): ReadonlyMap<string, PartnerList> => {
  const lists = new Map<string, { readonly line: number; readonly partners: Set<string> }>();
  for (const { carrier, line, partners: named } of partners) {
    const list = lists.get(carrier) ?? { line, partners: new Set<string>() };
    for (const partner of named) list.partners.add(partner);
    lists.set(carrier, list);
  }
  return lists;
};

/** A carrier that has told no partners objects to nobody; of two that have, each must have told the other. */
export const newCooperation = ({ partners, alliances, codeshares }: Cooperation): CarrierTies => {
  const lists = partnerListsOf(partners);
  const allianceOf = new Map(Object.entries(alliances));
  const sharing = new Set(codeshares.map(([seller, operator]) => `${seller} ${operator}`));

  const refusals = (carrier: string, other: string): readonly PartnerRefusal[] => {
    const list = lists.get(carrier);
    return list === undefined || carrier === other || list.partners.has(other)
      ? []
      : [{ carrier, other, line: list.line }];
  };
  const refusalsOf: CarrierTies['refusalsOf'] = (flight1, flight2) => {
    const sold = [flight1.carrier, flight2.carrier] as const;
    const flown = [flight1.operating.carrier, flight2.operating.carrier] as const;
    const pairs = sold[0] === flown[0] && sold[1] === flown[1] ? [sold] : [sold, flown];
    return pairs.flatMap(([one, other]) => [...refusals(one, other), ...refusals(other, one)]);
  };
  const knowEachOther = (one: string, other: string): boolean => {
    const alliance = allianceOf.get(one);
    return (
      lists.get(one)?.partners.has(other) === true ||
      lists.get(other)?.partners.has(one) === true ||
      (alliance !== undefined && alliance === allianceOf.get(other)) ||
      sharing.has(`${one} ${other}`) ||
      sharing.has(`${other} ${one}`)
    );
  };
  return {
    refusalsOf,
    maySellTogether: (flight1, flight2) => lists.size === 0 || refusalsOf(flight1, flight2).length === 0,
    typeOf: (carrier1, carrier2) => {
      if (carrier1 === carrier2) return 'o';
      return knowEachOther(carrier1, carrier2) ? 'i' : 'n';
    },
  };
};
