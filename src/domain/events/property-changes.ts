type Leaf = string | number | boolean | readonly unknown[];

type Pascal<Key extends string> = Key extends 'utc' ? 'UTC' : Capitalize<Key>;

/**
 * The names of all properties of a body: the path in Pascal case with dots, `UTC` in capitals, as in `Departure.Date.UTC`. A
 * list is one property. A table that `satisfies Record<PropertyNames<Body>, ...>` has every property and no other.
 */
export type PropertyNames<Body, Prefix extends string = ''> = {
  [Key in keyof Body & string]-?: NonNullable<Body[Key]> extends Leaf
    ? `${Prefix}${Pascal<Key>}`
    : PropertyNames<NonNullable<Body[Key]>, `${Prefix}${Pascal<Key>}.`>;
}[keyof Body & string];

/** A property whose changes are reported: its name, and the members of its path. */
type EventProperty<Name extends string = string> = { readonly name: Name; readonly path: readonly string[] };

const toMember = (part: string): string => (part === 'UTC' ? 'utc' : `${part.charAt(0).toLowerCase()}${part.slice(1)}`);

/** Parses a property name as the members of its path: `Departure.Date.UTC` is `departure`, `date`, `utc`. */
export const parsePath = (name: string): readonly string[] => name.split('.').map(toMember);

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

/** Ignores the order of members, which differs in texts stored by earlier releases. */
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
