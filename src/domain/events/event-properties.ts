import type { StatusChangeKind } from '../alerts/alert.ts';
import type { ScheduleContent, ScheduleIdentity, StatusContent, StatusIdentity } from './event-content.ts';

type Leaf = string | number | boolean | readonly unknown[];

type Pascal<Key extends string> = Key extends 'utc' ? 'UTC' : Capitalize<Key>;

/**
 * The names of all properties of a body: the path in Pascal case with dots, `UTC` in capitals, as in `Departure.Date.UTC`. A
 * list is one property. A table that `satisfies Record<PropertyNames<Body>, ...>` has every property and no other.
 */
type PropertyNames<Body, Prefix extends string = ''> = {
  [Key in keyof Body & string]-?: NonNullable<Body[Key]> extends Leaf
    ? `${Prefix}${Pascal<Key>}`
    : PropertyNames<NonNullable<Body[Key]>, `${Prefix}${Pascal<Key>}.`>;
}[keyof Body & string];

/** A property whose changes are reported: its name, and the members of its path. */
type EventProperty<Name extends string = string> = { readonly name: Name; readonly path: readonly string[] };

const toMember = (part: string): string => (part === 'UTC' ? 'utc' : `${part.charAt(0).toLowerCase()}${part.slice(1)}`);

/** Parses a property name as the members of its path: `Departure.Date.UTC` is `departure`, `date`, `utc`. */
const parsePath = (name: string): readonly string[] => name.split('.').map(toMember);

/** Lists the properties of a table, in its order. */
export const listProperties = <Table extends object>(
  table: Table,
): readonly EventProperty<Extract<keyof Table, string>>[] => {
  const properties: EventProperty<Extract<keyof Table, string>>[] = [];
  // Unlike Object.keys, for-in is typed with the names.
  for (const name in table) properties.push({ name, path: parsePath(name) });
  return properties;
};

/** The value of an event property. A list is compared as a whole. */
export type PropertyValue = string | number | boolean | readonly unknown[];

