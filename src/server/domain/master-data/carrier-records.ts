import { compareTexts } from '#lib/compare-texts.ts';
import { computeCodeAssignment, type CodeAssignment } from './carrier-codes.ts';
import { formatDate, type LocalDate } from '../time/dates.ts';
import type { Carrier } from './master-data.ts';
import { type CarrierFacts, isValidOn, type Membership, findMembershipOn, findNameOn } from './master-data-facts.ts';
import { buildCodeIndex, type CodeIndex } from './code-index.ts';
import { createSearchResult, listPositions, type SearchResult } from './search-result.ts';
import { buildKeyIndex, matchKeys, type KeyIndex } from './key-index.ts';
import { matchesName, matchNames, listWords } from './name-words.ts';

/** A carrier with its facts. */
export type CarrierEntry = {
  readonly carrier: Carrier;
  readonly facts: CarrierFacts;
};

/** A code system of carriers. */
export type CarrierCodeSystem = 'iata' | 'icao';

/** Criteria for carriers; an undefined member does not filter. Codes are in capitals. */
export type CarrierFilter = {
  readonly codes?: readonly string[] | undefined;
  readonly systems?: readonly CarrierCodeSystem[] | undefined;
  readonly names?: readonly string[] | undefined;
  readonly alliances?: readonly string[] | undefined;
  readonly countries?: readonly string[] | undefined;
  readonly isPublishing?: boolean | undefined;
};

/** A carrier on a given day. */
export type CarrierOnDay = {
  readonly name: string;
  readonly membership: Membership | undefined;
  readonly assignment: CodeAssignment;
};

