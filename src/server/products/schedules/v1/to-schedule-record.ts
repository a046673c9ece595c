import type {
  AircraftType,
  AirportCodeSet,
  CodeshareInfo,
  Company as WireCompany,
  ObservedPerformance,
  OnTimePerformance,
  Schedule,
  ScheduleEnd,
  Seats as WireSeats,
  Segment,
} from '#generated/schedules/v1/types.gen.ts';
import { findCarrier, type MasterDataIndex, findStation } from '#domain/master-data/master-data-index.ts';
import { computeFlightDistances } from '#domain/master-data/distance.ts';
import {
  computeCargoTonnes,
  hasOtherCompany,
  resolveCompanyName,
  toCompany,
  toMarketedFlight,
} from '#domain/schedule/segment-lookups.ts';
import {
  parseDelaysIndicator,
  type DelaysIndicator,
  parseOnTimeIndicator,
  type OnTimeIndicator,
} from '#domain/schedule/punctuality-indicators.ts';
import type { ScheduleRecord, UtcTimes } from '#domain/schedule/schedule-records.ts';
import type { Company, FlightSegment, ScheduleLeg } from '#domain/schedule/schedule.ts';
import { formatDate, formatTime, MINUTES_A_DAY, weekdayNames } from '#domain/time/dates.ts';
import { type Period, listWeekdays } from '#domain/time/period.ts';
import type { Sql } from '#store/pool/database.ts';
import { listOnTimePerformance } from '#store/schedules/on-time-performance.ts';
import type { ListedRecord } from '#store/schedules/schedule-records.ts';

/** Renders records as JSON texts of a Schedule; the stored text is not parsed. */
export const renderRecords = async (sql: Sql, records: readonly ListedRecord[]): Promise<readonly Buffer[]> => {
  const observed = await listOnTimePerformance(
    sql,
    records.map(({ performance }) => performance),
  );
  return records.map(({ doc, seats }, index) => {
    const tail = `${renderObserved(observed[index])}},"premiumContent":${renderPremiumContent(seats?.toString())}}`;
    return Buffer.concat([doc, Buffer.from(tail)]);
  });
};

/** This API sends null for an absent text. */
const orNull = (text: string): string | null => (text === '' ? null : text);

const toAirport = (station: string, masterDataIndex: MasterDataIndex): AirportCodeSet => {
  const location = findStation(masterDataIndex, station);
  return {
    iata: orNull(location?.iata ?? station),
    icao: orNull(location?.icao ?? ''),
    faa: orNull(location?.faa ?? ''),
  };
};

const toAircraftType = (equipment: string, masterDataIndex: MasterDataIndex): AircraftType => ({
  iata: orNull(equipment),
  icao: orNull(masterDataIndex.equipment(equipment)?.icao ?? ''),
});

const toIntervalDays = (minutes: number): number => Math.floor(minutes / MINUTES_A_DAY);
const formatTimeOfDay = (minutes: number): string => formatTime(minutes - toIntervalDays(minutes) * MINUTES_A_DAY);

type EndFacts = {
  readonly station: string;
  readonly terminal: string;
  readonly localMinutes: number;
  readonly utcMinutes: number;
};

const toEnd = (
  { station, terminal, localMinutes, utcMinutes }: EndFacts,
  masterDataIndex: MasterDataIndex,
): ScheduleEnd => {
  const country = findStation(masterDataIndex, station)?.countryCode ?? '';
  return {
    airport: toAirport(station, masterDataIndex),
    country: country === '' ? null : { code: country },
    terminal: orNull(terminal),
    passengerLocalTime: formatTimeOfDay(localMinutes),
    passengerUtcTime: formatTimeOfDay(utcMinutes),
    utcIntervalDays: toIntervalDays(utcMinutes),
  };
};

const elapsedMinutes = ({ departureUtcMinutes, arrivalUtcMinutes }: UtcTimes): number =>
  arrivalUtcMinutes - departureUtcMinutes;

const toClockChange = (change: ScheduleRecord['clockChanges'][number]): Schedule['clockChanges'][number] => ({
  startDate: formatDate(change.from),
  departureUtcTime: formatTimeOfDay(change.departureUtcMinutes),
  departureUtcIntervalDays: toIntervalDays(change.departureUtcMinutes),
  arrivalUtcTime: formatTimeOfDay(change.arrivalUtcMinutes),
  arrivalUtcIntervalDays: toIntervalDays(change.arrivalUtcMinutes),
  elapsedTime: elapsedMinutes(change),
});

type Dates = Pick<Schedule, 'effectivePeriod' | 'legDaysOfOperation' | 'frequencyRate'>;

const toDates = ({ from, to, days, everyWeeks }: Period): Dates => ({
  effectivePeriod: { startDate: formatDate(from), endDate: formatDate(to) },
  legDaysOfOperation: listWeekdays(days).map((day) => weekdayNames[day]),
  frequencyRate: everyWeeks,
});

const toSegment = (leg: ScheduleLeg, equipment: string, masterDataIndex: MasterDataIndex): Segment => ({
  sequenceNumber: leg.sequence,
  departure: { airport: toAirport(leg.departure.station, masterDataIndex) },
  arrival: { airport: toAirport(leg.arrival.station, masterDataIndex) },
  aircraftType: toAircraftType(equipment, masterDataIndex),
  serviceTypeCode: { iata: leg.serviceType },
});