/** A changed property. `previousValue` is absent if the property was added. */
export type PropertyChange<Name extends string = string> = {
  readonly propertyName: Name;
  readonly previousValue?: PropertyValue;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isValue = (value: unknown): value is PropertyValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || Array.isArray(value);

const valueAt = (body: object, path: readonly string[]): PropertyValue | undefined => {
  let value: unknown = body;
  for (const member of path) value = isObject(value) ? value[member] : undefined;
  return isValue(value) ? value : undefined;
};

const listMembers = (value: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(value).filter((member) => value[member] !== undefined);

/** Ignores the order of members and members that are undefined. */
const isSame = (a: unknown, b: unknown): boolean => {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const members = listMembers(a);
  return members.length === listMembers(b).length && members.every((member) => isSame(a[member], b[member]));
};

/**
 * Returns the changes from one body to the next, in the order of the properties. Undefined and null members count as absent;
 * members without a property are ignored.
 */
export const diffProperties = <Name extends string>(
  properties: readonly EventProperty<Name>[],
  before: object,
  after: object,
): readonly PropertyChange<Name>[] => {
  const changes: PropertyChange<Name>[] = [];
  for (const { name, path } of properties) {
    const previousValue = valueAt(before, path);
    if (isSame(previousValue, valueAt(after, path))) continue;
    changes.push({ propertyName: name, ...(previousValue !== undefined && { previousValue }) });
  }
  return changes;
};

/**
 * All properties of a schedule event whose changes are reported, in document order. The contract enumerates the names. The
 * compiler rejects a missing property and one that the event does not have.
 */
const schedulePropertyTable = {
  'CarrierCode.Iata': true,
  'CarrierCode.Icao': true,
  SequenceNumber: true,
  'Departure.Airport.Iata': true,
  'Departure.Airport.Icao': true,
  'Departure.Airport.Faa': true,
  'Departure.Country.Code': true,
  'Departure.Terminal': true,
  'Departure.Date.Local': true,
  'Departure.Date.UTC': true,
  'Departure.Time.Local': true,
  'Departure.Time.UTC': true,
  'Arrival.Airport.Iata': true,
  'Arrival.Airport.Icao': true,
  'Arrival.Airport.Faa': true,
  'Arrival.Country.Code': true,
  'Arrival.Terminal': true,
  'Arrival.Date.Local': true,
  'Arrival.Date.UTC': true,
  'Arrival.Time.Local': true,
  'Arrival.Time.UTC': true,
  'AircraftType.Iata': true,
  'AircraftType.Icao': true,
  'ServiceTypeCode.Iata': true,
  ArrivalIntervalDays: true,
  LegArrivalIntervalDays: true,
  'SegmentInfo.NumberOfStops': true,
  'SegmentInfo.IntermediateAirports.Iata': true,
  'Codeshare.OperatingAirlineDisclosure.Code': true,
  'Codeshare.OperatingAirlineDisclosure.Name': true,
  'Codeshare.OperatingAirlineDisclosure.Number': true,
  'Codeshare.AircraftOwner.Code': true,
  'Codeshare.AircraftOwner.Name': true,
  'Codeshare.CockpitCrewEmployer.Code': true,
  'Codeshare.CockpitCrewEmployer.Name': true,
  'Codeshare.CockpitCrewEmployer.Number': true,
  'Codeshare.CabinCrewEmployer.Code': true,
  'Codeshare.CabinCrewEmployer.Name': true,
  'Codeshare.CabinCrewEmployer.Number': true,
  'Codeshare.JointOperationAirlineDesignators': true,
  'Codeshare.MarketingFlights': true,
  'Codeshare.OperatingFlight.Code': true,
  'Codeshare.OperatingFlight.ServiceNumber': true,
  'Codeshare.OperatingFlight.Suffix': true,
  BookingClasses: true,
  FreightClasses: true,
  Restrictions: true,
  PlaneChangeWithoutAircraftChange: true,
  'OnTimePerformance.Indicator.Month': true,
  'OnTimePerformance.Indicator.Value': true,
  'OnTimePerformance.DelaysAndCancellationsIndicator.Month': true,
  'OnTimePerformance.DelaysAndCancellationsIndicator.Min15': true,
  'OnTimePerformance.DelaysAndCancellationsIndicator.Min30': true,
  'OnTimePerformance.DelaysAndCancellationsIndicator.Min30Warning': true,
  'OnTimePerformance.DelaysAndCancellationsIndicator.Cancel': true,
  InFlightServices: true,
  AutomatedCheckIn: true,
  ElectronicTicketing: true,
  SecureFlightIndicator: true,
  GovernmentApproval: true,
  'SeatingCapacity.Actual.FirstClass': true,
  'SeatingCapacity.Actual.BusinessClass': true,
  'SeatingCapacity.Actual.PremiumEconomyClass': true,
  'SeatingCapacity.Actual.EconomyPlusClass': true,
  'SeatingCapacity.Actual.EconomyClass': true,
  'SeatingCapacity.Actual.TotalSeats': true,
  StatusKey: true,
} as const satisfies Record<PropertyNames<Omit<ScheduleContent, keyof ScheduleIdentity>>, true>;

export type SchedulePropertyName = keyof typeof schedulePropertyTable;

export const scheduleProperties = listProperties(schedulePropertyTable);

/**
 * All properties of a status event whose changes are reported, in document order, with the change kind that alerts select
 * by; `else` is none of them. The contract enumerates the names. The compiler rejects a missing property and one that the
 * event does not have.
 */
const statusPropertyTable = {
  FlightType: 'else',
  State: 'else',
  ServiceType: 'else',
  'CarrierCode.Iata': 'else',
  'CarrierCode.Icao': 'else',
  'Equipment.AircraftType.Iata': 'aircraftType',
  'Equipment.AircraftType.Icao': 'aircraftType',
  'Equipment.AircraftRegistrationNumber': 'aircraftRegistrationNumber',
  'Departure.Times.Scheduled.Local': 'else',
  'Departure.Times.Scheduled.UTC': 'else',
  'Departure.Times.Estimated.OutGateTimeliness': 'else',
  'Departure.Times.Estimated.OutGateVariation': 'else',
  'Departure.Times.Estimated.OutGate.Local': 'else',
  'Departure.Times.Estimated.OutGate.UTC': 'else',
  'Departure.Times.Estimated.OffGround.Local': 'else',
  'Departure.Times.Estimated.OffGround.UTC': 'else',
  'Departure.Times.Actual.OutGateTimeliness': 'else',
  'Departure.Times.Actual.OutGateVariation': 'else',
  'Departure.Times.Actual.OutGate.Local': 'else',
  'Departure.Times.Actual.OutGate.UTC': 'else',
  'Departure.Times.Actual.OffGround.Local': 'else',
  'Departure.Times.Actual.OffGround.UTC': 'else',
  'Departure.Airport.Iata': 'else',
  'Departure.Airport.Icao': 'else',
  'Departure.Airport.Faa': 'else',
  'Departure.Country.Code': 'else',
  'Departure.Scheduled.Airport.Iata': 'else',
  'Departure.Scheduled.Airport.Icao': 'else',
  'Departure.Scheduled.Airport.Faa': 'else',
  'Departure.Scheduled.Country.Code': 'else',
  'Departure.Terminal': 'terminal',
  'Departure.Gate': 'gates',
  'Departure.Stand': 'else',
  'Departure.CheckInCounter': 'else',
  'Departure.CheckIn.Status': 'else',
  'Departure.CheckIn.Time.Local': 'else',
  'Departure.CheckIn.Time.UTC': 'else',
  'Departure.Boarding.Status': 'else',
  'Departure.Boarding.Time.Local': 'else',
  'Departure.Boarding.Time.UTC': 'else',
  'Arrival.Times.Scheduled.Local': 'else',
  'Arrival.Times.Scheduled.UTC': 'else',
  'Arrival.Times.Estimated.InGateTimeliness': 'else',
  'Arrival.Times.Estimated.InGateVariation': 'else',
  'Arrival.Times.Estimated.OnGround.Local': 'else',
  'Arrival.Times.Estimated.OnGround.UTC': 'else',
  'Arrival.Times.Estimated.InGate.Local': 'else',
  'Arrival.Times.Estimated.InGate.UTC': 'else',
  'Arrival.Times.Actual.InGateTimeliness': 'else',
  'Arrival.Times.Actual.InGateVariation': 'else',
  'Arrival.Times.Actual.OnGround.Local': 'else',
  'Arrival.Times.Actual.OnGround.UTC': 'else',
  'Arrival.Times.Actual.InGate.Local': 'else',
  'Arrival.Times.Actual.InGate.UTC': 'else',
  'Arrival.Airport.Iata': 'else',
  'Arrival.Airport.Icao': 'else',
  'Arrival.Airport.Faa': 'else',
  'Arrival.Country.Code': 'else',
  'Arrival.Scheduled.Airport.Iata': 'else',
  'Arrival.Scheduled.Airport.Icao': 'else',
  'Arrival.Scheduled.Airport.Faa': 'else',
  'Arrival.Scheduled.Country.Code': 'else',
  'Arrival.Terminal': 'terminal',
  'Arrival.Gate': 'gates',
  'Arrival.Stand': 'else',
  'Arrival.Baggage': 'baggage',
  'DiversionAirport.Iata': 'else',
  'DiversionAirport.Icao': 'else',
  'DiversionAirport.Faa': 'else',
  IrregularOperationType: 'else',
  DiversionType: 'else',
  OriginalStatusKey: 'else',
  'OperatingAirlineDisclosure.Code': 'else',
  'OperatingAirlineDisclosure.Name': 'else',
  'OperatingAirlineDisclosure.Number': 'else',
  'CockpitCrewEmployer.Code': 'else',
  'CockpitCrewEmployer.Name': 'else',
  'CockpitCrewEmployer.Number': 'else',
  'CabinCrewEmployer.Code': 'else',
  'CabinCrewEmployer.Name': 'else',
  'CabinCrewEmployer.Number': 'else',
  MarketingFlights: 'else',
  'OperatingFlight.Code': 'else',
  'OperatingFlight.ServiceNumber': 'else',
  'OperatingFlight.Suffix': 'else',
  'SeatingCapacity.Actual.FirstClass': 'seats',
  'SeatingCapacity.Actual.BusinessClass': 'seats',
  'SeatingCapacity.Actual.PremiumEconomyClass': 'seats',
  'SeatingCapacity.Actual.EconomyPlusClass': 'seats',
  'SeatingCapacity.Actual.EconomyClass': 'seats',
  'SeatingCapacity.Actual.TotalSeats': 'seats',
  IsOperating: 'else',
  ScheduleInstanceKey: 'else',
  OperatingInstanceKey: 'else',
  MarketingInstancesKeys: 'else',
  StatusKey: 'else',
} as const satisfies Record<PropertyNames<Omit<StatusContent, keyof StatusIdentity>>, StatusChangeKind | 'else'>;

export type StatusPropertyName = keyof typeof statusPropertyTable;

export const statusProperties = listProperties(statusPropertyTable);

/** Returns the change kind of a property that alerts select by; undefined if it is none of the six. */
export const getChangeKind = (name: StatusPropertyName): StatusChangeKind | undefined => {
  const kind = statusPropertyTable[name];
  return kind === 'else' ? undefined : kind;
};
