import type { FlightInstance, ScheduledEnd, StatusDetails } from '#generated/flight-info/v2/types.gen.ts';
import type { ScheduleContent, StatusContent } from './event-content.ts';
import { findOriginDate } from './origin-date.ts';
import { formatDate, localDate } from '#domain/time/dates.ts';

/**
 * An instance as stored: JSON texts in the form of Flight Info v2. Events are built from the same texts that requests for
 * the flight return, so that nothing is stored twice.
 */
export type StoredInstance = {
  /** The list row. */
  readonly doc: string;
  /** The further members of the single flight, without braces; undefined for an unscheduled flight. */
  readonly details: string | undefined;
  /** The value of `seatingCapacity` as filed. */
  readonly seats: string | undefined;
};

/** Parses the list row of an instance. */
const parseRow = (doc: string): FlightInstance => {
  const row: FlightInstance = JSON.parse(doc);
  return row;
};

/** Parses all stored parts of an instance. */
const parseInstance = ({ doc, details, seats }: StoredInstance): FlightInstance => {
  const members = [doc.slice(0, -1), details ?? '', seats === undefined ? '' : `"seatingCapacity":${seats}`];
  return parseRow(`${members.filter((text) => text !== '').join(',')}}`);
};

/** Returns an object if it has a member that is set: events omit empty objects. */
const omitIfEmpty = <Value extends object>(value: Value | undefined): Value | undefined =>
  value && Object.values(value).some((member) => member !== undefined) ? value : undefined;

/** An unknown terminal is '' in the list row and absent in events. */
const toScheduledEnd = ({ airport, country, terminal, date, time }: ScheduledEnd): ScheduleContent['departure'] => ({
  airport,
  ...(country && { country }),
  ...(terminal && { terminal }),
  date,
  time: { local: time.local, utc: time.utc },
});

const intervalDays = ({ departure, arrival }: FlightInstance): number =>
  localDate(arrival.date.local) - localDate(departure.date.local);

/** Returns the event content of a scheduled instance; throws for an unscheduled flight. */
export const toScheduleContent = (stored: StoredInstance): ScheduleContent => {
  const row = parseInstance(stored);
  const { scheduleInstanceKey, aircraftType, serviceType, segmentInfo, seatingCapacity } = row;
  if (scheduleInstanceKey === undefined)
    throw new Error(`flight ${row.statusKey} is in no schedule, and has no schedule events`);
  const type = omitIfEmpty(aircraftType);
  const seats = omitIfEmpty(seatingCapacity?.actual);
  return {
    carrierCode: row.carrier,
    serviceSuffix: row.serviceSuffix ?? '',
    flightNumber: row.flightNumber,
    ...(row.sequenceNumber !== undefined && { sequenceNumber: row.sequenceNumber }),
    departure: toScheduledEnd(row.departure),
    arrival: toScheduledEnd(row.arrival),
    ...(type && { aircraftType: type }),
    ...(serviceType.iata && { serviceTypeCode: { iata: serviceType.iata } }),
    arrivalIntervalDays: intervalDays(row),
    ...(segmentInfo.numberOfStops === 0 && { legArrivalIntervalDays: intervalDays(row) }),
    segmentInfo,
    codeshare: row.codeshare,
    bookingClasses: row.bookingClasses,
    freightClasses: row.freightClasses,
    restrictions: row.restrictions,
    planeChangeWithoutAircraftChange: row.planeChangeWithoutAircraftChange,
    onTimePerformance: row.onTimePerformance,
    inFlightServices: row.inFlightServices,
    automatedCheckIn: row.automatedCheckIn,
    electronicTicketing: row.electronicTicketing,
    secureFlightIndicator: row.secureFlightIndicator,
    governmentApproval: row.governmentApproval,
    ...(seats && { seatingCapacity: { actual: seats } }),
    scheduleInstanceKey,
    statusKey: row.statusKey,
  };
};

/** A stored instance of a flight under one of its designators. */
export type StoredDesignatorInstance = StoredInstance & { readonly isMarketing: boolean };

