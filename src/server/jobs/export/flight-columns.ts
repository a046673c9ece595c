import type {
  AirportCodeSet,
  Company,
  FlightInstance,
  MarketedFlight,
  StatusDetails,
  ZonedTime,
} from '#generated/flight-info/v2/types.gen.ts';

/** `timestamp` is an instant in UTC, `local timestamp` the time at the airport without its zone. */
type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'timestamp' | 'local timestamp';

/** The value of a cell; undefined when it is absent. */
export type CellValue = string | number | boolean | undefined;

/** A column of the flat formats. */
export type FlightColumn = {
  readonly name: string;
  readonly type: ColumnType;
  /** The property of the API, or how the value is built from it. */
  readonly source: string;
  /** Timestamps are ISO 8601 text, in UTC with `Z`, local ones without a zone. */
  readonly read: (flight: FlightInstance, status: StatusDetails | undefined) => CellValue;
};

type Read = FlightColumn['read'];
const defineType =
  (type: ColumnType) =>
  (name: string, source: string, read: Read): FlightColumn => ({ name, type, source, read });
const text = defineType('text');
const integer = defineType('integer');
const number = defineType('number');
const boolean = defineType('boolean');
const timestamp = defineType('timestamp');
const localTimestamp = defineType('local timestamp');

const STATUS = 'statusDetails[0]';

type AirportSource = { readonly path: string; readonly find: (...row: Parameters<Read>) => AirportCodeSet | undefined };

const defineAirport = (prefix: string, { path, find }: AirportSource): readonly FlightColumn[] =>
  (['iata', 'icao', 'faa'] as const).map((system) =>
    text(`${prefix}_${system}`, `${path}.${system}`, (...row) => find(...row)?.[system]),
  );

const formatFlight = ({ code, serviceNumber, suffix }: MarketedFlight): string => `${code}${serviceNumber}${suffix}`;

type NamedCompany = Pick<Company, 'code' | 'name'>;

const defineCompany = (
  prefix: string,
  property: 'operatingAirlineDisclosure' | 'aircraftOwner' | 'cockpitCrewEmployer' | 'cabinCrewEmployer',
): readonly FlightColumn[] => {
  const find = ({ codeshare }: FlightInstance): NamedCompany | undefined => codeshare[property];
  return (['code', 'name'] as const).map((member) =>
    text(`${prefix}_${member}`, `codeshare.${property}.${member}`, (flight) => find(flight)?.[member]),
  );
};

const defineScheduledEnd = (end: 'departure' | 'arrival'): readonly FlightColumn[] => [
  ...defineAirport(`${end}_airport`, { path: `${end}.airport`, find: (flight) => flight[end].airport }),
  text(`${end}_country`, `${end}.country.code`, (flight) => flight[end].country?.code),
  text(`${end}_terminal`, `${end}.terminal`, (flight) => flight[end].terminal),
  timestamp(
    `scheduled_${end}_utc`,
    `${end}.date.utc and ${end}.time.utc`,
    ({ [end]: { date, time } }) => `${date.utc}T${time.utc}:00Z`,
  ),
  localTimestamp(
    `scheduled_${end}_local`,
    `${end}.date.local and ${end}.time.local`,
    ({ [end]: { date, time } }) => `${date.local}T${time.local}:00`,
  ),
];

const LOCAL_LENGTH = 'YYYY-MM-DDTHH:MM:SS'.length;
const UTC_SUFFIX = /\+00:00$/;

/** Defines the columns of a time: in UTC, and at the airport. */
const defineTime = (
  name: string,
  path: string,
  find: (status: StatusDetails) => ZonedTime | undefined,
): readonly FlightColumn[] => [
  timestamp(
    `${name}_utc`,
    `${STATUS}.${path}.utc`,
    (_, status) => status && find(status)?.utc.replace(UTC_SUFFIX, 'Z'),
  ),
  localTimestamp(
    `${name}_local`,
    `${STATUS}.${path}.local`,
    (_, status) => status && find(status)?.local.slice(0, LOCAL_LENGTH),
  ),
];

