import type { CarrierSchedule, ScheduleLeg } from '../../domain/schedule/schedule.ts';
import { shareADate } from '../../domain/time/shift-period.ts';
import { designatorKey } from '../../domain/schedule/flight-references.ts';
import type { LoadReport } from '../load-report.ts';

const checkPair = (legs: readonly ScheduleLeg[], report: LoadReport): void => {
  const open: ScheduleLeg[] = [];
  for (const leg of legs.toSorted((one, other) => one.period.from - other.period.from)) {
    const current = open.filter((each) => each.period.to >= leg.period.from);
    open.length = 0;
    open.push(...current);
    const rival = open.find((each) => shareADate(each.period, leg.period));
    // A leg in conflict is not compared with further ones, so that those still open never share a date and stay few.
    if (rival === undefined) {
      open.push(leg);
      continue;
    }
    const value = `${leg.carrier}${leg.flightNumber}${leg.suffix} ${leg.departure.station}-${leg.arrival.station}`;
    const message = `The same designator departs between the same stations on a common date by the record of line ${rival.line}.`;
    report.entries.push({
      severity: 'notice',
      line: leg.line,
      bytes: [15, 57],
      value,
      reason: 'double-departure',
      message,
    });
  }
};

/** Reports legs of one designator and one pair of stations that share a date: one of them cannot be true, but which is not for the reader to say. */
export const checkDepartures = ({ itineraries }: CarrierSchedule, report: LoadReport): void => {
  const byFlight = new Map<string, ScheduleLeg[]>();
  for (const { legs } of itineraries) {
    for (const leg of legs) {
      const key = `${designatorKey(leg)} ${leg.departure.station} ${leg.arrival.station}`;
      const found = byFlight.get(key);
      if (found === undefined) byFlight.set(key, [leg]);
      else found.push(leg);
    }
  }
  for (const legs of byFlight.values()) if (legs.length > 1) checkPair(legs, report);
};
