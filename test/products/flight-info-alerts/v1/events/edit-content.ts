import type { PropertyChange } from '#products/flight-info-alerts/v1/events/event-properties.ts';

/** Parses a property name like a subscriber: its parts are the members of the document with a lower-case first letter. */
const membersOf = (name: string): readonly string[] =>
  name
    .replace(/UTC$/, 'Utc')
    .replaceAll(/(^|\.)([A-Z])/g, (_, dot, letter) => `${dot}${letter.toLowerCase()}`)
    .split('.');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value of a property; undefined if it is absent. */
export const getValue = (body: object, name: string): unknown =>
  membersOf(name).reduce<unknown>((value, member) => (isObject(value) ? value[member] : undefined), body);

const setValue = (body: object, name: string, value: unknown): void => {
  const members = membersOf(name);
  const last = members.at(-1) ?? '';
  let target: object = body;
  for (const member of members.slice(0, -1)) {
    if (!isObject(Reflect.get(target, member))) Reflect.set(target, member, {});
    target = Reflect.get(target, member);
  }
  if (value === undefined) Reflect.deleteProperty(target, last);
  else Reflect.set(target, last, value);
};

/** Returns a copy of a body with some properties changed, or removed if their value is undefined. */
type Values = Iterable<readonly [name: string, value: unknown]>;
export const withValues = <Body extends object>(body: Body, values: Values): Body => {
  const copy = structuredClone(body);
  for (const [name, value] of values) setValue(copy, name, value);
  return copy;
};

export const withValue = <Body extends object>(body: Body, name: string, value: unknown): Body =>
  withValues(body, [[name, value]]);

/** Returns the body before some changes, computed from the event only: a property without previous value was added. */
export const undoChanges = <Body extends object>(after: Body, changes: readonly PropertyChange[]): Body => {
  const previous = changes.map(({ propertyName, previousValue }) => [propertyName, previousValue] as const);
  return withValues(after, previous);
};

export const omitEmpty = (value: unknown): unknown => {
  if (!isObject(value)) return value;
  const members = Object.entries(value)
    .map(([name, member]) => [name, omitEmpty(member)] as const)
    .filter(([, member]) => member !== undefined && !(isObject(member) && Object.keys(member).length === 0));
  return Object.fromEntries(members);
};

/** Lists the property names of a body; a list is one property. */
export const listNames = (value: unknown, prefix = ''): readonly string[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([member, inner]) => {
        const name = member === 'utc' ? 'UTC' : `${member.charAt(0).toUpperCase()}${member.slice(1)}`;
        return listNames(inner, prefix === '' ? name : `${prefix}.${name}`);
      })
    : [prefix];

export const differentValue = (value: unknown): unknown => {
  if (typeof value === 'string') return `${value}~`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return [];
};