/** Parses `[-]HH:MM:SS` to seconds. */
const parseVariation = (variation: string | undefined): number | undefined => {
  if (variation === undefined) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = variation.replace('-', '').split(':').map(Number);
  return (variation.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
};

const defineDepartureTimes = (kind: 'estimated' | 'actual'): readonly FlightColumn[] => {
  const path = `departure.${kind}Time`;
  const find = (status: StatusDetails | undefined) => status?.departure?.[`${kind}Time`];
  return [
    ...defineTime(`${kind}_out_gate`, `${path}.outGate`, (status) => find(status)?.outGate),
    ...defineTime(`${kind}_off_ground`, `${path}.offGround`, (status) => find(status)?.offGround),
    text(
      `${kind}_out_gate_timeliness`,
      `${STATUS}.${path}.outGateTimeliness`,
      (_, status) => find(status)?.outGateTimeliness,
    ),
    integer(`${kind}_out_gate_variation`, `${STATUS}.${path}.outGateVariation, in seconds`, (_, status) =>
      parseVariation(find(status)?.outGateVariation),
    ),
  ];
};

const defineArrivalTimes = (kind: 'estimated' | 'actual'): readonly FlightColumn[] => {
  const path = `arrival.${kind}Time`;
  const find = (status: StatusDetails | undefined) => status?.arrival?.[`${kind}Time`];
  return [
    ...defineTime(`${kind}_on_ground`, `${path}.onGround`, (status) => find(status)?.onGround),
    ...defineTime(`${kind}_in_gate`, `${path}.inGate`, (status) => find(status)?.inGate),
    text(
      `${kind}_in_gate_timeliness`,
      `${STATUS}.${path}.inGateTimeliness`,
      (_, status) => find(status)?.inGateTimeliness,
    ),
    integer(`${kind}_in_gate_variation`, `${STATUS}.${path}.inGateVariation, in seconds`, (_, status) =>
      parseVariation(find(status)?.inGateVariation),
    ),
  ];
};

const statusColumns: readonly FlightColumn[] = [
  text('state', `${STATUS}.state`, (_, status) => status?.state),
  timestamp('status_updated_at', `${STATUS}.updatedAt`, (_, status) => status && `${status.updatedAt}Z`),
  text(
    'aircraft_registration',
    `${STATUS}.equipment.aircraftRegistrationNumber`,
    (_, status) => status?.equipment?.aircraftRegistrationNumber,
  ),
  text(
    'actual_aircraft_type_iata',
    `${STATUS}.equipment.actualAircraftType.iata`,
    (_, status) => status?.equipment?.actualAircraftType?.iata,
  ),
  text(
    'actual_aircraft_type_icao',
    `${STATUS}.equipment.actualAircraftType.icao`,
    (_, status) => status?.equipment?.actualAircraftType?.icao,
  ),
  ...defineAirport('status_departure_airport', {
    path: `${STATUS}.departure.airport`,
    find: (_, status) => status?.departure?.airport,
  }),
  text('status_departure_country', `${STATUS}.departure.country.code`, (_, status) => status?.departure?.country?.code),
  text(
    'actual_departure_terminal',
    `${STATUS}.departure.actualTerminal`,
    (_, status) => status?.departure?.actualTerminal,
  ),
  text('departure_gate', `${STATUS}.departure.gate`, (_, status) => status?.departure?.gate),
  text('departure_stand', `${STATUS}.departure.stand`, (_, status) => status?.departure?.stand),
  text('check_in_counter', `${STATUS}.departure.checkInCounter`, (_, status) => status?.departure?.checkInCounter),
  text('check_in_status', `${STATUS}.departure.checkIn.status`, (_, status) => status?.departure?.checkIn?.status),
  ...defineTime('check_in', 'departure.checkIn.time', (status) => status?.departure?.checkIn?.time),
  text('boarding_status', `${STATUS}.departure.boarding.status`, (_, status) => status?.departure?.boarding?.status),
  ...defineTime('boarding', 'departure.boarding.time', (status) => status?.departure?.boarding?.time),
  ...defineDepartureTimes('estimated'),
  ...defineDepartureTimes('actual'),
  ...defineAirport('status_arrival_airport', {
    path: `${STATUS}.arrival.airport`,
    find: (_, status) => status?.arrival?.airport,
  }),
  text('status_arrival_country', `${STATUS}.arrival.country.code`, (_, status) => status?.arrival?.country?.code),
  text('actual_arrival_terminal', `${STATUS}.arrival.actualTerminal`, (_, status) => status?.arrival?.actualTerminal),
  text('arrival_gate', `${STATUS}.arrival.gate`, (_, status) => status?.arrival?.gate),
  text('arrival_stand', `${STATUS}.arrival.stand`, (_, status) => status?.arrival?.stand),
  text('baggage_belt', `${STATUS}.arrival.baggage`, (_, status) => status?.arrival?.baggage),
  ...defineArrivalTimes('estimated'),
  ...defineArrivalTimes('actual'),
  ...defineAirport('diversion_airport', {
    path: `${STATUS}.diversionAirport`,
    find: (_, status) => status?.diversionAirport,
  }),
  text('diversion_type', `${STATUS}.diversionType`, (_, status) => status?.diversionType),
  text('irregular_operation_type', `${STATUS}.irregularOperationType`, (_, status) => status?.irregularOperationType),
  boolean('correction', `${STATUS}.correction`, (_, status) => status?.correction),
];

/** The columns of the flat formats of a flight export, in their order. */
export const flightColumns: readonly FlightColumn[] = [
  text('carrier_iata', 'carrier.iata', ({ carrier }) => carrier.iata),
  text('carrier_icao', 'carrier.icao', ({ carrier }) => carrier.icao),
  integer('flight_number', 'flightNumber', ({ flightNumber }) => flightNumber),
  text('service_suffix', 'serviceSuffix', ({ serviceSuffix }) => serviceSuffix),
  integer('sequence_number', 'sequenceNumber', ({ sequenceNumber }) => sequenceNumber),
  text('flight_type', 'flightType', ({ flightType }) => flightType),
  text('service_type', 'serviceType.iata', ({ serviceType }) => serviceType.iata),
  boolean('is_operating', 'isOperating', ({ isOperating }) => isOperating),
  ...defineScheduledEnd('departure'),
  ...defineScheduledEnd('arrival'),
  integer('elapsed_minutes', 'elapsedTime', ({ elapsedTime }) => elapsedTime),
  integer('number_of_stops', 'segmentInfo.numberOfStops', ({ segmentInfo }) => segmentInfo.numberOfStops),
  text(
    'intermediate_airports',
    'segmentInfo.intermediateAirports.iata, the stations separated by spaces',
    ({ segmentInfo }) => segmentInfo.intermediateAirports.iata.map(({ station }) => station).join(' '),
  ),
  number(
    'accumulated_kilometers',
    'distance.accumulatedGreatCircleKilometers',
    ({ distance }) => distance?.accumulatedGreatCircleKilometers,
  ),
  number(
    'great_circle_kilometers',
    'distance.greatCircleKilometers',
    ({ distance }) => distance?.greatCircleKilometers,
  ),
  number('cargo_tonnage', 'cargoTonnage', ({ cargoTonnage }) => cargoTonnage),
  text('aircraft_type_iata', 'aircraftType.iata', ({ aircraftType }) => aircraftType.iata),
  text('aircraft_type_icao', 'aircraftType.icao', ({ aircraftType }) => aircraftType.icao),
  text(
    'operating_flight',
    'codeshare.operatingFlight: code, serviceNumber and suffix',
    ({ codeshare: { operatingFlight } }) => operatingFlight && formatFlight(operatingFlight),
  ),
  text(
    'marketing_flights',
    'codeshare.marketingFlights: code, serviceNumber and suffix of each, separated by spaces',
    ({ codeshare }) => codeshare.marketingFlights.map(formatFlight).join(' '),
  ),
  ...defineCompany('operating_airline', 'operatingAirlineDisclosure'),
  text(
    'operating_airline_number',
    'codeshare.operatingAirlineDisclosure.number',
    ({ codeshare }) => codeshare.operatingAirlineDisclosure?.number,
  ),
  ...defineCompany('aircraft_owner', 'aircraftOwner'),
  ...defineCompany('cockpit_crew_employer', 'cockpitCrewEmployer'),
  ...defineCompany('cabin_crew_employer', 'cabinCrewEmployer'),
  text(
    'joint_operators',
    'codeshare.jointOperationAirlineDesignators: the codes, separated by spaces',
    ({ codeshare }) => codeshare.jointOperationAirlineDesignators.map(({ code }) => code).join(' '),
  ),
  text('schedule_instance_key', 'scheduleInstanceKey', ({ scheduleInstanceKey }) => scheduleInstanceKey),
  text('status_key', 'statusKey', ({ statusKey }) => statusKey),
  text('original_flight', 'originalFlight', ({ originalFlight }) => originalFlight),
  ...statusColumns,
];
