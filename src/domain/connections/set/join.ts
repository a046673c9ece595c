import { MINUTES_A_DAY } from '../../time/dates.ts';
import { MAX_CIRCUITY_PERCENT } from '../rules/circuity.ts';
import { takesAtMost } from '../connection-dates.ts';
import type { ConnectionSet } from '../connection-set.ts';
import type { RuleName } from '../rules/rule-names.ts';
import { laterWord } from './day-masks.ts';
import { lowerBound, newDepartures } from './departures.ts';
import { newHitList, type Hit } from './hit-list.ts';
import { datesOfRule, elapsedBetween } from './meeting-dates.ts';
import type { Question } from './question.ts';
import { DATED, SUPPRESSED, useBits } from './set-rules.ts';
import { noTimes } from './set-times.ts';

/** Finds what a record connects with. */
export type Join = {
  /** Pairs of units looked at so far, and legs 1. */
  readonly looked: () => number;
  readonly hits: (leg1: number) => readonly Hit[];
  readonly count: (leg1: number) => number;
};

/**
 * Joins the flights of a set for one question. Departures of an airport are ordered by minute of the UTC day, so that only those that leave in
 * time are looked at: some 60 ns each. `onRefused` hears by which rule a pair is forbidden, the first of them all; it is for questions that
 * narrow nothing.
 */
