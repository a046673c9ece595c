import type {
  AirportCodeSet,
  CodeshareInfo,
  FlightInstance,
  ScheduledEnd,
  Seats as WireSeats,
} from '#generated/flight-info/v2/types.gen.ts';
import {
  computeCargoTonnes,
  hasOtherCompany,
  resolveCompanyName,
  toCompany,
  toMarketedFlight,
} from '#domain/schedule/segment-lookups.ts';
import { toDate, formatDate, formatTime, toMinuteOfDay, type LocalMinute, type UtcMinute } from '#domain/time/dates.ts';
import { findCarrier, findStation, type MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { computeFlightDistances } from '#domain/master-data/distance.ts';
import { parseDelaysIndicator, parseOnTimeIndicator } from '#domain/schedule/punctuality-indicators.ts';
import type { SegmentInstance } from '#domain/schedule/instances.ts';
import type { Location } from '#domain/master-data/master-data.ts';
import type { FiledPunctuality, FlightSegment, Seats } from '#domain/schedule/schedule.ts';

/** Returns the codes that exist; others are absent. */
export const toCodes = ({ iata, icao, faa }: { iata: string; icao: string; faa?: string }): AirportCodeSet => ({
  ...(iata && { iata }),
  ...(icao && { icao }),
  ...(faa && { faa }),
});

const toAirport = (station: string, location: Location | undefined): AirportCodeSet =>
  location ? toCodes(location) : { iata: station };

const toEnd = (
  station: string,
  terminal: string,
  masterDataIndex: MasterDataIndex,
): Omit<ScheduledEnd, 'date' | 'time'> => {
  const location = findStation(masterDataIndex, station);
  return {
    airport: toAirport(station, location),
    terminal,
    ...(location?.countryCode && { country: { code: location.countryCode } }),
  };
};

const toCodeshare = (segment: FlightSegment, masterDataIndex: MasterDataIndex): CodeshareInfo => {
  const { operatingAirlineDisclosure: operator, aircraftOwner: owner, cockpitCrew, cabinCrew, carrier } = segment;
  return {
    ...(operator && { operatingAirlineDisclosure: toCompany(operator, masterDataIndex) }),
    ...(hasOtherCompany(owner, carrier) && { aircraftOwner: resolveCompanyName(owner, masterDataIndex) }),
    ...(hasOtherCompany(cockpitCrew, carrier) && { cockpitCrewEmployer: toCompany(cockpitCrew, masterDataIndex) }),
    ...(hasOtherCompany(cabinCrew, carrier) && { cabinCrewEmployer: toCompany(cabinCrew, masterDataIndex) }),
    jointOperationAirlineDesignators: segment.jointOperators.map((company) => toCompany(company, masterDataIndex)),
    marketingFlights: segment.marketingFlights.map(toMarketedFlight),
    ...(segment.operatingFlight && { operatingFlight: toMarketedFlight(segment.operatingFlight) }),
  };
};

type StaticPart = Omit<
  FlightInstance,
  'departure' | 'arrival' | 'elapsedTime' | 'statusKey' | 'scheduleInstanceKey' | 'isOperating'
>;

const toStaticPart = (segment: FlightSegment, masterDataIndex: MasterDataIndex): StaticPart => {
  const carrier = findCarrier(masterDataIndex, segment.carrier);
  const type = masterDataIndex.equipment(segment.equipment);
  const stations = [segment.legs[0].departure.station, ...segment.legs.map((leg) => leg.arrival.station)];
  const cargoTonnage = computeCargoTonnes(segment, masterDataIndex);
  const distance = computeFlightDistances(stations.map((station) => findStation(masterDataIndex, station)));
  return {
    carrier: carrier ? toCodes({ ...carrier, faa: '' }) : { iata: segment.carrier },
    serviceSuffix: segment.suffix,
    flightNumber: segment.flightNumber,
    sequenceNumber: segment.sequence,
    flightType: 'Scheduled',
    ...(cargoTonnage !== undefined && { cargoTonnage }),
    aircraftType: toCodes({ iata: segment.equipment, icao: type?.icao ?? '' }),
    serviceType: segment.serviceType === '' ? {} : { iata: segment.serviceType },
    segmentInfo: {
      numberOfStops: segment.legs.length - 1,
      intermediateAirports: {
        iata: segment.legs
          .slice(0, -1)
          .map((leg, index) => ({ sequenceNumber: index + 1, station: leg.arrival.station })),
      },
    },
    ...(distance && { distance }),
    codeshare: toCodeshare(segment, masterDataIndex),
  };
};

const toJson = (value: object): string => JSON.stringify(value);
/** Returns the JSON text of an object without its closing brace, so that members can follow. */
const openJson = (value: object): string => toJson(value).slice(0, -1);
const memberJson = (value: object): string => toJson(value).slice(1, -1);

const formatDateAt = (minute: LocalMinute | UtcMinute): string => formatDate(toDate(minute));
const formatTimeAt = (minute: LocalMinute | UtcMinute): string => formatTime(toMinuteOfDay(minute));

const renderDateAndTime = (local: LocalMinute, utc: UtcMinute, filed: LocalMinute): string =>
  `,"date":{"local":"${formatDateAt(local)}","utc":"${formatDateAt(utc)}"},"time":{"local":"${formatTimeAt(local)}","utc":"${formatTimeAt(utc)}"${filed === local ? '' : `,"filed":"${formatTimeAt(filed)}"`}}}`;

/** The keys of an instance on the wire: 64 lower-case hexadecimal digits. */
export type InstanceKeys = { readonly scheduleInstanceKey: string; readonly statusKey: string };

/** Renders the list row of one instance as JSON text of a FlightInstance. */
export type RenderRow = (instance: SegmentInstance, keys: InstanceKeys) => string;

/** The members of a row after its elapsed time. All other static members precede the departure. */
type TailMember = 'cargoTonnage' | 'aircraftType' | 'serviceType' | 'segmentInfo' | 'distance' | 'codeshare';

/**
 * Creates the renderer of a segment's list rows. Rows are rendered when days are expanded, and are stored: a new property appears only on days
 * that are expanded later. The shared part is rendered once, so that a row costs little more than joining texts.
 */
export const createRowRenderer = (segment: FlightSegment, masterDataIndex: MasterDataIndex): RenderRow => {
  const [first] = segment.legs;
  const last = segment.legs.at(-1) ?? first;
  const { cargoTonnage, aircraftType, serviceType, segmentInfo, distance, codeshare, ...naming } = toStaticPart(
    segment,
    masterDataIndex,
  );
  const head = `${openJson(naming satisfies Omit<StaticPart, TailMember>)},"departure":${openJson(toEnd(first.departure.station, segment.departureTerminal, masterDataIndex))}`;
  const middle = `,"arrival":${openJson(toEnd(last.arrival.station, segment.arrivalTerminal, masterDataIndex))}`;
  const tail = memberJson({
    cargoTonnage,
    aircraftType,
    serviceType,
    segmentInfo,
    distance,
    codeshare,
  } satisfies Record<TailMember, unknown>);
  return ({ departsAtLocal, departsAtUtc, arrivesAtLocal, arrivesAtUtc, filed }, { scheduleInstanceKey, statusKey }) =>
    `${head}${renderDateAndTime(departsAtLocal, departsAtUtc, filed.departsAt)}${middle}${renderDateAndTime(arrivesAtLocal, arrivesAtUtc, filed.arrivesAt)},"elapsedTime":${
      arrivesAtUtc - departsAtUtc
    },${tail},"scheduleInstanceKey":"${scheduleInstanceKey}","statusKey":"${statusKey}"}`;
};

const toOnTimePerformance = (filed: FiledPunctuality): FlightInstance['onTimePerformance'] => {
  const indicator = parseOnTimeIndicator(filed);
  const delays = parseDelaysIndicator(filed);
  return indicator || delays
    ? { ...(indicator && { indicator }), ...(delays && { delaysAndCancellationsIndicator: delays }) }
    : undefined;
};

/** Renders the members of the single flight that the list row does not have, without braces. */
export const renderDetails = (segment: FlightSegment): string =>
  memberJson({
    bookingClasses: segment.bookingClasses,
    freightClasses: segment.freightClasses,
    restrictions: segment.restrictions,
    planeChangeWithoutAircraftChange: segment.planeChangeWithoutTypeChange,
    onTimePerformance: segment.punctuality && toOnTimePerformance(segment.punctuality),
    inFlightServices: segment.inFlightServices,
    automatedCheckIn: segment.automatedCheckIn,
    electronicTicketing: segment.electronicTicketing,
    secureFlightIndicator: segment.secureFlight,
    governmentApproval: segment.governmentApproval,
  } satisfies Partial<Record<keyof FlightInstance, unknown>>);

/** Returns seats by cabin; unknown cabins are absent. */
export const toSeats = (seats: Seats): WireSeats => ({
  firstClass: seats.first,
  businessClass: seats.business,
  premiumEconomyClass: seats.premiumEconomy,
  economyPlusClass: seats.economyPlus,
  economyClass: seats.economy,
  totalSeats: seats.total,
});

/** Renders the value of `seatingCapacity`; undefined if no configuration is filed. */
export const renderSeats = ({ seats }: FlightSegment): string | undefined =>
  seats && toJson({ actual: toSeats(seats) } satisfies FlightInstance['seatingCapacity']);
