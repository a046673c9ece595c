import type {
  AircraftType,
  AirportCodeSet,
  CodeshareInfo,
  Company as WireCompany,
  MarketedFlight,
  ObservedPerformance,
  OnTimePerformance,
  Schedule,
  ScheduleEnd,
  Seats as WireSeats,
  Segment,
} from '../../../../generated/schedules/v1/types.gen.ts';
import { cargoTonnesOf } from '../../../domain/schedule/cargo-capacity.ts';
import { isOtherCompany, namedCompany } from '../../../domain/schedule/companies.ts';
import { formatDate, formatTime, MINUTES_A_DAY, weekdayNames } from '../../../domain/time/dates.ts';
import { carrierIn, stationIn, type Directory } from '../../../domain/master-data/directory.ts';
import { flightDistances } from '../../../domain/master-data/distance.ts';
import {
  delaysIndicator,
  onTimeIndicator,
  type DelaysIndicator,
  type OnTimeIndicator,
} from '../../../domain/schedule/filed-punctuality.ts';
import { weekdaysOf, type Period } from '../../../domain/time/period.ts';
import type { ScheduleRecord, UtcTimes } from '../../../domain/schedule/schedule-records.ts';
import type { Company, Designator, FlightSegment, ScheduleLeg } from '../../../domain/schedule/schedule.ts';

/** A text that is not there is null on this wire. */
const orNull = (text: string): string | null => (text === '' ? null : text);

const showAirport = (station: string, directory: Directory): AirportCodeSet => {
  const location = stationIn(directory, station);
  return {
    iata: orNull(location?.iata ?? station),
    icao: orNull(location?.icao ?? ''),
    faa: orNull(location?.faa ?? ''),
  };
};

const showAircraft = (equipment: string, directory: Directory): AircraftType => ({
  iata: orNull(equipment),
  icao: orNull(directory.equipment(equipment)?.icao ?? ''),
});

const daysOf = (minutes: number): number => Math.floor(minutes / MINUTES_A_DAY);
const timeOf = (minutes: number): string => formatTime(minutes - daysOf(minutes) * MINUTES_A_DAY);

type EndFacts = {
  readonly station: string;
  readonly terminal: string;
  readonly localMinutes: number;
  readonly utcMinutes: number;
};

const showEnd = ({ station, terminal, localMinutes, utcMinutes }: EndFacts, directory: Directory): ScheduleEnd => {
  const country = stationIn(directory, station)?.countryCode ?? '';
  return {
    airport: showAirport(station, directory),
    country: country === '' ? null : { code: country },
    terminal: orNull(terminal),
    passengerLocalTime: timeOf(localMinutes),
    passengerUtcTime: timeOf(utcMinutes),
    utcIntervalDays: daysOf(utcMinutes),
  };
};

const elapsed = ({ departureUtcMinutes, arrivalUtcMinutes }: UtcTimes): number =>
  arrivalUtcMinutes - departureUtcMinutes;

const showClockChange = (change: ScheduleRecord['clockChanges'][number]): Schedule['clockChanges'][number] => ({
  startDate: formatDate(change.from),
  departureUtcTime: timeOf(change.departureUtcMinutes),
  departureUtcIntervalDays: daysOf(change.departureUtcMinutes),
  arrivalUtcTime: timeOf(change.arrivalUtcMinutes),
  arrivalUtcIntervalDays: daysOf(change.arrivalUtcMinutes),
  elapsedTime: elapsed(change),
});

type Dates = Pick<Schedule, 'effectivePeriod' | 'legDaysOfOperation' | 'frequencyRate'>;

const showDates = ({ from, to, days, everyWeeks }: Period): Dates => ({
  effectivePeriod: { startDate: formatDate(from), endDate: formatDate(to) },
  legDaysOfOperation: weekdaysOf(days).map((day) => weekdayNames[day]),
  frequencyRate: everyWeeks,
});

const showLeg = (leg: ScheduleLeg, equipment: string, directory: Directory): Segment => ({
  sequenceNumber: leg.sequence,
  departure: { airport: showAirport(leg.departure.station, directory) },
  arrival: { airport: showAirport(leg.arrival.station, directory) },
  aircraftType: showAircraft(equipment, directory),
  serviceTypeCode: { iata: leg.serviceType },
});

const showSegmentInfo = ({ legs, legEquipment }: FlightSegment, directory: Directory): Schedule['segmentInfo'] => ({
  numberOfStops: legs.length - 1,
  intermediateAirports: {
    iata: legs.slice(0, -1).map((leg, index) => ({ sequenceNumber: index + 1, station: leg.arrival.station })),
  },
  segments:
    legs.length === 1 ? [] : legs.map((leg, index) => showLeg(leg, legEquipment[index] ?? leg.equipment, directory)),
});

const showCompany = (company: Company, directory: Directory): WireCompany => ({
  ...namedCompany(company, directory),
  number: '',
});

const showDesignator = ({ carrier, flightNumber, suffix }: Designator): MarketedFlight => ({
  code: carrier,
  serviceNumber: String(flightNumber),
  suffix,
});

const showCodeshare = (segment: FlightSegment, directory: Directory): CodeshareInfo => {
  const { operatingAirlineDisclosure: operator, aircraftOwner: owner, cockpitCrew, cabinCrew, carrier } = segment;
  const other = (company: Company | undefined): WireCompany | null =>
    isOtherCompany(company, carrier) ? showCompany(company, directory) : null;
  return {
    operatingAirlineDisclosure: operator ? showCompany(operator, directory) : null,
    aircraftOwner: isOtherCompany(owner, carrier) ? namedCompany(owner, directory) : null,
    cockpitCrewEmployer: other(cockpitCrew),
    cabinCrewEmployer: other(cabinCrew),
    jointOperationAirlineDesignators: segment.jointOperators.map((company) => showCompany(company, directory)),
    comments010: segment.marketingFlights.map(showDesignator),
    comment050: segment.operatingFlight ? showDesignator(segment.operatingFlight) : null,
  };
};

