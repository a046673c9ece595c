import type {
  AirportCodeSet,
  CodeshareInfo,
  Company as WireCompany,
  FlightInstance,
  MarketedFlight,
  ScheduledEnd,
  Seats as WireSeats,
} from '../../../../generated/flight-info/v2/types.gen.ts';
import { cargoTonnesOf } from '../../../domain/schedule/cargo-capacity.ts';
import { isOtherCompany, namedCompany } from '../../../domain/schedule/companies.ts';
import {
  dateAt,
  formatDate,
  formatTime,
  minuteOfDay,
  type LocalMinute,
  type UtcMinute,
} from '../../../domain/time/dates.ts';
import { carrierIn, stationIn, type Directory } from '../../../domain/master-data/directory.ts';
import { flightDistances } from '../../../domain/master-data/distance.ts';
import { delaysIndicator, onTimeIndicator } from '../../../domain/schedule/filed-punctuality.ts';
import type { SegmentInstance } from '../../../domain/schedule/instances.ts';
import type { Location } from '../../../domain/master-data/master-data.ts';
import type { Company, Designator, FiledPunctuality, FlightSegment, Seats } from '../../../domain/schedule/schedule.ts';

/** Codes that exist, and no member for those that do not. */
export const showCodes = ({ iata, icao, faa }: { iata: string; icao: string; faa?: string }): AirportCodeSet => ({
  ...(iata && { iata }),
  ...(icao && { icao }),
  ...(faa && { faa }),
});

const showAirport = (station: string, location: Location | undefined): AirportCodeSet =>
  location ? showCodes(location) : { iata: station };

const showEnd = (station: string, terminal: string, directory: Directory): Omit<ScheduledEnd, 'date' | 'time'> => {
  const location = stationIn(directory, station);
  return {
    airport: showAirport(station, location),
    terminal,
    ...(location?.countryCode && { country: { code: location.countryCode } }),
  };
};

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
  return {
    ...(operator && { operatingAirlineDisclosure: showCompany(operator, directory) }),
    ...(isOtherCompany(owner, carrier) && { aircraftOwner: namedCompany(owner, directory) }),
    ...(isOtherCompany(cockpitCrew, carrier) && { cockpitCrewEmployer: showCompany(cockpitCrew, directory) }),
    ...(isOtherCompany(cabinCrew, carrier) && { cabinCrewEmployer: showCompany(cabinCrew, directory) }),
    jointOperationAirlineDesignators: segment.jointOperators.map((company) => showCompany(company, directory)),
    marketingFlights: segment.marketingFlights.map(showDesignator),
    ...(segment.operatingFlight && { operatingFlight: showDesignator(segment.operatingFlight) }),
  };
};

type StaticPart = Omit<FlightInstance, 'departure' | 'arrival' | 'elapsedTime' | 'statusKey' | 'scheduleInstanceKey'>;

const showStaticPart = (segment: FlightSegment, directory: Directory): StaticPart => {
  const carrier = carrierIn(directory, segment.carrier);
  const type = directory.equipment(segment.equipment);
  const stations = [segment.legs[0].departure.station, ...segment.legs.map((leg) => leg.arrival.station)];
  const cargoTonnage = cargoTonnesOf(segment, directory);
  const distance = flightDistances(stations.map((station) => stationIn(directory, station)));
  return {
    carrier: carrier ? showCodes({ ...carrier, faa: '' }) : { iata: segment.carrier },
    serviceSuffix: segment.suffix,
    flightNumber: segment.flightNumber,
    sequenceNumber: segment.sequence,
    flightType: 'Scheduled',
    ...(cargoTonnage !== undefined && { cargoTonnage }),
    aircraftType: showCodes({ iata: segment.equipment, icao: type?.icao ?? '' }),
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
    codeshare: showCodeshare(segment, directory),
  };
};

const json = (value: object): string => JSON.stringify(value);
/** The text of an object without its closing brace, so that members can follow; '' stands for an object without members. */
const opened = (value: object): string => json(value).slice(0, -1);
const members = (value: object): string => json(value).slice(1, -1);

