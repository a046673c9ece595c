import { expect, test } from 'vitest';
import { TEST_KEY } from '../../support/tiny-world.ts';
import { listBodyExamples } from '../random/bodies.ts';
import { checkResponse, type SendRequest } from '../responses/check-response.ts';
import type { KnownService } from '../services/known-service.ts';
import { withFault, withBody, withHeaders, withStatus, type ResponseFault } from './response-faults.ts';
import { checkPlantedFault } from './tally.ts';
import type { ExpectedResponse, TestRequest } from '../random/valid-requests.ts';
import { servedOperations, type ServedDocument } from '../services/served-documents.ts';

const [, served, operation] =
  servedOperations.find(([title]) => title === 'flight-info-alerts/v1 post /flight-info-alerts/alerts') ?? [];
if (!served || !operation) throw new Error('there is no operation with a body');
const at: { readonly served: ServedDocument; readonly operation: typeof operation } = { served, operation };

const [example = {}] = listBodyExamples(served, operation);
const validBody = { accountId: example['accountId'], alertType: 'Port', departureAirport: 'LIS' };
const headers = { 'subscription-key': TEST_KEY, 'content-type': 'application/json' };

const posting = (body: unknown, more: Partial<TestRequest> = {}): TestRequest => ({
  method: 'POST',
  path: operation.path,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  values: { alertType: ['Port'], departureAirport: ['LIS'] },
  expected: { status: 200 },
  ...more,
});

/** Plants faults in an operation with a body. */
export const testBodyFaults = (world: () => KnownService): void => {
  const send: SendRequest = (path, init) => world().on(served)(path, init);

  const judge = async (request: TestRequest, fault?: ResponseFault): Promise<string> =>
    (await checkResponse(fault ? withFault(send, fault) : send, at, request)).join('\n');

  /** A service that accepts any body. */
  const acceptsAll: ResponseFault = () =>
    send(operation.path, { method: 'POST', headers, body: JSON.stringify(validBody) });

  const rejection = (fault: string, parameter: string | undefined): ExpectedResponse => ({
    status: 400,
    fault,
    parameter,
    isCursor: false,
  });

  test('accepts a valid body', async () => {
    expect(await judge(posting(validBody))).toBe('');
  });

  test.each<readonly [string, TestRequest]>([
    [
      'an invalid member',
      posting({ ...validBody, flightNumber: -1 }, { expected: rejection('wrong', 'flightNumber') }),
    ],
    ['a missing member', posting({ alertType: 'Global' }, { expected: rejection('missing', 'accountId') })],
    ['malformed JSON', posting('{', { expected: rejection('no JSON', undefined) })],
    ['an array', posting([], { expected: rejection('no object', '') })],
    [
      'an unsupported media type',
      posting(validBody, {
        headers: { ...headers, 'content-type': 'text/csv' },
        expected: { status: 415, fault: 'another media type' },
      }),
    ],
    ['an oversized body', posting(' '.repeat(1_048_577), { expected: { status: 413, fault: 'too much' } })],
    ['an unsupported method', posting(validBody, { method: 'PUT', expected: { status: 405, fault: 'PUT' } })],
    ['a violated rule', posting({ ...validBody, departureAirport: undefined }, { values: { alertType: ['Port'] } })],
  ])('rejects %s, and detects a service that does not', async (_, request) => {
    expect(await judge(request)).toBe('');
    expect(
      checkPlantedFault(await judge(request, acceptsAll), /is answered 201, not 4|is answered 201 for|a 405/),
    ).toBe('caught');
  });

  test.each<readonly [string, TestRequest, ResponseFault, RegExp]>([
    ['another success status', posting(validBody), withStatus(200), /undeclared status 200/],
    ['a missing Location header', posting(validBody), withHeaders({ location: null }), /missing header Location/],
    ['another response', posting(validBody), withBody(() => ({ alertId: 1 })), /required property 'data'/],
    [
      'an error of another member',
      posting({ ...validBody, flightNumber: -1 }, { expected: rejection('wrong', 'flightNumber') }),
      withBody((body) => ({ ...body, errors: { number: ['is wrong'] } })),
      /'wrong' of flightNumber is refused for \["number"\]/,
    ],
    [
      'an unsupported method in Allow',
      posting(validBody, { method: 'PUT', expected: { status: 405, fault: 'PUT' } }),
      withHeaders({ allow: 'GET, HEAD, POST, PATCH, PUT' }),
      /a 405 that allows/,
    ],
    [
      'a rejected valid body',
      posting(validBody),
      () => send(operation.path, { method: 'POST', headers, body: '{}' }),
      /by the rules it is refused not at all/,
    ],
  ])('detects %s', async (_, request, fault, pattern) => {
    expect(checkPlantedFault(await judge(request, fault), pattern)).toBe('caught');
  });
};
