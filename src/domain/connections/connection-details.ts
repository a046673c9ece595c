import type { LocalDate } from '../time/dates.ts';
import { circuityOf } from './rules/circuity.ts';
import type { ConnectingRecord } from './connecting-flight.ts';
import { datesOf } from './connection-dates.ts';
import type { ConnectionSet } from './connection-set.ts';
import type { FoundConnection } from './found-connection.ts';
import type { MctRule } from './mct/mct-rules.ts';
import { useBits } from './set/set-rules.ts';
import type { ConnectionType } from './wanted-connections.ts';

/** All there is to tell of a connection. */
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
  /** Local dates on which leg 1 departs, all that the set has, earliest first. */
  readonly dates: readonly LocalDate[];
  /** Unrounded; 100 is a straight line. */
  readonly circuityPercent: number;
  /** From the departure of leg 1 to the arrival of leg 2, on the first date. */
  readonly elapsedMinutes: number;
};

/** Tells a connection that a walk of this set has found; throws when the set has no such connection. */
export const detailsOf = (set: ConnectionSet, found: FoundConnection): ConnectionDetails => {
  const { leg1: first, leg2: second, minutes } = found.place;
  const { columns, reader, rules } = set;
  const told = datesOf(set, found);
  const [leg1, leg2] = [reader.recordAt(first), reader.recordAt(second)];
  const circuity = circuityOf(leg1.flight, leg2.flight);
  if (!told || !circuity) throw new RangeError(`the set has no connection of the flights ${first} and ${second}`);
  const use = rules.useOf(columns.recordLeg1Key[first] ?? 0, columns.recordLeg2Key[second] ?? 0);
  return {
    leg1,
    leg2,
    dayOffset: found.dayOffset,
    minutes,
    mct: told.rule,
    type: useBits.type(use),
    isInterAirport: columns.recordOff[first] !== columns.recordBoard[second],
    passenger: useBits.passenger(use),
    cargo: useBits.cargo(use),
    dates: told.dates,
    circuityPercent: circuity.percent,
    elapsedMinutes: told.elapsedMinutes,
  };
};