const dateText = (minute: LocalMinute | UtcMinute): string => formatDate(dateAt(minute));
const timeText = (minute: LocalMinute | UtcMinute): string => formatTime(minuteOfDay(minute));

const whenText = (local: LocalMinute, utc: UtcMinute): string =>
  `,"date":{"local":"${dateText(local)}","utc":"${dateText(utc)}"},"time":{"local":"${timeText(local)}","utc":"${timeText(utc)}"}}`;

/** The keys of an instance as they are shown: 64 lower-case hexadecimal digits. */
export type ShownKeys = { readonly scheduleInstanceKey: string; readonly statusKey: string };

/** Writes the list row of one instance, the JSON text of a FlightInstance. */
export type ShowInstance = (instance: SegmentInstance, keys: ShownKeys) => string;

/**
 * Prepares the list row of a segment: what its instances share is written once, so that a row costs little more than
 * the joining of texts (an expansion writes tens of thousands of them a second).
 */
export const instanceRow = (segment: FlightSegment, directory: Directory): ShowInstance => {
  const [first] = segment.legs;
  const last = segment.legs.at(-1) ?? first;
  const { cargoTonnage, aircraftType, serviceType, segmentInfo, distance, codeshare, ...naming } = showStaticPart(
    segment,
    directory,
  );
  const head = `${opened(naming)},"departure":${opened(showEnd(first.departure.station, segment.departureTerminal, directory))}`;
  const middle = `,"arrival":${opened(showEnd(last.arrival.station, segment.arrivalTerminal, directory))}`;
  const tail = members({ cargoTonnage, aircraftType, serviceType, segmentInfo, distance, codeshare });
  return ({ departsAtLocal, departsAtUtc, arrivesAtLocal, arrivesAtUtc }, { scheduleInstanceKey, statusKey }) =>
    `${head}${whenText(departsAtLocal, departsAtUtc)}${middle}${whenText(arrivesAtLocal, arrivesAtUtc)},"elapsedTime":${
      arrivesAtUtc - departsAtUtc
    },${tail},"scheduleInstanceKey":"${scheduleInstanceKey}","statusKey":"${statusKey}"}`;
};

const showPunctuality = (filed: FiledPunctuality): FlightInstance['onTimePerformance'] => {
  const indicator = onTimeIndicator(filed);
  const delays = delaysIndicator(filed);
  return indicator || delays
    ? { ...(indicator && { indicator }), ...(delays && { delaysAndCancellationsIndicator: delays }) }
    : undefined;
};

/** What the single flight shows beyond the list row, as JSON members without braces. */
export const detailMembers = (segment: FlightSegment): string =>
  members({
    bookingClasses: segment.bookingClasses,
    freightClasses: segment.freightClasses,
    restrictions: segment.restrictions,
    planeChangeWithoutAircraftChange: segment.planeChangeWithoutTypeChange,
    onTimePerformance: segment.punctuality && showPunctuality(segment.punctuality),
    inFlightServices: segment.inFlightServices,
    automatedCheckIn: segment.automatedCheckIn,
    electronicTicketing: segment.electronicTicketing,
    secureFlightIndicator: segment.secureFlight,
    governmentApproval: segment.governmentApproval,
  } satisfies Partial<Record<keyof FlightInstance, unknown>>);

/** Seats by cabin; a cabin that nobody told is left out. */
export const showSeats = (seats: Seats): WireSeats => ({
  firstClass: seats.first,
  businessClass: seats.business,
  premiumEconomyClass: seats.premiumEconomy,
  economyPlusClass: seats.economyPlus,
  economyClass: seats.economy,
  totalSeats: seats.total,
});

/** The value of `seatingCapacity`, or undefined when no configuration is filed. */
export const seatsText = ({ seats }: FlightSegment): string | undefined =>
  seats && json({ actual: showSeats(seats) } satisfies FlightInstance['seatingCapacity']);
