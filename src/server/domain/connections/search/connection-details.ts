import type { LocalDate } from '#domain/time/dates.ts';
import { computeCircuity } from '../rules/circuity.ts';
import type { ConnectingRecord } from '../flights/connecting-flight.ts';
import { findConnectionDates, type ConnectionMatch } from './connection-dates.ts';
import type { ConnectionSet } from '../set/connection-set.ts';
import type { MctRule } from '../mct/mct-rules.ts';
import { pairUseBits } from '../set/set-rules.ts';
import type { ConnectionType } from '../rules/carrier-relations.ts';

/** The full description of a connection. */
export type ConnectionDetails = {
  readonly leg1: ConnectingRecord;
  readonly leg2: ConnectingRecord;
  /** Days from the local date on which leg 1 departs to that on which leg 2 departs. */
  readonly dayOffset: number;
  /** From the arrival of leg 1 to the departure of leg 2. */
  readonly minutes: number;
  readonly mct: MctRule;
  readonly type: ConnectionType;
  readonly isInterAirport: boolean;
  readonly passenger: boolean;
  readonly cargo: boolean;
  /** All local departure dates of leg 1 in the set, earliest first. */
  readonly dates: readonly LocalDate[];
  /** Unrounded; 100 is a straight line. */
  readonly circuityPercent: number;
  /** From the departure of leg 1 to the arrival of leg 2, on the first date. */
  readonly elapsedMinutes: number;
};

/** Returns the details of a connection that a search of this set found; throws when the set has no such connection. */
export const getConnectionDetails = (set: ConnectionSet, match: ConnectionMatch): ConnectionDetails => {
  const { leg1: number1, leg2: number2, minutes } = match.position;
  const { columns, reader, rules } = set;
  const dated = findConnectionDates(set, match);
  const [leg1, leg2] = [reader.recordAt(number1), reader.recordAt(number2)];
  const circuity = computeCircuity(leg1.flight, leg2.flight);
  if (!dated || !circuity) throw new RangeError(`the set has no connection of the flights ${number1} and ${number2}`);
  const use = rules.getUse(columns.recordLeg1Key[number1] ?? 0, columns.recordLeg2Key[number2] ?? 0);
  return {
    leg1,
    leg2,
    dayOffset: match.dayOffset,
    minutes,
    mct: dated.rule,
    type: pairUseBits.type(use),
    isInterAirport: columns.recordOff[number1] !== columns.recordBoard[number2],
    passenger: pairUseBits.passenger(use),
    cargo: pairUseBits.cargo(use),
    dates: dated.dates,
    circuityPercent: circuity.percent,
    elapsedMinutes: dated.elapsedMinutes,
  };
};
