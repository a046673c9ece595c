import { computeCodeAssignment, type CodeAssignment } from './carrier-codes.ts';
import { formatDate, type LocalDate } from '../time/dates.ts';
import type { Carrier } from './master-data.ts';
import { type CarrierFacts, isValidOn, type Membership, findMembershipOn, findNameOn } from './master-data-facts.ts';
import { buildCodeIndex } from './code-index.ts';
import { createSearchResult, listPositions, type SearchResult } from './search-result.ts';
import { buildKeyIndex, matchKeys } from './key-index.ts';
import { matchesName, matchNames, listWords } from './name-words.ts';

/** What is answered for carriers. */
export type CarrierEntry = {
  readonly carrier: Carrier;
  readonly facts: CarrierFacts;
};

/** A code system that carriers have codes in. */
export type CarrierCodeSystem = 'iata' | 'icao';

/** What a search of carriers is narrowed by; undefined does not narrow. Codes are in capitals. */
export type CarrierFilter = {
  readonly codes?: readonly string[] | undefined;
  readonly systems?: readonly CarrierCodeSystem[] | undefined;
  readonly names?: readonly string[] | undefined;
  readonly alliances?: readonly string[] | undefined;
  readonly countries?: readonly string[] | undefined;
  readonly isPublishing?: boolean | undefined;
};

/** A carrier as it was on a day. */
export type CarrierOnDay = {
  readonly name: string;
  readonly membership: Membership | undefined;
  readonly assignment: CodeAssignment;
};

/** All carriers in memory, made to be searched. */
export type CarrierRecords = {
  /** The entries that fit on a day, by code and rank. */
  readonly find: (wanted: CarrierFilter, day: LocalDate) => SearchResult<CarrierEntry>;
  /** The entries that have a code on a day, the one that answers first; without a day, on any, by rank. */
  readonly listOwners: (system: CarrierCodeSystem, code: string, day?: LocalDate) => readonly CarrierEntry[];
  /** Whether flights point at it. */
  readonly isPublishing: (entry: CarrierEntry) => boolean;
  readonly getOnDay: (entry: CarrierEntry, day: LocalDate) => CarrierOnDay;
};

const noCarrierFacts: CarrierFacts = {
  domicile: { iso: '', dot: '' },
  formerNames: [],
  memberships: [],
  isCodeClaimed: false,
  validity: { from: '', to: '' },
  provenance: {},
};

const systems = ['iata', 'icao'] as const;

const sortText = ({ iata, icao }: Carrier): string => (iata === '' ? `1${icao}` : `0${iata}`);

const compareCodes = ({ carrier: left }: CarrierEntry, { carrier: right }: CarrierEntry): number => {
  const [a, b] = [sortText(left), sortText(right)];
  return a < b ? -1 : a > b ? 1 : 0;
};

/** Whether former owners of its IATA code answer before it on a day. */
const isPreceded = ({ facts: { precededUntil = '' } }: CarrierEntry, day: string): boolean => day <= precededUntil;

/** Its place among the owners of a code, from 1; the one after them all when it is none of them. */
const findRank = (owners: readonly CarrierEntry[], { id }: Carrier): number => {
  const index = owners.findIndex(({ carrier }) => carrier.id === id);
  return index === -1 ? owners.length + 1 : index + 1;
};

/**
 * Makes carriers searchable. They must come in the order in which the owners of one code answer; `factsOf` is by id, and a
 * carrier that only a schedule named has none. `isInUse` tells whether flights point at a carrier.
 */
