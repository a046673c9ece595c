import { isJsonObject, toJsonObject } from '#lib/openapi-document.ts';

/** The query of a filter, with the parameters that it needs, and whether a record obeys it. */
export type ListFilter = readonly [query: string, obeys: (record: unknown) => boolean];

/** Returns the texts at a dotted path of a record; a list yields those of all its items. */
const textsAt = (value: unknown, path: string): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((one) => textsAt(one, path));
  if (path === '')
    return value === undefined || value === null ? [] : [typeof value === 'string' ? value : JSON.stringify(value)];
  const [name = '', ...rest] = path.split('.');
  return isJsonObject(value) ? textsAt(value[name], rest.join('.')) : [];
};

const some =
  (paths: string, test: (text: string) => boolean) =>
  (record: unknown): boolean =>
    paths.split(' ').some((path) => textsAt(record, path).some(test));

/** The last value of a query is that of a member at one of the paths. */
const equal = (query: string, paths: string): ListFilter => {
  const values = query
    .slice(query.lastIndexOf('=') + 1)
    .toLowerCase()
    .split(',');
  return [query, some(paths, (text) => values.includes(text.toLowerCase()))];
};

const contains = (query: string, paths: string): ListFilter => [
  query,
  some(paths, (text) => text.toLowerCase().includes(query.slice(query.lastIndexOf('=') + 1))),
];

/** The last value of a query, a range of dates, contains that of a member. */
const within = (query: string, paths: string): ListFilter => {
  const [from = '', to = from] = query.slice(query.lastIndexOf('=') + 1).split('/');
  return [query, some(paths, (text) => text >= from && text <= to)];
};

const hasValue = (query: string, paths: string): ListFilter => [query, some(paths, (text) => text !== '')];

const hasMember = (query: string, name: string): ListFilter => [query, (record) => name in toJsonObject(record)];

/** Records that become valid after the date are left out. */
const validOn = (date: string): ListFilter => [
  `AsOf=${date}`,
  (record) => textsAt(record, 'validity.from').every((from) => from <= date),
];

/** A period overlaps the range of dates. */
const valid = (query: string, path: string): ListFilter => {
  const [from = '', to = from] = query.slice(query.lastIndexOf('=') + 1).split('/');
  return [
    query,
    (record) =>
      some(`${path}.startDate`, (text) => text <= to)(record) &&
      some(`${path}.endDate`, (text) => text >= from)(record),
  ];
};

const atMost = (name: string, limit: number, path: string): ListFilter => [
  `${name}=${limit}`,
  some(path, (text) => Number(text) <= limit),
];

const eachOf = (name: string, values: string, paths: string): readonly ListFilter[] =>
  values.split(' ').map((value) => equal(`${name}=${value}`, paths));

const serviceTypes = (path: string): readonly ListFilter[] => [
  ['ServiceType=Passenger', some(path, (text) => 'JSUGBCOQRL'.includes(text))],
  ['ServiceType=Cargo', some(path, (text) => 'FVMAHQRL'.includes(text))],
  ...eachOf('ServiceType', [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].join(' '), path),
];

