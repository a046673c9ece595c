import { MINUTES_A_DAY } from '#domain/time/dates.ts';
import { MAX_CIRCUITY_PERCENT } from '../rules/circuity.ts';
import type { RuleName } from '../rules/rule-verdict.ts';
import type { ConnectionSet } from '../set/connection-set.ts';
import { MCT_DEPENDS_ON_DATE, MCT_SUPPRESSED, pairUseBits, type SetRules } from '../set/set-rules.ts';
import { noTimes } from '../set/set-times.ts';
import type { UnitTable } from '../set/unit-table.ts';
import { buildRuleMask, computeElapsedMinutes, findElapsedMinutes } from './connection-dates.ts';
import type { ConnectionQuery } from './connection-query.ts';
import { createDepartureIndex, lowerBound, type Departures } from './departure-index.ts';
import { Leg1Dates } from './leg1-dates.ts';
import { MatchBuffer, type Leg2Match } from './match-buffer.ts';

/** A connection as the join finds it: one of several units of its flights can make it again, on other dates. */
export type FoundMatch = {
  readonly match: Leg2Match;
  readonly unit2: number;
  readonly mayRepeat: boolean;
  /** Dates of leg 1 on which its minimum connecting time holds; undefined means all. */
  readonly within?: Uint32Array | undefined;
};

/** Receives what a join without filters finds. */
export type JoinVisitor = {
  /** A pair, and the first rule that forbids it. */
  readonly onRejected: (rule: RuleName) => void;
  /** `dates` are those of the current unit of leg 1. */
  readonly onMatch: (found: FoundMatch, dates: Leg1Dates) => void;
};

/**
 * Joins the flights of a set for one query: finds the legs 2 that each leg 1 connects with. Departures of an airport are sorted by minute of the
 * UTC day, so that only those in the connecting window are examined, about 60 ns each. A visitor is for queries without filters.
 */
export class ConnectionJoin {
  readonly #set: ConnectionSet;
  readonly #query: ConnectionQuery;
  readonly #units: UnitTable;
  readonly #rules: SetRules;
  readonly #visitor: JoinVisitor | undefined;
  readonly #departuresFrom: (airport: number) => readonly Departures[];
  readonly #hasElapsedLimit: boolean;
  readonly #matches = new MatchBuffer();
  readonly #dates: Leg1Dates;
  #examined = 0;
  /** Matches that occur once and take longer are counted and not stored. */
  #storedElapsed = Number.POSITIVE_INFINITY;
  #counted = 0;

  // State of the current unit of leg 1, computed once for all units it meets.
  #leg1 = 0;
  #unit1 = 0;
  #airport = 0;
  #isInterAirport = false;
  #isSplit = false;
  #arrivalDay = 0;
  #arrivalMinute = 0;
  #arrivalClass = 0;
  #metres = 0;
  #flight = 0;
  #operatingFlight = 0;
  #leg1Key = 0;
  #times = noTimes;
  #uses: Uint8Array;
  #directMetres: Float64Array;

  constructor(set: ConnectionSet, query: ConnectionQuery, visitor?: JoinVisitor) {
    this.#set = set;
    this.#query = query;
    this.#units = set.units;
    this.#rules = set.rules;
    this.#visitor = visitor;
    this.#departuresFrom = createDepartureIndex(set, query);
    this.#hasElapsedLimit = query.maxElapsed !== Number.POSITIVE_INFINITY;
    this.#dates = new Leg1Dates(set, query);
    this.#uses = set.rules.getUses(0);
    this.#directMetres = set.distances.directFrom(0);
  }

  /** Pairs of units examined so far, plus one for each leg 1. */
  get examined(): number {
    return this.#examined;
  }

  /** Finds the legs 2 of a leg 1. Those that take longer than `maxElapsed` can be counted instead (`counted`). */
  findMatches(leg1: number, maxElapsed = Number.POSITIVE_INFINITY): readonly Leg2Match[] {
    this.#storedElapsed = maxElapsed;
    this.#joinRecord(leg1);
    return this.#listMatches();
  }

  countMatches(leg1: number): number {
    this.#storedElapsed = Number.NEGATIVE_INFINITY;
    this.#joinRecord(leg1);
    return this.#counted + (this.#matches.size === 0 ? 0 : this.#listMatches().length);
  }

  /** The matches of the last leg 1 that were counted and not returned. */
  get counted(): number {
    return this.#counted;
  }