/** The status of a flight as stored. */
export type StoredStatus = {
  /** The latest StatusDetails, JSON text; '' before the first message. */
  readonly doc: string;
  /** Seats of the actual aircraft, JSON text; undefined if not reported. */
  readonly seats: string | undefined;
  /** On a recovery flight: the status key of the flight it recovers. */
  readonly originalStatusKey: string | undefined;
};

/** Keys of the instances that share a status. */
type SharedKeys = { readonly operating: string | undefined; readonly marketing: readonly string[] };

/** Converts date and time of the list row to timestamps; the local one has no UTC offset, because the row has none. */
const toScheduledTime = ({ date, time }: ScheduledEnd) => ({
  local: `${date.local}T${time.local}:00`,
  utc: `${date.utc}T${time.utc}:00+00:00`,
});

const toAirportAndCountry = ({ airport, country }: Partial<Pick<ScheduledEnd, 'airport' | 'country'>>) => ({
  ...(omitIfEmpty(airport) && { airport }),
  ...(country && { country }),
});

/** Rows of earlier versions mark an estimated arrival only by an elapsed time of 0. */
const isArrivalKnown = ({ flightType, departure, arrival, elapsedTime }: FlightInstance): boolean =>
  arrival.isEstimated !== true && (flightType === 'Scheduled' || departure.isEstimated === true || elapsedTime > 0);

/** The airport is that of the row, which has it without a status too. */
const toDeparture = (row: FlightInstance, status: StatusDetails | undefined): StatusContent['departure'] => {
  const {
    estimatedTime,
    actualTime,
    actualTerminal,
    airport: _airport,
    country: _country,
    ...others
  } = status?.departure ?? {};
  return {
    times: {
      ...(row.departure.isEstimated !== true && { scheduled: toScheduledTime(row.departure) }),
      ...(estimatedTime && { estimated: estimatedTime }),
      ...(actualTime && { actual: actualTime }),
    },
    ...toAirportAndCountry(row.departure),
    scheduled: toAirportAndCountry(row.departure),
    terminal: actualTerminal ?? (row.departure.terminal || undefined),
    ...others,
  };
};

/** After a diversion, airport and terminal come from the status only: the schedule refers to another airport. */
const toArrival = (row: FlightInstance, status: StatusDetails | undefined): StatusContent['arrival'] => {
  const { estimatedTime, actualTime, actualTerminal, airport, country, ...others } = status?.arrival ?? {};
  const wasDiverted = status?.diversionType !== undefined;
  const times = omitIfEmpty({
    ...(isArrivalKnown(row) && { scheduled: toScheduledTime(row.arrival) }),
    ...(estimatedTime && { estimated: estimatedTime }),
    ...(actualTime && { actual: actualTime }),
  });
  return {
    ...(times && { times }),
    ...toAirportAndCountry(wasDiverted ? { airport, country } : row.arrival),
    scheduled: toAirportAndCountry(row.arrival),
    terminal: actualTerminal ?? (wasDiverted ? undefined : row.arrival.terminal || undefined),
    ...others,
  };
};

/** The actual type and registration; the scheduled type applies until another one is reported. */
const toEquipment = (row: FlightInstance, status: StatusDetails | undefined): StatusContent['equipment'] => {
  const { actualAircraftType, ...others } = status?.equipment ?? {};
  return omitIfEmpty({
    aircraftType: omitIfEmpty(actualAircraftType) ?? omitIfEmpty(row.aircraftType),
    ...others,
  });
};

type EventSeats = NonNullable<StatusContent['seatingCapacity']>['actual'];

const toSeatingCapacity = (row: FlightInstance, storedSeats: string | undefined): StatusContent['seatingCapacity'] => {
  const actualSeats: EventSeats = storedSeats === undefined ? undefined : JSON.parse(storedSeats);
  const actual = omitIfEmpty(actualSeats) ?? omitIfEmpty(row.seatingCapacity?.actual);
  return actual && { actual };
};

