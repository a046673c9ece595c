import type { Property } from './property-names.ts';

/** What a property of an event can hold. A list changes as a whole. */
export type PropertyValue = string | number | boolean | readonly unknown[];

/** One property that changed. `previousValue` is absent when the property was added. */
export type Change<Name extends string = string> = {
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

const membersOf = (value: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(value).filter((member) => value[member] !== undefined);

/** Members may stand in any order: what was kept by an earlier release is not another value for that. */
const isSame = (one: unknown, other: unknown): boolean => {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  if (!isObject(one) || !isObject(other)) return one === other;
  const members = membersOf(one);
  return members.length === membersOf(other).length && members.every((member) => isSame(one[member], other[member]));
};

/**
 * What changed from one body to the next, in the order of the properties. Members that are undefined or null count as absent,
 * and members that no property names are not looked at.
 */
export const changesBetween = <Name extends string>(
  properties: readonly Property<Name>[],
  before: object,
  after: object,
): readonly Change<Name>[] => {
  const changes: Change<Name>[] = [];
  for (const { name, path } of properties) {
    const previousValue = valueAt(before, path);
    if (isSame(previousValue, valueAt(after, path))) continue;
    changes.push({ propertyName: name, ...(previousValue !== undefined && { previousValue }) });
  }
  return changes;
};