  #joinRecord(record: number): void {
    const { columns, rules, distances } = this.#set;
    const { recordUnits, unitsOfRecord } = columns;
    this.#matches.clear();
    this.#counted = 0;
    this.#examined += 1;
    if (this.#set.isConnecting[record] !== 1) return;
    this.#leg1 = record;
    this.#airport = columns.recordOff[record] ?? 0;
    this.#leg1Key = columns.recordLeg1Key[record] ?? 0;
    this.#uses = rules.getUses(this.#leg1Key);
    this.#directMetres = distances.directFrom(columns.recordBoard[record] ?? 0);
    this.#flight = columns.recordFlight[record] ?? 0;
    this.#operatingFlight = columns.recordOperatingFlight[record] ?? 0;
    this.#metres = distances.alongRoute[columns.recordRoute[record] ?? 0] ?? Number.NaN;
    const first = recordUnits[record] ?? 0;
    const end = recordUnits[record + 1] ?? 0;
    this.#isSplit = end - first > 1;
    for (let index = first; index < end; index += 1) this.#joinUnit(unitsOfRecord[index] ?? 0);
  }

  #joinUnit(unit1: number): void {
    if (!this.#dates.read(unit1)) return;
    const { sameAirport, otherAirports } = this.#query;
    const arrival = this.#set.columns.unitArrival[unit1] ?? 0;
    this.#unit1 = unit1;
    this.#arrivalDay = Math.floor(arrival / MINUTES_A_DAY);
    this.#arrivalMinute = arrival - this.#arrivalDay * MINUTES_A_DAY;
    const airport = this.#airport;
    if (sameAirport && this.#isVia(airport, airport)) this.#scanDepartures(airport);
    if (!otherAirports) return;
    for (const other of this.#set.otherCityAirports(airport))
      if (this.#isVia(airport, other)) this.#scanDepartures(other);
  }

  #isVia(arrivalAirport: number, departureAirport: number): boolean {
    const { vias } = this.#query;
    return vias === undefined || vias.has[arrivalAirport] === 1 || vias.has[departureAirport] === 1;
  }

  /** Examines the departures of an airport within the connecting window, over midnight if necessary. */
  #scanDepartures(leg2Airport: number): void {
    const { minMinutes, maxMinutes } = this.#query;
    const { day } = this.#units;
    const dates = this.#dates;
    let examined = 0;
    const [arrivalDay, arrivalMinute] = [this.#arrivalDay, this.#arrivalMinute];
    this.#isInterAirport = leg2Airport !== this.#airport;
    this.#times = this.#set.rules.getTimes(this.#airport, leg2Airport);
    this.#arrivalClass = this.#times.getArrivalClass(this.#leg1);
    // Pairs below the least minimum are skipped, unless the caller counts rejections.
    const earliest = arrivalMinute + (this.#visitor ? minMinutes : Math.max(minMinutes, this.#times.leastMinutes));
    for (const { units: list, minutes: departures } of this.#departuresFrom(leg2Airport)) {
      const end = list.length;
      let wraps = Math.floor(earliest / MINUTES_A_DAY);
      let index = lowerBound((at) => departures[at] ?? 0, { start: 0, end }, earliest - wraps * MINUTES_A_DAY);
      for (;;) {
        if (index === end) {
          index = 0;
          wraps += 1;
        }
        const minutes = (departures[index] ?? 0) + wraps * MINUTES_A_DAY - arrivalMinute;
        if (minutes > maxMinutes) break;
        examined += 1;
        const unit2 = list[index] ?? 0;
        const dayOffset = arrivalDay - (day[unit2] ?? 0) + wraps;
        if (dates.meets(unit2, dayOffset)) this.#examinePair(unit2, minutes, dayOffset);
        index += 1;
      }
    }
    this.#examined += examined;
  }

  /** Applies the rules to a pair that has common dates, in their order (docs/reference/connection-rules.md), and counts or stores it. */
  #examinePair(unit2: number, minutes: number, dayOffset: number): void {
    const [units, rules] = [this.#units, this.#rules];
    const key = units.leg2Key[unit2] ?? 0;
    const use = this.#uses[key] || rules.getUse(this.#leg1Key, key);
    const isForbidden = !pairUseBits.isAllowed(use);
    if (isForbidden && pairUseBits.isAnotherService(use)) return this.#reject('service');
    if (units.flight[unit2] === this.#flight || units.operatingFlight[unit2] === this.#operatingFlight)
      return this.#reject('same-flight');
    const metres = this.#metres + (units.metres[unit2] ?? Number.NaN);
    const percent = (100 * metres) / (this.#directMetres[units.arrivalAirport[unit2] ?? 0] ?? Number.NaN);
    if (!(percent <= MAX_CIRCUITY_PERCENT)) return this.#reject(Number.isNaN(metres) ? 'position' : 'circuity');
    if (isForbidden) return this.#reject(pairUseBits.forbiddenBy(use) ?? 'service');
    const ruleSet = this.#findRuleSet(unit2);
    const minimum = rules.minutes[ruleSet] ?? MCT_SUPPRESSED;
    if (minimum === MCT_SUPPRESSED) return this.#reject('suppressed');
    if (minutes < minimum) return this.#reject('minimum-connecting-time');
    const { services, types, maxCircuity, maxElapsed } = this.#query;
    if ((use & services) === 0 || types[pairUseBits.typeNumber(use)] !== true || percent > maxCircuity) return;
    const leg2 = this.#set.columns.unitRecord[unit2] ?? 0;
    const match = { minutes, leg2, rule: rules.lines[ruleSet] ?? 0, dayOffset };
    // A match that may repeat is judged by its first date, which is known only at the end.
    const mayRepeat = this.#isSplit || minimum === MCT_DEPENDS_ON_DATE || units.isSplit[unit2] === 1;
    if (!mayRepeat) {
      const needsElapsed = this.#hasElapsedLimit || Number.isFinite(this.#storedElapsed);
      const elapsed = needsElapsed ? computeElapsedMinutes(this.#set, { unit1: this.#unit1, unit2, dayOffset }) : 0;
      if (elapsed > maxElapsed) return;
      if (elapsed > this.#storedElapsed) {
        this.#counted += 1;
        this.#visitor?.onMatch({ match, unit2, mayRepeat }, this.#dates);
        return;
      }
    }
    if (minimum === MCT_DEPENDS_ON_DATE) this.#addDated(unit2, match, ruleSet);
    else this.#add({ match, unit2, mayRepeat });
  }

  #add(found: FoundMatch): void {
    this.#visitor?.onMatch(found, this.#dates);
    this.#matches.add(found.match, found.mayRepeat);
  }

  #findRuleSet(unit2: number): number {
    const { columns, units } = this.#set;
    const departureClass = this.#isInterAirport
      ? this.#times.getDepartureClass(columns.unitRecord[unit2] ?? 0)
      : (units.departureClass[unit2] ?? 0);
    return this.#times.getRuleSet(this.#arrivalClass, departureClass);
  }

  /** Adds a pair whose minimum connecting time depends on the date, once for each rule that allows it. */
  #addDated(unit2: number, match: Leg2Match, ruleSet: number): void {
    let rejectedBy: RuleName | undefined;
    let isAdded = false;
    for (const rule of this.#set.rules.ruleSets[ruleSet]?.rules ?? []) {
      const within = buildRuleMask(this.#set, rule, this.#leg1);
      if (!this.#dates.meetsWithin(unit2, match.dayOffset, within)) continue;
      if (rule.suppressedBy) rejectedBy = 'suppressed';
      else if (match.minutes < rule.minutes) rejectedBy ??= 'minimum-connecting-time';
      else {
        isAdded = true;
        this.#add({ match: { ...match, rule: rule.record?.line ?? 0 }, unit2, mayRepeat: true, within });
      }
    }
    if (!isAdded && rejectedBy) this.#reject(rejectedBy);
  }

  #reject(rule: RuleName): void {
    this.#visitor?.onRejected(rule);
  }

  /** Lists each connection once, without those that exceed the elapsed time on their first date. */
  #listMatches(): readonly Leg2Match[] {
    const all = this.#matches.toArray();
    if (!this.#matches.mayRepeat) return all;
    const unique = [...new Map(all.map((match) => [`${match.minutes} ${match.leg2} ${match.rule}`, match])).values()];
    if (!this.#hasElapsedLimit) return unique;
    return unique.filter(({ dayOffset, ...position }) => {
      const match = { position: { leg1: this.#leg1, ...position }, dayOffset };
      return findElapsedMinutes(this.#set, match) <= this.#query.maxElapsed;
    });
  }
}