/** The filters of every list that has some, each with values that match, by document and path. */
export const listFilters: Readonly<Record<string, readonly ListFilter[]>> = {
  'connections/v1 /flight-connections': [
    valid('DepartureDate=2026-06-06/2026-06-07', 'effectivePeriod'),
    [
      'DepartureTime=06:00/11:59',
      some('leg1.departure.passengerLocalTime', (text) => text >= '06:00' && text <= '11:59'),
    ],
    equal('DepartureAirport=GLA,EDI', 'DepartureAirport'),
    equal('ArrivalAirport=JFK', 'ArrivalAirport'),
    equal('DepartureCity=EDI', 'DepartureCity'),
    equal('ArrivalCity=NYC', 'ArrivalCity'),
    equal('ViaPoint=LHR', 'leg1.arrival.airport.iata'),
    equal('Leg1CarrierCode=ZX', 'leg1.carrierCode.iata'),
    equal('Leg2CarrierCode=9Q', 'leg2.carrierCode.iata'),
    atMost('Circuity', 105, 'Circuity'),
    ...eachOf('ConnectionType', 'o i n', 'ConnectionType'),
    ['MinConnectingTime=200', some('leg1.connectionTime', (text) => Number(text) >= 200)],
    atMost('MaxConnectingTime', 100, 'leg1.connectionTime'),
    ...eachOf('InterAirport', 'true false', 'interAirport'),
    atMost('TotalMaxElapsedTime', 700, 'totalElapsedTime'),
    ...['Passenger', 'p'].map((value): ListFilter => [`Service=${value}`, equal('=passenger', 'services')[1]]),
    ...['Cargo', 'c'].map((value): ListFilter => [`Service=${value}`, equal('=cargo', 'services')[1]]),
  ],
  'flight-info/v1 /flight-instances': [
    within('DepartureDate=2026-06-02/2026-06-03', 'departure.date'),
    within('ArrivalDate=2026-06-02', 'arrival.date'),
    equal('DepartureAirport=JFK', 'departure.airport.iata'),
    equal('ArrivalAirport=LAX', 'arrival.airport.iata'),
    equal('IataCarrierCode=YY', 'carrierCode.iata'),
    equal('IcaoCarrierCode=YYB', 'carrierCode.icao'),
    equal('FlightNumber=101', 'flightNumber'),
    ...eachOf('FlightType', 'Scheduled Unscheduled GA', 'flightType'),
    hasMember('Content=Status', 'statusDetails'),
  ],
  'flight-info/v2 /flight-instances': [
    within('DepartureDateTime=2026-06-02/2026-06-03', 'departure.date.local'),
    within('ArrivalDateTime=2026-06-02', 'arrival.date.local'),
    within(
      'DepartureAirport=LHR&State=Scheduled&LatestDepartureDateTime=2026-06-02/2026-06-03',
      'departure.date.local',
    ),
    within('ArrivalAirport=JFK&State=Scheduled&LatestArrivalDateTime=2026-06-02/2026-06-03', 'arrival.date.local'),
    // A flight without a status is scheduled.
    [
      'Content=Status&State=Scheduled',
      (record) => textsAt(record, 'statusDetails.state').every((state) => state === 'Scheduled'),
    ],
    ...eachOf('Content=Status&State', 'OutGate inAir Landed InGate Canceled Proposed', 'statusDetails.state'),
    equal('DepartureAirport=JFK', 'departure.airport.iata'),
    equal('ArrivalAirport=LAX', 'arrival.airport.iata'),
    equal('DepartureCountryCode=US', 'departure.country.code'),
    equal('ArrivalCountryCode=FR', 'arrival.country.code'),
    equal('CarrierCode=YY', 'carrier.iata'),
    equal('CodeType=IATA&DepartureAirport=JFK', 'departure.airport.iata'),
    equal('CodeType=ICAO&DepartureAirport=EGLL', 'departure.airport.icao'),
    equal('CodeType=FAA&DepartureAirport=JFK', 'departure.airport.faa'),
    equal('FlightNumber=101', 'flightNumber'),
    equal('Content=Status&AircraftRegistrationNumber=GZXAB', 'statusDetails.equipment.aircraftRegistrationNumber'),
    ...eachOf('FlightType', 'Scheduled Unscheduled GA', 'flightType'),
    ...serviceTypes('serviceType.iata'),
    ['ServiceType=undefined', (record) => textsAt(record, 'serviceType.iata').length === 0],
    ['Codeshare=Operating', (record) => textsAt(record, 'codeshare.operatingAirlineDisclosure.code').length === 0],
    hasValue('Codeshare=Marketing', 'codeshare.operatingAirlineDisclosure.code'),
    ['LegsOnly=true', some('segmentInfo.numberOfStops', (text) => text === '0')],
    equal('Content=Status&IncludeDiverted=true&ArrivalAirport=LIS', 'statusDetails.arrival.airport.iata'),
    ...['Status', 'StatusHistory'].map((one) => hasMember(`FlightNumber=301&Content=${one}`, 'statusDetails')),
    hasMember('FlightNumber=101&Content=Seats', 'seatingCapacity'),
  ],
  'flight-info-alerts/v1 /flight-info-alerts/endpoints/{endpointId}/deliveries': [
    ...eachOf('Outcome', 'retry delivered gone failed', 'outcome'),
    equal('EventId=019c1a2b-6a01-7e4f-8a5b-6c7d8e9f0a12', 'eventId'),
  ],
  'master-data/v1 /locations': [
    equal('AirportCode=LHR,LON,JFK', 'code.iata'),
    ...['IATA', 'ICAO', 'FAA'].map((one) => hasValue(`CodeType=${one}`, `code.${one.toLowerCase()}`)),
    equal('CountryCode=US', 'place.country.code'),
    equal('CityCode=LON', 'place.city.code'),
    ...eachOf('Type', 'Airport Heliport SeaplaneBase RailwayStation BusStation Port OffPoint MetropolitanArea', 'type'),
    contains('Name=lond', 'name place.city.name'),
    ['Near=51.5,-0.12&WithinKm=60', some('distance.greatCircleKilometers', (text) => Number(text) <= 60)],
    validOn('2019-01-01'),
    hasMember('Content=Provenance', 'provenance'),
  ],
  'master-data/v1 /carriers': [
    equal('CarrierCode=ZX,9Q', 'code.iata'),
    ...['IATA', 'ICAO'].map((one) => hasValue(`CodeType=${one}`, `code.${one.toLowerCase()}`)),
    contains('CarrierName=zenith', 'name'),
    contains('AsOf=2015-01-01&Alliance=twelve', 'alliance.name'),
    equal('CountryCode=GB', 'domicile.country.code.iso'),
    ...eachOf('PublishingCarrier', 'true false', 'publishingCarrier'),
    validOn('2008-01-01'),
    hasMember('Content=Provenance', 'provenance'),
  ],
  'master-data/v1 /equipment': [
    equal('EquipmentCode=789,320', 'code.iata'),
    ...['IATA', 'ICAO', 'FAA'].map((one) => hasValue(`CodeType=${one}`, `code.${one.toLowerCase()} icaoTypes`)),
    ...eachOf('Category', 'LandPlane SeaPlane Amphibian Helicopter Gyrocopter TiltRotor SurfaceVehicle', 'category'),
    ...eachOf('Body', 'Narrow Wide', 'body'),
    contains('Manufacturer=boe', 'manufacturer'),
    hasMember('Content=Provenance', 'provenance'),
  ],
  'schedules/v1 /flights': [
    valid('DepartureDate=2026-06-01/2026-06-02', 'effectivePeriod'),
    equal('DepartureAirport=LHR', 'departure.airport.iata'),
    equal('ArrivalAirport=LAX', 'arrival.airport.iata'),
    equal('IataCarrierCode=XX', 'carrierCode.iata'),
    equal('IcaoCarrierCode=XXA', 'carrierCode.icao'),
    equal('FlightNumber=301', 'flightNumber'),
    ...serviceTypes('serviceTypeCode.iata'),
    hasMember('Content=Seats', 'premiumContent'),
  ],
};

export const toQuery = (filter: string): Readonly<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(filter));

/** Sets query parameters in a path, in place of those that it has. */
export const withFilters = (path: string, ...filters: readonly string[]): string => {
  const [address = '', query] = path.split('?');
  const parameters = new URLSearchParams(query);
  for (const filter of filters) for (const [name, value] of new URLSearchParams(filter)) parameters.set(name, value);
  return `${address}?${parameters.toString().replaceAll('%2C', ',').replaceAll('%2F', '/')}`;
};