const showIndicator = ({ month, value }: OnTimeIndicator): OnTimePerformance['indicator'] => ({
  month: orNull(month),
  value: orNull(value),
});

const showDelays = (filed: DelaysIndicator): OnTimePerformance['delaysAndCancellationsIndicator'] => ({
  month: orNull(filed.month),
  min15: orNull(filed.min15),
  min30: orNull(filed.min30),
  min30Warning: orNull(filed.min30Warning),
  cancel: orNull(filed.cancel),
});

const showFiled = ({ punctuality }: FlightSegment): Omit<OnTimePerformance, 'observed'> => {
  const indicator = punctuality && onTimeIndicator(punctuality);
  const delays = punctuality && delaysIndicator(punctuality);
  return {
    indicator: indicator ? showIndicator(indicator) : null,
    delaysAndCancellationsIndicator: delays ? showDelays(delays) : null,
  };
};

/** A record with its place in the lists: the fingerprint is 32 bytes. */
export type IdentifiedRecord = { readonly record: ScheduleRecord; readonly fingerprint: Buffer };

/**
 * The JSON text of a Schedule up to what is told when it is asked for: what follows is the observed performance (`showObserved`),
 * `},"premiumContent":`, the seats (`showSeats`), and `}`.
 */
export const showRecord = (
  segment: FlightSegment,
  { record, fingerprint }: IdentifiedRecord,
  directory: Directory,
): string => {
  const [first] = segment.legs;
  const last = segment.legs.at(-1) ?? first;
  const carrier = carrierIn(directory, segment.carrier);
  const stations = [first.departure.station, ...segment.legs.map((leg) => leg.arrival.station)];
  const departure = {
    station: first.departure.station,
    terminal: segment.departureTerminal,
    localMinutes: record.departureLocalMinutes,
    utcMinutes: record.departureUtcMinutes,
  };
  const arrival = {
    station: last.arrival.station,
    terminal: segment.arrivalTerminal,
    localMinutes: record.arrivalLocalMinutes,
    utcMinutes: record.arrivalUtcMinutes,
  };
  const open: Omit<Schedule, 'onTimePerformance' | 'premiumContent'> & {
    onTimePerformance: ReturnType<typeof showFiled>;
  } = {
    carrierCode: { iata: orNull(carrier?.iata ?? segment.carrier), icao: orNull(carrier?.icao ?? '') },
    serviceSuffix: orNull(segment.suffix),
    flightNumber: segment.flightNumber,
    sequenceNumber: segment.sequence,
    departure: showEnd(departure, directory),
    arrival: showEnd(arrival, directory),
    elapsedTime: elapsed(record),
    clockChanges: record.clockChanges.map(showClockChange),
    aircraftType: showAircraft(segment.equipment, directory),
    cargoTonnage: cargoTonnesOf(segment, directory) ?? null,
    serviceTypeCode: { iata: segment.serviceType },
    arrivalIntervalDays: daysOf(record.arrivalLocalMinutes),
    legArrivalIntervalDays: record.lastLegArrivalDays,
    ...showDates(record.period),
    distance: flightDistances(stations.map((station) => stationIn(directory, station))) ?? null,
    segmentInfo: showSegmentInfo(segment, directory),
    fingerprint: fingerprint.toString('hex'),
    codeshare: showCodeshare(segment, directory),
    bookingClasses: [...segment.bookingClasses],
    freightClasses: [...segment.freightClasses],
    restrictions: [...segment.restrictions],
    planeChangeWithoutAircraftChange: segment.planeChangeWithoutTypeChange,
    inFlightServices: [...segment.inFlightServices],
    // That check-in is not automated cannot be filed.
    automatedCheckIn: segment.automatedCheckIn || null,
    electronicTicketing: segment.electronicTicketing,
    secureFlightIndicator: segment.secureFlight,
    governmentApproval: segment.governmentApproval,
    onTimePerformance: showFiled(segment),
  };
  return `${JSON.stringify(open).slice(0, -2)},"observed":`;
};

/** The value of `observed`, JSON text. */
export const showObserved = (observed: ObservedPerformance | undefined): string => JSON.stringify(observed ?? null);

/** Seats of a configuration as a segment keeps them, a cabin that is not told left out. */
type StoredSeats = { readonly actual?: { readonly [Cabin in keyof WireSeats]?: number } };

/** The value of `premiumContent`, JSON text, of the seats that a segment keeps (JSON text; undefined where none are known or asked for). */
export const showSeats = (stored: string | undefined): string => {
  if (stored === undefined) return 'null';
  const { actual }: StoredSeats = JSON.parse(stored);
  if (!actual) return 'null';
  const seatingCapacity: WireSeats = {
    firstClass: actual.firstClass ?? null,
    businessClass: actual.businessClass ?? null,
    premiumEconomyClass: actual.premiumEconomyClass ?? null,
    economyPlusClass: actual.economyPlusClass ?? null,
    economyClass: actual.economyClass ?? null,
    totalSeats: actual.totalSeats ?? null,
  };
  return JSON.stringify({ seatingCapacity } satisfies Schedule['premiumContent']);
};