const toOriginationDate = (row: FlightInstance): string => {
  const { scheduleInstanceKey, carrier, flightNumber, serviceSuffix = '', departure, arrival } = row;
  const departsOn = localDate(departure.date.local);
  const date =
    scheduleInstanceKey === undefined
      ? departsOn
      : findOriginDate({
          scheduleInstanceKey,
          carrierCodes: [carrier.iata ?? '', carrier.icao ?? ''],
          flightNumber,
          suffix: serviceSuffix,
          board: departure.airport.iata ?? '',
          off: arrival.airport.iata ?? '',
          departsOn,
        });
  return `${formatDate(date)}T00:00:00`;
};

/** A parsed instance, independent of a status. */
type ParsedInstance = { readonly row: FlightInstance; readonly isMarketing: boolean; readonly originatesOn: string };

/** A flight under each of its designators; parsed once, because parsing costs more than building the contents. */
export type ParsedFlight = { readonly instances: readonly ParsedInstance[]; readonly keys: SharedKeys };

/** Parses a flight from all instances that share its status key; each content lists the keys of the others. */
export const parseFlight = (instances: readonly StoredDesignatorInstance[]): ParsedFlight => {
  const parsed = instances.map((instance): ParsedInstance => {
    const row = parseInstance(instance);
    return { row, isMarketing: instance.isMarketing, originatesOn: toOriginationDate(row) };
  });
  const listKeys = (isMarketing: boolean): readonly string[] =>
    parsed.flatMap((each) => (each.isMarketing === isMarketing ? (each.row.scheduleInstanceKey ?? []) : []));
  return { instances: parsed, keys: { operating: listKeys(false)[0], marketing: listKeys(true).toSorted() } };
};

/** `StoredStatus` with the status parsed, once for all designators. */
type ParsedStatus = Omit<StoredStatus, 'doc'> & { readonly status: StatusDetails | undefined };

const toStatusContent = (
  { row, isMarketing, originatesOn }: ParsedInstance,
  parsedStatus: ParsedStatus,
  keys: SharedKeys,
): StatusContent => {
  const { status } = parsedStatus;
  const {
    // Without messages the state is that of the schedule: the first message about a gate then changes only the gate.
    state = 'Scheduled',
    diversionAirport,
    irregularOperationType,
    // Built above.
    equipment: _equipment,
    departure: _departure,
    arrival: _arrival,
    // An event has the time of its own creation, and `changes` instead of a mark.
    updatedAt: _updatedAt,
    correction: _correction,
    // Flight Info has them.
    sources: _sources,
    ...others
  } = status ?? {};
  const { codeshare } = row;
  return {
    flightType: row.flightType,
    state,
    serviceType: row.serviceType.iata,
    flightNumber: String(row.flightNumber),
    serviceSuffix: row.serviceSuffix ?? '',
    carrierCode: row.carrier,
    equipment: toEquipment(row, status),
    originationDate: { local: originatesOn },
    departure: toDeparture(row, status),
    arrival: toArrival(row, status),
    diversionAirport: omitIfEmpty(diversionAirport),
    irregularOperationType,
    ...others,
    originalStatusKey: parsedStatus.originalStatusKey,
    operatingAirlineDisclosure: codeshare.operatingAirlineDisclosure,
    cockpitCrewEmployer: codeshare.cockpitCrewEmployer,
    cabinCrewEmployer: codeshare.cabinCrewEmployer,
    marketingFlights: codeshare.marketingFlights,
    operatingFlight: codeshare.operatingFlight,
    seatingCapacity: toSeatingCapacity(row, parsedStatus.seats),
    isOperating: !isMarketing,
    scheduleInstanceKey: row.scheduleInstanceKey,
    operatingInstanceKey: keys.operating,
    marketingInstancesKeys: [...keys.marketing],
    statusKey: row.statusKey,
  };
};

/** Returns the event content of a flight under each of its designators, in the order of its instances. */
export const toStatusContents = (
  { instances, keys }: ParsedFlight,
  { doc, ...storedStatus }: StoredStatus,
): readonly [StatusContent, ...StatusContent[]] | readonly [] => {
  const status: StatusDetails | undefined = doc === '' ? undefined : JSON.parse(doc);
  const [first, ...others] = instances.map((instance) => toStatusContent(instance, { ...storedStatus, status }, keys));
  return first ? [first, ...others] : [];
};
