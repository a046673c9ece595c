import { z } from '@hono/zod-openapi';
import { isWithinEditDistance } from '#lib/edit-distance.ts';
import { editsAllowed, toComparedName, truncate } from '../request/unknown-parameters.ts';
import type { ParameterErrors } from '../response/problem.ts';

/** Members of request bodies by other names that clients send for them. */
export type OtherMemberNames = Readonly<Record<string, string>>;

/** A body can have thousands of members. */
const MAX_ERRORS = 20;

const unwrap = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? unwrap(schema.unwrap()) : schema;

/** Returns the known name that an unknown one is meant as; undefined if it means none. */
const findMeantName = (name: string, known: readonly string[], others: OtherMemberNames): string | undefined => {
  const sent = toComparedName(name);
  if (sent === '') return undefined;
  const names = new Map(known.map((one) => [toComparedName(one), one]));
  for (const [other, one] of Object.entries(others)) if (known.includes(one)) names.set(toComparedName(other), one);
  const exact = names.get(sent);
  if (exact !== undefined) return exact;
  for (const [other, one] of names) if (isWithinEditDistance(sent, other, editsAllowed(other))) return one;
  return undefined;
};

/**
 * Returns the errors of the unknown members of a body whose names are meant as known ones, by path. Other unknown members are ignored, so
 * that clients can send a response back. Only objects that ignore unknown members are compared; the schema rejects those of others.
 */
export const findMisnamedMembers = (schema: unknown, body: unknown, others: OtherMemberNames): ParameterErrors => {
  const errors = new Map<string, readonly string[]>();
  const visit = (at: unknown, value: unknown, path: string): void => {
    const object = unwrap(at);
    if (typeof value !== 'object' || value === null) return;
    if (object instanceof z.ZodArray && Array.isArray(value))
      for (const [index, item] of value.entries()) visit(object.element, item, `${path}${index}.`);
    if (!(object instanceof z.ZodObject) || Array.isArray(value)) return;
    const known = Object.keys(object.shape);
    for (const [name, member] of Object.entries(value)) {
      if (errors.size >= MAX_ERRORS) return;
      if (Object.hasOwn(object.shape, name)) visit(object.shape[name], member, `${path}${name}.`);
      else if (object.def.catchall === undefined) {
        const meant = findMeantName(name, known, others);
        if (meant !== undefined)
          errors.set(`${path}${truncate(name)}`, [`is not a member of this object: send ${meant}`]);
      }
    }
  };
  visit(schema, body, '');
  return Object.fromEntries(errors);
};