const toSegmentInfo = (
  { legs, legEquipment }: FlightSegment,
  masterDataIndex: MasterDataIndex,
): Schedule['segmentInfo'] => ({
  numberOfStops: legs.length - 1,
  intermediateAirports: {
    iata: legs.slice(0, -1).map((leg, index) => ({ sequenceNumber: index + 1, station: leg.arrival.station })),
  },
  segments:
    legs.length === 1
      ? []
      : legs.map((leg, index) => toSegment(leg, legEquipment[index] ?? leg.equipment, masterDataIndex)),
});

const toCodeshare = (segment: FlightSegment, masterDataIndex: MasterDataIndex): CodeshareInfo => {
  const { operatingAirlineDisclosure: operator, aircraftOwner: owner, cockpitCrew, cabinCrew, carrier } = segment;
  const toOtherCompany = (company: Company | undefined): WireCompany | null =>
    hasOtherCompany(company, carrier) ? toCompany(company, masterDataIndex) : null;
  return {
    operatingAirlineDisclosure: operator ? toCompany(operator, masterDataIndex) : null,
    aircraftOwner: hasOtherCompany(owner, carrier) ? resolveCompanyName(owner, masterDataIndex) : null,
    cockpitCrewEmployer: toOtherCompany(cockpitCrew),
    cabinCrewEmployer: toOtherCompany(cabinCrew),
    jointOperationAirlineDesignators: segment.jointOperators.map((company) => toCompany(company, masterDataIndex)),
    comments010: segment.marketingFlights.map(toMarketedFlight),
    comment050: segment.operatingFlight ? toMarketedFlight(segment.operatingFlight) : null,
  };
};

const toIndicator = ({ month, value }: OnTimeIndicator): OnTimePerformance['indicator'] => ({
  month: orNull(month),
  value: orNull(value),
});

const toDelays = (filed: DelaysIndicator): OnTimePerformance['delaysAndCancellationsIndicator'] => ({
  month: orNull(filed.month),
  min15: orNull(filed.min15),
  min30: orNull(filed.min30),
  min30Warning: orNull(filed.min30Warning),
  cancel: orNull(filed.cancel),
});

const toFiledPerformance = ({ punctuality }: FlightSegment): Omit<OnTimePerformance, 'observed'> => {
  const indicator = punctuality && parseOnTimeIndicator(punctuality);
  const delays = punctuality && parseDelaysIndicator(punctuality);
  return {
    indicator: indicator ? toIndicator(indicator) : null,
    delaysAndCancellationsIndicator: delays ? toDelays(delays) : null,
  };
};

/** A record with its fingerprint of 32 bytes, which identifies it in lists. */
export type RecordWithFingerprint = { readonly record: ScheduleRecord; readonly fingerprint: Buffer };

/**
 * Renders the stored part of a Schedule as JSON text. Each request appends the observed performance (`renderObserved`),
 * `},"premiumContent":`, the seats (`renderPremiumContent`), and `}`.
 */
export const renderRecordHead = (
  segment: FlightSegment,
  { record, fingerprint }: RecordWithFingerprint,
  masterDataIndex: MasterDataIndex,
): string => {
  const [first] = segment.legs;
  const last = segment.legs.at(-1) ?? first;
  const carrier = findCarrier(masterDataIndex, segment.carrier);
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
  const head: Omit<Schedule, 'onTimePerformance' | 'premiumContent'> & {
    onTimePerformance: ReturnType<typeof toFiledPerformance>;
  } = {
    carrierCode: { iata: orNull(carrier?.iata ?? segment.carrier), icao: orNull(carrier?.icao ?? '') },
    serviceSuffix: orNull(segment.suffix),
    flightNumber: segment.flightNumber,
    sequenceNumber: segment.sequence,
    departure: toEnd(departure, masterDataIndex),
    arrival: toEnd(arrival, masterDataIndex),
    elapsedTime: elapsedMinutes(record),
    clockChanges: record.clockChanges.map(toClockChange),
    aircraftType: toAircraftType(segment.equipment, masterDataIndex),
    cargoTonnage: computeCargoTonnes(segment, masterDataIndex) ?? null,
    serviceTypeCode: { iata: segment.serviceType },
    arrivalIntervalDays: toIntervalDays(record.arrivalLocalMinutes),
    legArrivalIntervalDays: record.lastLegArrivalDays,
    ...toDates(record.period),
    distance: computeFlightDistances(stations.map((station) => findStation(masterDataIndex, station))) ?? null,
    segmentInfo: toSegmentInfo(segment, masterDataIndex),
    fingerprint: fingerprint.toString('hex'),
    codeshare: toCodeshare(segment, masterDataIndex),
    bookingClasses: [...segment.bookingClasses],
    freightClasses: [...segment.freightClasses],
    restrictions: [...segment.restrictions],
    planeChangeWithoutAircraftChange: segment.planeChangeWithoutTypeChange,
    inFlightServices: [...segment.inFlightServices],
    // SSIM can file automated check-in but not its absence.
    automatedCheckIn: segment.automatedCheckIn || null,
    electronicTicketing: segment.electronicTicketing,
    secureFlightIndicator: segment.secureFlight,
    governmentApproval: segment.governmentApproval,
    onTimePerformance: toFiledPerformance(segment),
  };
  return `${JSON.stringify(head).slice(0, -2)},"observed":`;
};

/** Renders the value of `observed` as JSON text. */
const renderObserved = (observed: ObservedPerformance | undefined): string => JSON.stringify(observed ?? null);

/** Seats as stored with a segment; unknown cabins are absent. */
type StoredSeats = { readonly actual?: { readonly [Cabin in keyof WireSeats]?: number } };

/** Renders the value of `premiumContent` from stored seats (JSON text; undefined if unknown or not requested). */
export const renderPremiumContent = (stored: string | undefined): string => {
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
