import type { StatusChangeKind } from '#domain/alerts/alert.ts';
import { zSchedulePropertyChange, zStatusPropertyChange } from '#generated/flight-info-alerts/v1/zod.gen.ts';
import type { PreviousValue } from '#generated/flight-info-alerts/v1/types.gen.ts';
import type { ScheduleContent, StatusContent } from './event-content.ts';

/** The identities of an instance and of a flight: they never change, so that events report no change of them. */
type ScheduleIdentity = 'scheduleInstanceKey' | 'flightNumber' | 'serviceSuffix';
type StatusIdentity = 'flightNumber' | 'serviceSuffix' | 'originationDate';

type Leaf = string | number | boolean | readonly unknown[];

type Pascal<Key extends string> = Key extends 'utc' ? 'UTC' : Capitalize<Key>;

/**
 * The names of all properties of a body: the path in Pascal case with dots, `UTC` in capitals, as in `Departure.Date.UTC`. A
 * list is one property. The compiler compares them with the names that the document enumerates: here, and where changes are rendered.
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

/** Lists the properties with some names, in their order. */
export const listProperties = <Name extends string>(names: readonly Name[]): readonly EventProperty<Name>[] =>
  names.map((name) => ({ name, path: parsePath(name) }));

/** The value of an event property. A list is compared as a whole. */
export type PropertyValue = PreviousValue;

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

/** The properties whose changes are reported, in the order of the document, which enumerates their names. */
export type SchedulePropertyName = PropertyNames<Omit<ScheduleContent, ScheduleIdentity>>;
export const scheduleProperties = listProperties<SchedulePropertyName>(
  zSchedulePropertyChange.shape.propertyName.options,
);

export type StatusPropertyName = PropertyNames<Omit<StatusContent, StatusIdentity>>;
export const statusProperties = listProperties<StatusPropertyName>(zStatusPropertyChange.shape.propertyName.options);

/** The properties that alerts select by. */
const changeKinds: Readonly<Partial<Record<StatusPropertyName, StatusChangeKind>>> = {
  'Equipment.AircraftType.Iata': 'aircraftType',
  'Equipment.AircraftType.Icao': 'aircraftType',
  'Equipment.AircraftRegistrationNumber': 'aircraftRegistrationNumber',
  'Departure.Terminal': 'terminal',
  'Departure.Gate': 'gates',
  'Arrival.Terminal': 'terminal',
  'Arrival.Gate': 'gates',
  'Arrival.Baggage': 'baggage',
  'SeatingCapacity.Actual.FirstClass': 'seats',
  'SeatingCapacity.Actual.BusinessClass': 'seats',
  'SeatingCapacity.Actual.PremiumEconomyClass': 'seats',
  'SeatingCapacity.Actual.EconomyPlusClass': 'seats',
  'SeatingCapacity.Actual.EconomyClass': 'seats',
  'SeatingCapacity.Actual.TotalSeats': 'seats',
};

/** Returns the change kind of a property that alerts select by; undefined if it is none of the six. */
export const getChangeKind = (name: StatusPropertyName): StatusChangeKind | undefined => changeKinds[name];
