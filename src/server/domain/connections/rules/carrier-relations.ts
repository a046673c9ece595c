import type { ConnectingFlight } from '../flights/connecting-flight.ts';
import type { MctPartners } from '../mct/mct-record.ts';

/** Online, interline, offline: the codes of the API. */
export const connectionTypes = ['o', 'i', 'n'] as const;
export type ConnectionType = (typeof connectionTypes)[number];

/** The relations between carriers, stored as JSON with a connection set. Carriers are designators. */
export type StoredCarrierRelations = {
  readonly partners: readonly MctPartners[];
  /** The alliance of a carrier, by designator. */
  readonly alliances: Readonly<Record<string, string>>;
  /** Marketing carrier and operating carrier. */
  readonly codeshares: readonly (readonly [string, string])[];
};

/** A carrier whose partner list lacks the other, and the line of that list (the first of several). */
export type PartnerRejection = { readonly carrier: string; readonly other: string; readonly line: number };

export type CarrierRelations = {
  /** Lists the carriers that do not accept the pair: first the marketing carriers, then the operating ones. */
  readonly listRejections: (flight1: ConnectingFlight, flight2: ConnectingFlight) => readonly PartnerRejection[];
  /** Returns whether the rule `partners` is met. */
  readonly canSellTogether: (flight1: ConnectingFlight, flight2: ConnectingFlight) => boolean;
  readonly getConnectionType: (carrier1: string, carrier2: string) => ConnectionType;
};

type PartnerList = { readonly line: number; readonly partners: ReadonlySet<string> };

const collectPartnerLists = (partners: readonly MctPartners[]): ReadonlyMap<string, PartnerList> => {
  const lists = new Map<string, { readonly line: number; readonly partners: Set<string> }>();
  for (const { carrier, line, partners: names } of partners) {
    const list = lists.get(carrier) ?? { line, partners: new Set<string>() };
    for (const partner of names) list.partners.add(partner);
    lists.set(carrier, list);
  }
  return lists;
};

/** Creates the relations. A carrier without a partner list accepts all others; two carriers with lists must each name the other. */
export const createCarrierRelations = ({
  partners,
  alliances,
  codeshares,
}: StoredCarrierRelations): CarrierRelations => {
  const lists = collectPartnerLists(partners);
  const allianceByCarrier = new Map(Object.entries(alliances));
  const codesharePairs = new Set(codeshares.map(([seller, operator]) => `${seller} ${operator}`));

  const rejectionsBy = (carrier: string, other: string): readonly PartnerRejection[] => {
    const list = lists.get(carrier);
    return list === undefined || carrier === other || list.partners.has(other)
      ? []
      : [{ carrier, other, line: list.line }];
  };
  const listRejections: CarrierRelations['listRejections'] = (flight1, flight2) => {
    const marketing = [flight1.carrier, flight2.carrier] as const;
    const operating = [flight1.operatingCarrier, flight2.operatingCarrier] as const;
    const pairs = marketing[0] === operating[0] && marketing[1] === operating[1] ? [marketing] : [marketing, operating];
    return pairs.flatMap(([one, other]) => [...rejectionsBy(one, other), ...rejectionsBy(other, one)]);
  };
  const areRelated = (one: string, other: string): boolean => {
    const alliance = allianceByCarrier.get(one);
    return (
      lists.get(one)?.partners.has(other) === true ||
      lists.get(other)?.partners.has(one) === true ||
      (alliance !== undefined && alliance === allianceByCarrier.get(other)) ||
      codesharePairs.has(`${one} ${other}`) ||
      codesharePairs.has(`${other} ${one}`)
    );
  };
  return {
    listRejections,
    canSellTogether: (flight1, flight2) => lists.size === 0 || listRejections(flight1, flight2).length === 0,
    getConnectionType: (carrier1, carrier2) => {
      if (carrier1 === carrier2) return 'o';
      return areRelated(carrier1, carrier2) ? 'i' : 'n';
    },
  };
};
