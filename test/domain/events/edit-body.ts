import type { PropertyChange } from '../../../src/domain/events/property-changes.ts';

/** Reads a name as a subscriber would: its parts are the members of the document, each beginning with a small letter. */
const membersOf = (name: string): readonly string[] =>
  name
    .replace(/UTC$/, 'Utc')
    .replaceAll(/(^|\.)([A-Z])/g, (_, dot, letter) => `${dot}${letter.toLowerCase()}`)
    .split('.');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a property; undefined when it is absent. */
export const valueIn = (body: object, name: string): unknown =>
  membersOf(name).reduce<unknown>((value, member) => (isObject(value) ? value[member] : undefined), body);

const write = (body: object, name: string, value: unknown): void => {
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

/** A copy of a body in which some properties have other values, or are absent where those are undefined. */
export const withValues = <Body extends object>(
  body: Body,
  values: Iterable<readonly [name: string, value: unknown]>,
): Body => {
  const copy = structuredClone(body);
  for (const [name, value] of values) write(copy, name, value);
  return copy;
};

/** A copy of a body in which one property has another value, or is absent. */
export const withValue = <Body extends object>(body: Body, name: string, value: unknown): Body =>
  withValues(body, [[name, value]]);

/** The body before some changes, as a subscriber who has only the event makes it: what has no previous value was added. */
export const takenBack = <Body extends object>(after: Body, changes: readonly PropertyChange[]): Body =>
  withValues(
    after,
    changes.map(({ propertyName, previousValue }) => [propertyName, previousValue] as const),
  );

/** A body without the members that hold nothing. */
export const withoutEmpty = (value: unknown): unknown => {
  if (!isObject(value)) return value;
  const members = Object.entries(value)
    .map(([name, member]) => [name, withoutEmpty(member)] as const)
    .filter(([, member]) => member !== undefined && !(isObject(member) && Object.keys(member).length === 0));
  return Object.fromEntries(members);
};

/** The names of all values of a body; a list is one value. */
export const namesIn = (value: unknown, prefix = ''): readonly string[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([member, inner]) => {
        const name = member === 'utc' ? 'UTC' : `${member.charAt(0).toUpperCase()}${member.slice(1)}`;
        return namesIn(inner, prefix === '' ? name : `${prefix}.${name}`);
      })
    : [prefix];

/** Another value of the same kind. */
export const another = (value: unknown): unknown => {
  if (typeof value === 'string') return `${value}~`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return [];
};
