import { isJsonObject } from '../../src/lib/openapi-document.ts';

/** Types of JSON values by their path, e.g. `data[].carrier.iata` has `string`. */
export type Shape = Map<string, Set<string>>;

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

/** Notes the places of a value that have something; null is nothing. */
const noteShape = (value: unknown, into: Shape, at = ''): void => {
  if (value === null || value === undefined) return;
  into.set(at, (into.get(at) ?? new Set()).add(typeOf(value)));
  if (Array.isArray(value)) for (const item of value) noteShape(item, into, `${at}[]`);
  if (isJsonObject(value)) for (const [name, one] of Object.entries(value)) noteShape(one, into, `${at}.${name}`);
};

/** The shape of several values together. */
export const computeShape = (values: readonly unknown[]): Shape => {
  const shape: Shape = new Map();
  for (const value of values) noteShape(value, shape);
  return shape;
};

/** The places at which a shape has a type that another one, which has something there too, has not. */
export const findConflicts = (shape: Shape, other: Shape): readonly string[] =>
  [...shape].flatMap(([place, types]) => {
    const known = other.get(place);
    const strange = known ? [...types].filter((type) => !known.has(type)) : [];
    return strange.map((type) => `${place}: ${type}, not ${[...(known ?? [])].join(' or ')}`);
  });
