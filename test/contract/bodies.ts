import fc from 'fast-check';
import { follow, isNode, listOf, nodeOf, type Node, type Operation } from '../../src/lib/openapi-document.ts';
import { fits, textsFor, type Pool } from './schema-texts.ts';
import type { ServedDocument } from './served-documents.ts';

/** The schema of the JSON body that an operation takes; undefined where it takes none. */
export const bodySchemaOf = (
  { contract: { document } }: Pick<ServedDocument, 'contract'>,
  { operation }: Operation,
): Node | undefined => {
  const body = nodeOf(follow(document, operation['requestBody']));
  const { schema } = nodeOf(nodeOf(body['content'])['application/json']);
  return schema === undefined ? undefined : nodeOf(follow(document, schema));
};

/** The bodies that a document shows for an operation. */
export const bodiesShown = ({ contract: { document } }: ServedDocument, { operation }: Operation): readonly Node[] => {
  const body = nodeOf(follow(document, operation['requestBody']));
  const media = nodeOf(nodeOf(body['content'])['application/json']);
  return Object.values(nodeOf(media['examples'])).map((one) => nodeOf(nodeOf(follow(document, one))['value']));
};

const typesOf = (schema: Node): readonly unknown[] => [schema['type']].flat();

/** The members of an object schema, dereferenced. */
const membersOf = (document: Node, schema: Node): readonly (readonly [name: string, schema: Node])[] =>
  Object.entries(nodeOf(schema['properties'])).map(([name, one]) => [name, nodeOf(follow(document, one))]);

/** Values that a schema allows. */
const valuesFor = (document: Node, schema: Node, pool: Pool): fc.Arbitrary<unknown> => {
  const types = typesOf(schema);
  const told = (): fc.Arbitrary<unknown> => {
    if (types.includes('object')) return objectsFor(document, schema, pool);
    const texts = textsFor(schema, { examples: [], pool, isItem: false });
    if (types.includes('integer') || types.includes('number')) return texts.map(Number);
    return types.includes('boolean') ? texts.map((text) => text === 'true') : texts;
  };
  return types.includes('null')
    ? fc.oneof({ weight: 5, arbitrary: told() }, { weight: 1, arbitrary: fc.constant(null) })
    : told();
};

/** Objects that a schema allows, with any of the members that can be left out. */
export const objectsFor = (document: Node, schema: Node, pool: Pool): fc.Arbitrary<Node> => {
  const members = membersOf(document, schema);
  const values = Object.fromEntries(members.map(([name, one]) => [name, valuesFor(document, one, pool)]));
  const required = listOf(schema['required']).map(String);
  // As many as there are would most often be there at once, and seldom few.
  return fc
    .tuple(fc.record(values), fc.array(fc.nat({ max: 5 }), { minLength: members.length, maxLength: members.length }))
    .map(([all, dice]) =>
      Object.fromEntries(
        Object.entries(all).filter(([name], index) => required.includes(name) || (dice[index] ?? 0) < 2),
      ),
    );
};

/** The members of a body as texts by their names, those of members with a dot between; nulls are left out. */
export const textsIn = (body: Node, before = ''): readonly (readonly [name: string, text: string])[] =>
  Object.entries(body).flatMap(([name, value]) => {
    if (value === null) return [];
    if (isNode(value)) return textsIn(value, `${before}${name}.`);
    return [[`${before}${name}`, typeof value === 'string' ? value : JSON.stringify(value)] as const];
  });

const isAllowed = (schema: Node, value: unknown): boolean => {
  const types = typesOf(schema);
  if (value === null) return types.includes('null');
  if (typeof value === 'string') return types.includes('string') && fits(schema, value);
  if (typeof value === 'boolean') return types.includes('boolean');
  if (typeof value === 'number')
    return types.includes('integer') && Number.isInteger(value) && fits(schema, String(value));
  return isNode(value) && types.includes('object');
};

const strange = [
  null,
  true,
  'yes',
  '',
  'true',
  '1',
  '\u0000',
  'x'.repeat(5000),
  0.5,
  -1,
  1e9,
  1e300,
  [],
  ['x'],
  {},
  { x: 1 },
];

/** Objects in which one member is not as the schema has it, or is missing, with the name of that member. */
export type WrongMember = { readonly name: string; readonly spoil: (body: Node) => Node };

/** Every way in which one member of an object can be wrong. */
export const wrongMembers = (document: Node, schema: Node): readonly fc.Arbitrary<WrongMember>[] => {
  const missing = listOf(schema['required']).map((one) => {
    const name = String(one);
    const spoil = (body: Node): Node => Object.fromEntries(Object.entries(body).filter(([other]) => other !== name));
    return fc.constant({ name, spoil });
  });
  const wrong = membersOf(document, schema).flatMap(([name, member]) => {
    const values = strange.filter((value) => !isAllowed(member, value));
    const own = fc
      .constantFrom(...values)
      .map((value) => ({ name, spoil: (body: Node) => ({ ...body, [name]: value }) }));
    // Where the body has no such object, one that is right in all else is spoiled.
    const inner = wrongMembers(document, member).map((one) =>
      fc.tuple(one, objectsFor(document, member, [])).map(([found, right]) => ({
        name: `${name}.${found.name}`,
        spoil: (body: Node) => ({ ...body, [name]: found.spoil(isNode(body[name]) ? nodeOf(body[name]) : right) }),
      })),
    );
    return [own, ...inner];
  });
  return [...missing, ...wrong];
};
