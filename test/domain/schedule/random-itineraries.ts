import fc from 'fast-check';
import {
  addDays,
  toDate,
  localDate,
  toMinuteOfDay,
  type LocalDate,
  type UtcMinute,
} from '../../../src/domain/time/dates.ts';
import type { ZoneLookup } from '../../../src/domain/schedule/instances.ts';
import { type DaySet, type Period, shiftPeriod } from '../../../src/domain/time/period.ts';
import type { Itinerary, LegEnd, ScheduleLeg, TimeMode } from '../../../src/domain/schedule/schedule.ts';
import { getUtcOffset } from '../../../src/domain/time/zones.ts';

/** Clocks that change in the north and the south, by an hour, half an hour or two, at unusual times, and never; and a station without a zone. */
const zones: Readonly<Record<string, string | undefined>> = {
  LHR: 'Europe/London',
  JFK: 'America/New_York',
  SYD: 'Australia/Sydney',
  LDH: 'Australia/Lord_Howe',
  CMN: 'Africa/Casablanca',
  TRL: 'Antarctica/Troll',
  DUB: 'Europe/Dublin',
  SCL: 'America/Santiago',
  CAI: 'Africa/Cairo',
  CHT: 'Pacific/Chatham',
  CXI: 'Pacific/Kiritimati',
  HNL: 'Pacific/Honolulu',
  QZX: 'UTC',
  XXX: undefined,
};
const stations = Object.keys(zones);

/** The zones of the stations that random itineraries call at. */
export const findZone: ZoneLookup = (station) => zones[station];

/** Filed variations sometimes differ from the zone, by typical errors of senders. */
const wrongBy = [0, 0, 0, 0, 60, -60, 30, 600];

const end = fc.record({
  station: fc.constantFrom(...stations),
  wrong: fc.constantFrom(...wrongBy),
  passengersEarlier: fc.constantFrom(0, 0, 0, 10, -15, 45),
  midnightIsLate: fc.boolean(),
});
type EndPlan = Parameters<Parameters<typeof end.map>[0]>[0];

const legPlan = fc.record({
  departure: end,
  arrival: end,
  blockMinutes: fc.integer({ min: 30, max: 1000 }),
  groundMinutes: fc.integer({ min: 30, max: 900 }),
});

/** Days of clock changes in Europe, North America, Australia and Chile. */
const changeDays = ['2025-10-26', '2025-11-02', '2026-03-08', '2026-03-29', '2026-04-05', '2026-04-04', '2026-10-04'];
const nearChange = fc
  .tuple(fc.constantFrom(...changeDays.map(localDate)), fc.integer({ min: -3, max: 2 }))
  .map(([date, days]) => date + days);

const plan = fc.record({
  mode: fc.constantFrom<TimeMode>('local', 'utc'),
  from: fc.oneof(fc.integer({ min: localDate('2025-01-01'), max: localDate('2027-06-30') }), nearChange),
  lengthDays: fc.oneof(
    fc.integer({ min: 0, max: 2 }),
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: 0, max: 400 }),
  ),
  days: fc.oneof(fc.constant(0b1111111), fc.integer({ min: 1, max: 0b1111111 })),
  everyWeeks: fc.constantFrom<1 | 2>(1, 2),
  minute: fc.oneof(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 40, max: 200 })),
  legs: fc.array(legPlan, { minLength: 1, maxLength: 3 }),
});

type Filing = { readonly mode: TimeMode; readonly origin: LocalDate; readonly isArrival: boolean };

/** A leg end at an instant, filed by the clock of that day with an occasional error. */
const legEnd = (utc: number, planned: EndPlan, { mode, origin, isArrival }: Filing): LegEnd => {
  const zone = findZone(planned.station);
  const variation = (zone === undefined ? 180 : getUtcOffset(zone, utc as UtcMinute)) + planned.wrong;
  const filed = (mode === 'utc' ? utc : utc + variation) as UtcMinute;
  const [date, minute] = [toDate(filed), toMinuteOfDay(filed)];
  // The end of a day can be filed as 2400.
  const isLate = isArrival && minute === 0 && planned.midnightIsLate;
  return {
    station: planned.station,
    aircraftMinutes: isLate ? 1440 : minute,
    passengerMinutes: isLate ? 1440 : toMinuteOfDay(filed - planned.passengersEarlier),
    utcVariationMinutes: variation,
    dateVariation: date - origin - (isLate ? 1 : 0),
    terminal: '',
    mctStatus: '',
  };
};

const legOf = (
  sequence: number,
  { departure, arrival, mode, period }: { departure: LegEnd; arrival: LegEnd; mode: TimeMode; period: Period },
): ScheduleLeg => ({
  carrier: 'XX',
  flightNumber: 101,
  suffix: '',
  line: sequence,
  itinerary: 1,
  sequence,
  serviceType: 'J',
  timeMode: mode,
  period: shiftPeriod(period, departure.dateVariation),
  departure,
  arrival,
  equipment: '789',
  bookingClasses: '',
  bookingModifiers: '',
  meals: '',
  jointOperators: [],
  secureFlight: '',
  aircraftOwner: { code: '', name: '' },
  cockpitCrew: { code: '', name: '' },
  cabinCrew: { code: '', name: '' },
  disclosure: '',
  trafficRestrictions: '',
  configuration: '',
  electronicTicketing: undefined,
  inFlightServices: [],
});

/** Itineraries of one to three legs: legs follow each other in time while the offsets are those of the first day. */
export const itineraryArbitrary: fc.Arbitrary<Itinerary> = plan.map(
  ({ mode, from, lengthDays, days, everyWeeks, minute, legs }) => {
    const origin = from as LocalDate;
    const period: Period = { from: origin, to: addDays(origin, lengthDays), days: days as DaySet, everyWeeks };
    let station = legs[0]?.departure.station ?? '';
    const startZone = findZone(station);
    const startOffset =
      mode === 'utc' ? 0 : startZone === undefined ? 180 : getUtcOffset(startZone, (origin * 1440) as UtcMinute);
    let utc = origin * 1440 + minute - startOffset;
    const flown = legs.map((one, index) => {
      const departure = legEnd(utc, { ...one.departure, station }, { mode, origin, isArrival: false });
      const arrival = legEnd(utc + one.blockMinutes, one.arrival, { mode, origin, isArrival: true });
      utc += one.blockMinutes + one.groundMinutes;
      station = one.arrival.station;
      return legOf(index + 1, { departure, arrival, mode, period });
    });
    const [first, ...others] = flown;
    if (first === undefined) throw new Error('an itinerary has a leg');
    return { legs: [first, ...others], segmentData: [], complete: true };
  },
);