export type CarrierRecordsOptions = {
  /** Sorted by preference among the owners of one code. */
  readonly carriers: readonly Carrier[];
  /** By ID; carriers known only from schedules have none. */
  readonly factsOf: ReadonlyMap<number, CarrierFacts>;
  /** Returns whether flights refer to a carrier. */
  readonly isInUse: (id: number) => boolean;
  /** Finds the carrier of a code that only status messages name; by default there is none. */
  readonly findUnconfirmed?: (system: CarrierCodeSystem, code: string) => Carrier | undefined;
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

const compareCodes = ({ carrier: left }: CarrierEntry, { carrier: right }: CarrierEntry): number =>
  compareTexts(sortText(left), sortText(right));

/** Whether former owners of its IATA code precede it on a day. */
const isPreceded = ({ facts: { precededUntil = '' } }: CarrierEntry, day: string): boolean => day <= precededUntil;

/** Its rank among the owners of a code, from 1; after all of them when it is not one. */
const findRank = (owners: readonly CarrierEntry[], { id }: Carrier): number => {
  const index = owners.findIndex(({ carrier }) => carrier.id === id);
  return index === -1 ? owners.length + 1 : index + 1;
};

/** All carriers in memory, indexed for searches. */
export class CarrierRecords {
  readonly #entries: readonly CarrierEntry[];
  readonly #isInUse: (id: number) => boolean;
  readonly #findUnconfirmed: NonNullable<CarrierRecordsOptions['findUnconfirmed']>;
  readonly #codes: CodeIndex<CarrierCodeSystem>;
  readonly #countries: KeyIndex;
  readonly #names: KeyIndex;
  readonly #alliances: KeyIndex;

  constructor({ carriers, factsOf, isInUse, findUnconfirmed = () => undefined }: CarrierRecordsOptions) {
    const entries = carriers
      .map((carrier): CarrierEntry => ({ carrier, facts: factsOf.get(carrier.id) ?? noCarrierFacts }))
      .toSorted(compareCodes);
    this.#entries = entries;
    this.#isInUse = isInUse;
    this.#findUnconfirmed = findUnconfirmed;
    this.#codes = buildCodeIndex(entries, systems, ({ carrier }, system) => [carrier[system]]);
    this.#countries = buildKeyIndex(entries, ({ facts }) => [facts.domicile.iso]);
    this.#names = buildKeyIndex(entries, ({ carrier, facts }) =>
      [carrier, ...facts.formerNames].flatMap(({ name }) => listWords(name)),
    );
    this.#alliances = buildKeyIndex(entries, ({ facts }) =>
      facts.memberships.flatMap(({ alliance }) => listWords(alliance)),
    );
  }

  /** Finds the matching entries on a day, by code and rank. */
  find(filter: CarrierFilter, day: LocalDate): SearchResult<CarrierEntry> {
    const text = formatDate(day);
    const masks = [
      this.#codes.match(filter),
      filter.countries && matchKeys(this.#countries, filter.countries),
      filter.names && matchNames(this.#names, filter.names),
      filter.alliances && matchNames(this.#alliances, filter.alliances),
    ].filter((mask) => mask !== undefined);
    const positions = listPositions(this.#entries.length, masks).filter((position) => {
      const entry = this.#entries[position];
      return entry !== undefined && this.#matchesOnDay(entry, filter, text);
    });
    return createSearchResult(this.#entries, this.#sortByDay(positions, text), ({ carrier }) => carrier.id);
  }

  /**
   * Lists the owners of a code on a day, the preferred one first; without a day, on any day, by rank. A carrier that only status messages name is the
   * owner of a code that has no other on any day.
   */
  listOwners(system: CarrierCodeSystem, code: string, day?: LocalDate): readonly CarrierEntry[] {
    const candidates = this.#codes.findPositions(system, code).flatMap((position) => this.#entries[position] ?? []);
    const unconfirmed = candidates.length === 0 ? this.#findUnconfirmed(system, code) : undefined;
    if (unconfirmed) return [{ carrier: unconfirmed, facts: noCarrierFacts }];
    const text = day === undefined ? undefined : formatDate(day);
    const valid = candidates.filter(({ facts }) => text === undefined || isValidOn(facts.validity, text));
    const byRank = valid.toSorted(({ carrier: a }, { carrier: b }) => a.rank - b.rank || a.id - b.id);
    if (text === undefined || system !== 'iata') return byRank;
    return [
      ...byRank.filter((entry) => !isPreceded(entry, text)),
      ...byRank.filter((entry) => isPreceded(entry, text)),
    ];
  }

  /** Returns whether flights refer to the carrier. */
  isPublishing({ carrier }: CarrierEntry): boolean {
    return this.#isInUse(carrier.id);
  }

  getOnDay({ carrier, facts }: CarrierEntry, day: LocalDate): CarrierOnDay {
    const text = formatDate(day);
    const owners = carrier.iata === '' ? [] : this.listOwners('iata', carrier.iata, day);
    return {
      name: findNameOn({ name: carrier.name, formerNames: facts.formerNames }, text),
      membership: findMembershipOn(facts.memberships, text),
      assignment: computeCodeAssignment(
        { ...carrier, rank: findRank(owners, carrier), isCodeClaimed: facts.isCodeClaimed },
        owners.map((other, index) => ({
          ...other.carrier,
          rank: index + 1,
          isCodeClaimed: other.facts.isCodeClaimed,
        })),
      ),
    };
  }

  /** Checks the day: the indexes contain names and alliances of all days. */
  #matchesOnDay({ carrier, facts }: CarrierEntry, filter: CarrierFilter, day: string): boolean {
    if (!isValidOn(facts.validity, day)) return false;
    if (filter.isPublishing !== undefined && this.#isInUse(carrier.id) !== filter.isPublishing) return false;
    if (filter.names && facts.formerNames.length > 0) {
      const words = listWords(findNameOn({ name: carrier.name, formerNames: facts.formerNames }, day));
      if (!filter.names.some((name) => matchesName(words, name))) return false;
    }
    if (!filter.alliances) return true;
    const words = listWords(findMembershipOn(facts.memberships, day)?.alliance ?? '');
    return filter.alliances.some((alliance) => matchesName(words, alliance));
  }

  /** Entries with one IATA code are adjacent, by rank; where former owners precede one of them, the order is that of the day. */
  #sortByDay(positions: Uint32Array, day: string): Uint32Array {
    const isPrecededAt = (position: number): boolean => {
      const entry = this.#entries[position];
      return entry !== undefined && isPreceded(entry, day);
    };
    const ordered = positions.slice();
    for (let start = 0; start < positions.length; start++) {
      const iata = this.#iataAt(positions[start]);
      if (iata === '') break;
      const first = start;
      while (this.#iataAt(positions[start + 1]) === iata) start++;
      const group = positions.subarray(first, start + 1);
      if (group.length === 1 || !group.some(isPrecededAt)) continue;
      ordered.set([...group.filter((position) => !isPrecededAt(position)), ...group.filter(isPrecededAt)], first);
    }
    return ordered;
  }

  #iataAt(position = -1): string {
    return this.#entries[position]?.carrier.iata ?? '';
  }
}