export const newJoin = (set: ConnectionSet, question: Question, onRefused?: (rule: RuleName) => void): Join => {
  const { columns, units, rules, frame, distances } = set;
  const { recordOff, recordBoard, recordUnits, recordFlight, recordOperatingFlight, recordRoute } = columns;
  const { unitsOfRecord, unitArrival, unitMask, unitRecord, masks } = columns;
  const { words } = frame;
  const { firstWord, lastWord, dates, types, services, maxCircuity, minMinutes, maxMinutes, maxElapsed } = question;
  const departuresFrom = newDepartures(set, question);
  const isBounded = maxElapsed !== Number.POSITIVE_INFINITY;
  const hits = newHitList();
  let looked = 0;
  /** When only their number is asked for, hits that are said once alone are counted and not kept. */
  let isCounting = false;
  let counted = 0;

  // What follows is told of the unit that is leg 1 at present, once for all that it meets.
  let leg1 = 0;
  let unit1 = 0;
  let airport = 0;
  let isChange = false;
  let isSplit = false;
  let arrivalDay = 0;
  let arrivalMinute = 0;
  let arrivalClass = 0;
  let way = 0;
  let flight = 0;
  let operatingFlight = 0;
  let leg1Key = 0;
  let times = noTimes;
  let uses = rules.usesOf(0);
  let direct = distances.directFrom(0);
  const own = new Uint32Array(words);
  let ownFirst = 0;
  let ownLast = -1;
  const later = { start: 0, words, days: 0 };

  /** Reads the dates of leg 1 that are asked for; false when there are none. */
  const readDates = (): boolean => {
    const start = (unitMask[unit1] ?? 0) * words;
    ownFirst = words;
    ownLast = -1;
    for (let word = firstWord; word <= lastWord; word += 1) {
      const bits = (masks[start + word] ?? 0) & (dates[word] ?? 0);
      own[word] = bits;
      if (bits === 0) continue;
      if (ownLast < 0) ownFirst = word;
      ownLast = word;
    }
    return ownLast >= 0;
  };
  /** Whether leg 2 departs on some date of leg 1. Most pairs that do not have seasons that are apart. */
  const meet = (unit2: number, days: number): boolean => {
    const first = units.firstWord[unit2] ?? 0;
    const last = units.lastWord[unit2] ?? 0;
    const start = (unitMask[unit2] ?? 0) * words;
    if (days === 0) {
      const to = last < ownLast ? last : ownLast;
      for (let word = first > ownFirst ? first : ownFirst; word <= to; word += 1)
        if (((own[word] ?? 0) & (masks[start + word] ?? 0)) !== 0) return true;
      return false;
    }
    later.start = start;
    later.days = days;
    const to = last + 1 < ownLast ? last + 1 : ownLast;
    for (let word = first - 1 > ownFirst ? first - 1 : ownFirst; word <= to; word += 1)
      if (((own[word] ?? 0) & laterWord(masks, later, word)) !== 0) return true;
    return false;
  };
  const meetWithin = (unit2: number, days: number, within: Uint32Array): boolean => {
    later.start = (unitMask[unit2] ?? 0) * words;
    later.days = days;
    for (let word = ownFirst; word <= ownLast; word += 1)
      if (((own[word] ?? 0) & (within[word] ?? 0) & laterWord(masks, later, word)) !== 0) return true;
    return false;
  };

  const refuse = (rule: RuleName): void => {
    if (onRefused) onRefused(rule);
  };
  const takeDated = (unit2: number, hit: Omit<Hit, 'rule'>, ruleSet: number): void => {
    let refusal: RuleName | undefined;
    let isTaken = false;
    for (const rule of rules.ruleSets[ruleSet]?.rules ?? []) {
      if (!meetWithin(unit2, hit.dayOffset, datesOfRule(set, rule, leg1))) continue;
      if (rule.suppressedBy) refusal = 'suppressed';
      else if (hit.minutes < rule.minutes) refusal ??= 'minimum-connecting-time';
      else {
        isTaken = true;
        hits.add({ ...hit, rule: rule.record?.line ?? 0 }, true);
      }
    }
    if (!isTaken && refusal) refuse(refusal);
  };
  /** Judges a pair by the rules in their order, and counts or keeps it. */
  const take = (unit2: number, minutes: number, dayOffset: number): void => {
    if (!meet(unit2, dayOffset)) return;
    const key = units.leg2Key[unit2] ?? 0;
    const use = uses[key] || rules.useOf(leg1Key, key);
    const isForbidden = !useBits.isAllowed(use);
    if (isForbidden && useBits.isAnotherService(use)) return refuse('service');
    if (units.flight[unit2] === flight || units.operatingFlight[unit2] === operatingFlight)
      return refuse('same-flight');
    const metres = way + (units.metres[unit2] ?? Number.NaN);
    const percent = (100 * metres) / (direct[units.off[unit2] ?? 0] ?? Number.NaN);
    if (!(percent <= MAX_CIRCUITY_PERCENT)) return refuse(Number.isNaN(metres) ? 'position' : 'circuity');
    if (isForbidden) return refuse(useBits.forbiddenBy(use) ?? 'service');
    const ruleSet = times.ruleSet(
      arrivalClass,
      isChange ? times.departureClassOf(unitRecord[unit2] ?? 0) : (units.departureClass[unit2] ?? 0),
    );
    const least = rules.minutes[ruleSet] ?? SUPPRESSED;
    if (least === SUPPRESSED) return refuse('suppressed');
    if (minutes < least) return refuse('minimum-connecting-time');
    if ((use & services) === 0 || types[useBits.typeNumber(use)] !== true || percent > maxCircuity) return;
    // One that may be said more than once goes by the first of its dates, which is known at the end.
    const mayRepeat = isSplit || least === DATED || units.isSplit[unit2] === 1;
    if (isBounded && !mayRepeat && elapsedBetween(set, { unit1, unit2, dayOffset }) > maxElapsed) return;
    if (least === DATED) takeDated(unit2, { minutes, leg2: unitRecord[unit2] ?? 0, dayOffset }, ruleSet);
    else if (isCounting && !mayRepeat) counted += 1;
    else hits.add({ minutes, leg2: unitRecord[unit2] ?? 0, rule: rules.lines[ruleSet] ?? 0, dayOffset }, mayRepeat);
  };

  const scan = (leg2Airport: number): void => {
    isChange = leg2Airport !== airport;
    times = rules.between(airport, leg2Airport);
    arrivalClass = times.arrivalClassOf(leg1);
    // Who asks why pairs are forbidden wants to hear of those that are too short as well.
    const earliest = arrivalMinute + (onRefused ? minMinutes : Math.max(minMinutes, times.leastMinutes));
    for (const { units: list, minutes: departures } of departuresFrom(leg2Airport)) {
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
        looked += 1;
        const unit2 = list[index] ?? 0;
        take(unit2, minutes, arrivalDay - (units.day[unit2] ?? 0) + wraps);
        index += 1;
      }
    }
  };
  const readLeg1 = (): void => {
    const arrival = unitArrival[unit1] ?? 0;
    arrivalDay = Math.floor(arrival / MINUTES_A_DAY);
    arrivalMinute = arrival - arrivalDay * MINUTES_A_DAY;
  };
  const meetsAt = (one: number, other: number): boolean =>
    question.vias === undefined || question.vias.has[one] === 1 || question.vias.has[other] === 1;

  const find = (record: number): void => {
    hits.clear();
    counted = 0;
    looked += 1;
    leg1 = record;
    airport = recordOff[leg1] ?? 0;
    leg1Key = columns.recordLeg1Key[leg1] ?? 0;
    uses = rules.usesOf(leg1Key);
    direct = distances.directFrom(recordBoard[leg1] ?? 0);
    flight = recordFlight[leg1] ?? 0;
    operatingFlight = recordOperatingFlight[leg1] ?? 0;
    way = distances.alongRoute[recordRoute[leg1] ?? 0] ?? Number.NaN;
    const last = recordUnits[leg1 + 1] ?? 0;
    isSplit = last - (recordUnits[leg1] ?? 0) > 1;
    for (let place = recordUnits[leg1] ?? 0; place < last; place += 1) {
      unit1 = unitsOfRecord[place] ?? 0;
      if (!readDates()) continue;
      readLeg1();
      if (question.sameAirport && meetsAt(airport, airport)) scan(airport);
      if (!question.changeOfAirports) continue;
      for (const mate of set.sameCity(airport)) if (meetsAt(airport, mate)) scan(mate);
    }
  };

  /** Each connection once, and none that takes too long on its first date. */
  const settled = (): readonly Hit[] => {
    const all = hits.all();
    if (!hits.mayRepeat()) return all;
    const different = [...new Map(all.map((hit) => [`${hit.minutes} ${hit.leg2} ${hit.rule}`, hit])).values()];
    if (!isBounded) return different;
    return different.filter(({ dayOffset, ...place }) =>
      takesAtMost(set, { place: { leg1, ...place }, dayOffset }, maxElapsed),
    );
  };
  return {
    looked: () => looked,
    hits: (record) => {
      isCounting = false;
      find(record);
      return settled();
    },
    count: (record) => {
      isCounting = true;
      find(record);
      return counted + (hits.count() === 0 ? 0 : settled().length);
    },
  };
};
