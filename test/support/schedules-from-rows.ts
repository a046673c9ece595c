import { toDate, MINUTES_A_DAY, toMinuteOfDay, getWeekday } from '#domain/time/dates.ts';
import type { LocalDate, LocalMinute } from '#domain/time/dates.ts';
import { toDaySet } from '#domain/time/period.ts';
import type { CarrierSchedule, Itinerary, ScheduleLeg } from '#domain/schedule/schedule.ts';
import { secondToMinute, type UtcSecond } from '#domain/status/instants.ts';
import type { UnscheduledFlightDescription, StatusMessage } from '#domain/status/message.ts';
import { getUtcOffset } from '#domain/time/zones.ts';
import { sampleLeg } from '../domain/schedule/sample-leg.ts';

type ZoneOf = (iata: string) => string | undefined;
type Scheduled = {
  readonly flight: Designated;
  readonly plan: UnscheduledFlightDescription;
  readonly departsAt: UtcSecond;
  readonly arrivesAt: UtcSecond;
};
type Designated = Extract<StatusMessage['flight'], { readonly by: 'designator' }>;

const clockAt = (station: string, at: UtcSecond, zoneOf: ZoneOf) => {
  const zone = zoneOf(station);
  if (zone === undefined) throw new Error(`no zone for ${station}`);
  const utcVariationMinutes = getUtcOffset(zone, secondToMinute(at));
  return { utcVariationMinutes, local: (secondToMinute(at) + utcVariationMinutes) as LocalMinute };
};

const endOf = (station: string, utcVariationMinutes: number, aircraftMinutes: number, dateVariation: number) => {
  const times = { utcVariationMinutes, aircraftMinutes, passengerMinutes: aircraftMinutes, dateVariation };
  return { ...times, station, terminal: '', mctStatus: '' } as const;
};

const legOf = ({ flight, plan, departsAt, arrivesAt }: Scheduled, itinerary: number, zoneOf: ZoneOf): ScheduleLeg => {
  const departure = clockAt(plan.departureAirport, departsAt, zoneOf);
  const arrival = clockAt(plan.arrivalAirport, arrivesAt, zoneOf);
  const date = toDate(departure.local);
  const days = toDate(arrival.local) - date;
  const minutes = toMinuteOfDay(arrival.local);
  return {
    ...sampleLeg,
    carrier: flight.carrier,
    flightNumber: flight.flightNumber,
    suffix: flight.suffix,
    line: 0,
    itinerary,
    serviceType: plan.serviceType,
    period: { from: date, to: date, days: toDaySet(getWeekday(date)), everyWeeks: 1 },
    departure: endOf(plan.departureAirport, departure.utcVariationMinutes, toMinuteOfDay(departure.local), 0),
    // SSIM writes an arrival at midnight as 2400 of the day before.
    arrival:
      minutes === 0
        ? endOf(plan.arrivalAirport, arrival.utcVariationMinutes, MINUTES_A_DAY, days - 1)
        : endOf(plan.arrivalAirport, arrival.utcVariationMinutes, minutes, days),
  };
};

/** Whether a timetable can contain the flight: recovery flights and flights without a planned arrival cannot be scheduled. */
const scheduledOf = ({ flight, plan }: StatusMessage): readonly Scheduled[] =>
  flight.by !== 'designator' || !plan || plan.recovers || plan.departsAt === undefined || plan.arrivesAt === undefined
    ? []
    : [{ flight, plan, departsAt: plan.departsAt, arrivesAt: plan.arrivesAt }];

const scheduleOf = (carrier: string, flights: readonly Scheduled[], zoneOf: ZoneOf): CarrierSchedule => {
  const variations = new Map<number, number>();
  const itineraries = flights.map((scheduled): Itinerary => {
    const { flightNumber } = scheduled.flight;
    const itinerary = (variations.get(flightNumber) ?? 0) + 1;
    if (itinerary > 999) throw new Error(`${carrier}${flightNumber} has more rows than there are itinerary variations`);
    variations.set(flightNumber, itinerary);
    return { legs: [legOf(scheduled, itinerary, zoneOf)], segmentData: [], complete: true };
  });
  const dates = itineraries.map(({ legs }) => legs[0].period.from);
  const [from, to] = [Math.min(...dates) as LocalDate, Math.max(...dates) as LocalDate];
  return { carrier, from, to, itineraries };
};

/** Builds a schedule for each carrier; each on-time row is a single leg on one day with its own itinerary variation. */
export const buildSchedulesFromRows = (messages: readonly StatusMessage[], zoneOf: ZoneOf) =>
  [...Map.groupBy(messages.flatMap(scheduledOf), ({ flight }) => flight.carrier)].map(([carrier, flights]) =>
    scheduleOf(carrier, flights, zoneOf),
  );
