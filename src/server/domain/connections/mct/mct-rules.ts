import { addDays, type LocalDate } from '#domain/time/dates.ts';
import type { MctRecord, MctStatus } from './mct-record.ts';

/** The rule of a pair of flights for a range of arrival dates at the connection point. */
export type MctRule = {
  /** Both included; undefined is unbounded. */
  readonly from: LocalDate | undefined;
  readonly to: LocalDate | undefined;
  readonly status: MctStatus;
  readonly minutes: number;
  /** The record that gives the minutes; undefined where they are the default. */
  readonly record: MctRecord | undefined;
  /** The record that forbids the connection. */
  readonly suppressedBy: MctRecord | undefined;
};

/** A record that lifts a suppression can set a time: it is then of both kinds. */
const isTime = ({ suppression, minutes }: MctRecord): boolean => suppression !== 'Y' && minutes !== undefined;
/** Whether it decides about suppression, with yes or no. */
const isSuppression = ({ suppression }: MctRecord): boolean => suppression !== '';
const isDated = ({ from, to }: MctRecord): boolean => from !== undefined || to !== undefined;
const holdsOn = ({ from, to }: MctRecord, date: number): boolean =>
  (from === undefined || from <= date) && (to === undefined || date <= to);

/** Lists the records that can win on some date. A record without dates wins over all later ones of its kind. */
const listWinners = (records: Iterable<MctRecord>): readonly MctRecord[] => {
  const winners: MctRecord[] = [];
  let timeFound = false;
  let suppressionFound = false;
  for (const record of records) {
    const canBeTime: boolean = !timeFound && isTime(record);
    const canSuppress: boolean = !suppressionFound && isSuppression(record);
    if (!canBeTime && !canSuppress) continue;
    winners.push(record);
    if (isDated(record)) continue;
    timeFound ||= canBeTime;
    suppressionFound ||= canSuppress;
    if (timeFound && suppressionFound) break;
  }
  return winners;
};

/**
 * Computes the rules of a pair of flights from the applicable records in order of precedence. The rules cover all dates without overlap,
 * earliest first; neighbours differ.
 */
export const computeMctRules = (
  applicable: Iterable<MctRecord>,
  { status, minutes }: { readonly status: MctStatus; readonly minutes: number },
): readonly MctRule[] => {
  const records = listWinners(applicable);
  const ruleOn = (date: number): Omit<MctRule, 'from' | 'to'> => {
    const holding = records.filter((record) => holdsOn(record, date));
    const record = holding.find(isTime);
    const suppression = holding.find(isSuppression);
    return {
      status,
      minutes: record?.minutes ?? minutes,
      record,
      suppressedBy: suppression?.suppression === 'Y' ? suppression : undefined,
    };
  };
  const starts = records
    .flatMap(({ from, to }) => [...(from === undefined ? [] : [from]), ...(to === undefined ? [] : [addDays(to, 1)])])
    .toSorted((one, other) => one - other);
  const rules: MctRule[] = [{ from: undefined, to: undefined, ...ruleOn(-Infinity) }];
  for (const from of starts) {
    const before = rules.at(-1);
    const rule = ruleOn(from);
    if (before === undefined || (before.record === rule.record && before.suppressedBy === rule.suppressedBy)) continue;
    rules[rules.length - 1] = { ...before, to: addDays(from, -1) };
    rules.push({ from, to: undefined, ...rule });
  }
  return rules;
};

/** Finds the rule of a local arrival date at the connection point. */
export const findMctRule = (rules: readonly MctRule[], date: LocalDate): MctRule | undefined =>
  rules.find(({ from, to }) => (from === undefined || from <= date) && (to === undefined || date <= to));
