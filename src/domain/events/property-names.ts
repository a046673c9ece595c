type Leaf = string | number | boolean | readonly unknown[];

type Pascal<Key extends string> = Key extends 'utc' ? 'UTC' : Capitalize<Key>;

/**
 * The names of all properties of a body, each its path in Pascal case with dots, `UTC` in capitals: `Departure.Date.UTC`. A
 * list is one property. A table `satisfies Record<NamesOf<Body>, ...>` when it holds every property and no other.
 */
export type NamesOf<Body, Prefix extends string = ''> = {
  [Key in keyof Body & string]-?: NonNullable<Body[Key]> extends Leaf
    ? `${Prefix}${Pascal<Key>}`
    : NamesOf<NonNullable<Body[Key]>, `${Prefix}${Pascal<Key>}.`>;
}[keyof Body & string];

/** A property that changes are told of: its name, and the members that lead to it. */
export type Property<Name extends string = string> = { readonly name: Name; readonly path: readonly string[] };

const memberOf = (part: string): string => (part === 'UTC' ? 'utc' : `${part.charAt(0).toLowerCase()}${part.slice(1)}`);

/** The members that lead to a property: `Departure.Date.UTC` is at `departure`, `date`, `utc`. */
export const pathOf = (name: string): readonly string[] => name.split('.').map(memberOf);

/** The properties of a table by name, in its order. */
export const propertiesOf = <Table extends object>(table: Table): readonly Property<Extract<keyof Table, string>>[] => {
  const properties: Property<Extract<keyof Table, string>>[] = [];
  // Unlike Object.keys, this knows the names.
  for (const name in table) properties.push({ name, path: pathOf(name) });
  return properties;
};
