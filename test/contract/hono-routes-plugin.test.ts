import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/openapi-document.ts';
import { findParameterStyle } from '#contract/hono-routes-plugin.ts';

const kind = { type: 'string', enum: ['Big', 'Small'] };
const kinds = { type: 'array', items: { $ref: '#/components/schemas/Kind' } };
const integers = { type: 'array', items: { type: 'integer' } };
const document: JsonObject = { components: { schemas: { Kind: kind } } };

test.each<readonly [string, JsonObject, unknown]>([
  ['a text', { schema: { type: 'string' } }, { type: 'string' }],
  ['an integer', { schema: { type: 'integer' } }, { type: 'integer' }],
  ['a number that can be null', { schema: { type: ['null', 'number'] } }, { type: 'number' }],
  ['a boolean', { schema: { type: 'boolean' } }, { type: 'boolean' }],
  ['one of several words', { schema: { enum: ['a', 'b'] } }, { type: 'string', enum: ['a', 'b'] }],
  ['one word', { schema: { const: 'v2' } }, { type: 'string', enum: ['v2'] }],
  ['one of several numbers', { schema: { type: 'integer', enum: [1, 2] } }, { type: 'integer' }],
  ['words under a name', { schema: { $ref: '#/components/schemas/Kind' } }, kind],
  ['a list, commas between', { explode: false, schema: kinds }, { ...kind, array: 'csv' }],
  ['a list, name by name', { explode: true, schema: integers }, { type: 'integer', array: 'repeat' }],
  ['a list without a style, which is repeated by default', { schema: integers }, { type: 'integer', array: 'repeat' }],
])('recognizes %s', (_, parameter, style) => {
  expect(findParameterStyle(document, parameter)).toEqual(style);
});
