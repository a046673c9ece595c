import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { follow, nodeOf, type Node, type Operation } from '../../src/contract/document.ts';
import { TEST_KEY } from '../support/tiny-world.ts';
import { withParameter } from './envelope.ts';
import { serveKnownWorld, type KnownWorld } from './known-world.ts';
import { prismWitness, readAnswer, type Witness } from './prism-witness.ts';
import { rightQuestions } from './requests.ts';
import { parameterOf } from './schema-texts.ts';
import { isList, servedDocuments, servedOperations, type ServedDocument } from './served-documents.ts';

const headers = { 'subscription-key': TEST_KEY };
const nothing = { question: [], answer: [] };

let world: KnownWorld;
const witnesses = new Map<string, Witness>();
beforeAll(async () => {
  world = await serveKnownWorld();
  for (const { name, contract } of servedDocuments) witnesses.set(name, await prismWitness(contract));
});
afterAll(() => world.drop());

const witnessOf = ({ name }: ServedDocument): Witness => {
  const witness = witnesses.get(name);
  if (!witness) throw new Error(`${name} has no witness`);
  return witness;
};

/** What Prism says of questions and their answers, those that are as they should be left out. */
const objections = async (served: ServedDocument, paths: readonly string[]): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const path of paths) {
    const testimony = await witnessOf(served)({ path, headers }, async () =>
      readAnswer(await world.on(served)(path, { method: 'GET', headers })),
    );
    found.push(...Object.entries(testimony).flatMap(([of, said]) => said.map((one) => `${path}: ${of}: ${one}`)));
  }
  return found;
};

/** The example of each path parameter in its place, and of each parameter of the query that must be there. */
const addressed = ({ contract: { document } }: ServedDocument, { path, parameters }: Operation): string => {
  const declared = parameters.map((one) => parameterOf(document, one));
  const filled = path.replaceAll(/\{(.+?)\}/g, (_, name: string) =>
    encodeURIComponent(declared.find((one) => one.name === name)?.examples[0] ?? ''),
  );
  return declared
    .filter((one) => one.in === 'query' && one.isRequired)
    .reduce((base, { name, examples }) => withParameter(base, name, encodeURIComponent(examples[0] ?? '')), filled);
};

/** A question for every example that a parameter has. */
const examplesAsked = async (served: ServedDocument, operation: Operation): Promise<readonly string[]> => {
  const { document } = served.contract;
  const plain = withParameter(addressed(served, operation), 'version', served.version);
  const base = isList(served, operation) ? await world.wholeList(served, operation) : plain;
  const asked = operation.parameters
    .map((one) => nodeOf(follow(document, one)))
    .filter((one) => one['in'] === 'query')
    .flatMap((one) => {
      const name = String(one['name']);
      const named = Object.values(nodeOf(one['examples'])).map((each) => nodeOf(follow(document, each))['value']);
      const values = 'example' in one ? [one['example'], ...named] : named;
      const rest = base.replace(new RegExp(`([?&])${name}=[^&]*&?`), '$1').replace(/[?&]$/, '');
      return values.map((value) =>
        withParameter(rest, name, [value].flat().map(String).map(encodeURIComponent).join(',')),
      );
    });
  return [base, ...asked];
};

type Shown = {
  readonly where: string;
  readonly status: number;
  readonly mediaType: string;
  readonly headers: Node;
  readonly body: unknown;
};

/** Every example answer of an operation. */
const examplesShown = ({ contract: { document } }: ServedDocument, { operation }: Operation): readonly Shown[] =>
  Object.entries(nodeOf(operation['responses'])).flatMap(([status, declared]) => {
    const response = nodeOf(follow(document, declared));
    return Object.entries(nodeOf(response['content'])).flatMap(([mediaType, media]) =>
      Object.entries(nodeOf(nodeOf(media)['examples'])).map(([name, example]) => ({
        where: `${status} ${name}`,
        status: Number(status),
        mediaType,
        headers: nodeOf(response['headers']),
        body: nodeOf(follow(document, example))['value'],
      })),
    );
  });

const exampleHeaders = (document: Node, declared: Node): Record<string, string> =>
  Object.fromEntries(
    Object.entries(declared).map(([name, header]) => [
      name.toLowerCase(),
      String(nodeOf(follow(document, header))['example']),
    ]),
  );

describe.each(servedOperations)('%s, as Prism reads its document', (_, served, operation) => {
  test('has right answers to 100 right questions', async () => {
    const known = await world.knownOf(served, operation);
    const questions = rightQuestions(served, operation, { known, wording: { isOdd: false } });
    const paths = fc.sample(questions, { numRuns: 100, seed: 20_260_601 }).map(({ path }) => path);
    expect(await objections(served, paths)).toEqual([]);
  });

  test('has right answers to every example of a question', async () => {
    expect(await objections(served, await examplesAsked(served, operation))).toEqual([]);
  });

  test('has right examples of its answers', async () => {
    const path = addressed(served, operation);
    const shown = examplesShown(served, operation);
    expect(shown.length).toBeGreaterThan(4);
    for (const { where, status, mediaType, headers: declared, body } of shown) {
      const answer = {
        statusCode: status,
        headers: { 'content-type': mediaType, ...exampleHeaders(served.contract.document, declared) },
        body,
      };
      expect([where, await witnessOf(served)({ path, headers }, async () => answer)]).toEqual([where, nothing]);
    }
  });

  // A schema that it cannot compile, Prism passes over in silence.
  test('is really read: what is wrong is objected to', async () => {
    const path = addressed(served, operation);
    const right = { 'content-type': 'application/json', 'api-version': served.version, 'x-request-id': '0'.repeat(32) };
    const said = async (body: unknown, headersOfAnswer: Record<string, string> = right): Promise<string> => {
      const answer = async () => ({ statusCode: 200, headers: headersOfAnswer, body });
      return (await witnessOf(served)({ path, headers }, answer)).answer.join('\n');
    };
    expect(await said({})).toMatch(/^body: /);
    expect(await said([])).toMatch(/must be object/);
    expect(await said({}, { ...right, 'x-request-id': 'x' })).toMatch(/x-request-id.*pattern/);
    expect(await said({}, { ...right, 'content-type': 'text/html' })).toMatch(/media type/);
    expect(await said({}, { 'content-type': 'application/json' })).toMatch(/api-version/);
  });
});