export const createCarrierRecords = ({
  carriers,
  factsOf,
  isInUse,
}: {
  readonly carriers: readonly Carrier[];
  readonly factsOf: ReadonlyMap<number, CarrierFacts>;
  readonly isInUse: (id: number) => boolean;
}): CarrierRecords => {
  const entries = carriers
    .map((carrier): CarrierEntry => {
      return { carrier, facts: factsOf.get(carrier.id) ?? noCarrierFacts };
    })
    .toSorted(compareCodes);
  const count = entries.length;
  const codes = buildCodeIndex(entries, systems, ({ carrier }, system) => [carrier[system]]);
  const countries = buildKeyIndex(entries, ({ facts }) => [facts.domicile.iso]);
  const names = buildKeyIndex(entries, ({ carrier, facts }) =>
    [carrier, ...facts.formerNames].flatMap(({ name }) => listWords(name)),
  );
  const alliances = buildKeyIndex(entries, ({ facts }) =>
    facts.memberships.flatMap(({ alliance }) => listWords(alliance)),
  );

  const owners = (system: CarrierCodeSystem, code: string, day?: LocalDate): readonly CarrierEntry[] => {
    const found = codes.findPositions(system, code).flatMap((place) => entries[place] ?? []);
    const text = day === undefined ? undefined : formatDate(day);
    const then = found.filter(({ facts }) => text === undefined || isValidOn(facts.validity, text));
    const byRank = then.toSorted(({ carrier: a }, { carrier: b }) => a.rank - b.rank || a.id - b.id);
    if (text === undefined || system !== 'iata') return byRank;
    return [
      ...byRank.filter((entry) => !isPreceded(entry, text)),
      ...byRank.filter((entry) => isPreceded(entry, text)),
    ];
  };
  const onDay = ({ carrier, facts }: CarrierEntry, day: LocalDate): CarrierOnDay => {
    const text = formatDate(day);
    const sharing = carrier.iata === '' ? [] : owners('iata', carrier.iata, day);
    return {
      name: findNameOn({ name: carrier.name, formerNames: facts.formerNames }, text),
      membership: findMembershipOn(facts.memberships, text),
      assignment: computeCodeAssignment(
        { ...carrier, rank: findRank(sharing, carrier), isCodeClaimed: facts.isCodeClaimed },
        sharing.map((other, index) => ({
          ...other.carrier,
          rank: index + 1,
          isCodeClaimed: other.facts.isCodeClaimed,
        })),
      ),
    };
  };
  /** The indices know the names and alliances of all days: what they find is looked at again. */
  const isMeant = ({ carrier, facts }: CarrierEntry, wanted: CarrierFilter, day: string): boolean => {
    if (!isValidOn(facts.validity, day)) return false;
    if (wanted.isPublishing !== undefined && isInUse(carrier.id) !== wanted.isPublishing) return false;
    if (wanted.names && facts.formerNames.length > 0) {
      const words = listWords(findNameOn({ name: carrier.name, formerNames: facts.formerNames }, day));
      if (!wanted.names.some((name) => matchesName(words, name))) return false;
    }
    if (!wanted.alliances) return true;
    const words = listWords(findMembershipOn(facts.memberships, day)?.alliance ?? '');
    return wanted.alliances.some((alliance) => matchesName(words, alliance));
  };

  const iataAt = (place = -1): string => entries[place]?.carrier.iata ?? '';
  /** Places with one IATA code stand together by rank; where former owners go before one of them, the order is that of the day. */
  const inOrderOfDay = (places: Uint32Array, day: LocalDate): Uint32Array => {
    const text = formatDate(day);
    const isLate = (place: number): boolean => {
      const entry = entries[place];
      return entry !== undefined && isPreceded(entry, text);
    };
    const ordered = places.slice();
    for (let start = 0; start < places.length; start++) {
      const iata = iataAt(places[start]);
      if (iata === '') break;
      const first = start;
      while (iataAt(places[start + 1]) === iata) start++;
      const together = places.subarray(first, start + 1);
      if (together.length === 1 || !together.some(isLate)) continue;
      ordered.set([...together.filter((place) => !isLate(place)), ...together.filter(isLate)], first);
    }
    return ordered;
  };

  const find = (wanted: CarrierFilter, day: LocalDate): SearchResult<CarrierEntry> => {
    const text = formatDate(day);
    const filters = [
      codes.match(wanted),
      wanted.countries && matchKeys(countries, wanted.countries),
      wanted.names && matchNames(names, wanted.names),
      wanted.alliances && matchNames(alliances, wanted.alliances),
    ].filter((marks) => marks !== undefined);
    const places = listPositions(count, filters).filter((place) => {
      const entry = entries[place];
      return entry !== undefined && isMeant(entry, wanted, text);
    });
    return createSearchResult(entries, inOrderOfDay(places, day), ({ carrier }) => carrier.id);
  };
  return { find, listOwners: owners, isPublishing: ({ carrier }) => isInUse(carrier.id), getOnDay: onDay };
};
