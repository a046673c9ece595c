import { addDays, atMinute, minuteOfDay, type LocalDate } from '../../../domain/time/dates.ts';
import { localToUtc, utcOffsetAt } from '../../../domain/time/zones.ts';
import type { DateSpan } from '../../../domain/schedule/departure-span.ts';
import type { PlannedFlight } from './flights.ts';

/** A part of a flight's period in which neither end has its clock changed; minutes of both are local. */
export type Edition = {
  readonly span: DateSpan;
  readonly departureOffset: number;
  readonly arrivalOffset: number;
  readonly arrives: number;
  /** Days from the departure's date to the arrival's: -1, 0, 1 or 2. */
  readonly arrivalDay: number;
};

type Offsets = { readonly departure: number; readonly arrival: number };

const offsetsOn = ({ from, to, departs, elapsedMinutes }: PlannedFlight, day: LocalDate): Offsets => {
  const { utc, offset } = localToUtc(from.zone, atMinute(day, departs), 0);
  return { departure: offset, arrival: utcOffsetAt(to.zone, (utc + elapsedMinutes) as typeof utc) };
};

/** Cuts a span where the clock of one of the ends is changed: times of a record hold for one pair of offsets only. */
export const editionsOf = (flight: PlannedFlight, { from, to }: DateSpan): readonly Edition[] => {
  const editions: { span: { from: LocalDate; to: LocalDate }; offsets: Offsets }[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const offsets = offsetsOn(flight, day);
    const last = editions.at(-1);
    if (last && last.offsets.departure === offsets.departure && last.offsets.arrival === offsets.arrival)
      last.span.to = day;
    else editions.push({ span: { from: day, to: day }, offsets });
  }
  return editions.map(({ span, offsets: { departure, arrival } }) => {
    const arrives = flight.departs - departure + flight.elapsedMinutes + arrival;
    return {
      span,
      departureOffset: departure,
      arrivalOffset: arrival,
      arrives: minuteOfDay(arrives),
      arrivalDay: Math.floor(arrives / 1440),
    };
  });
};
