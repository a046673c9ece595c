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

const [shown = {}] = listBodyExamples(served, operation);
const right = { accountId: shown['accountId'], alertType: 'Port', departureAirport: 'LIS' };
const headers = { 'subscription-key': TEST_KEY, 'content-type': 'application/json' };

const posting = (body: unknown, more: Partial<TestRequest> = {}): TestRequest => ({
  method: 'POST',
  path: operation.path,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  given: { alertType: ['Port'], departureAirport: ['LIS'] },
  expected: { status: 200 },
  ...more,
});

/** Plants faults in a service that takes bodies. */
export const testBodyFaults = (world: () => KnownService): void => {
  const ask: SendRequest = (path, init) => world().on(served)(path, init);

  const judge = async (question: TestRequest, fault?: ResponseFault): Promise<string> =>
    (await checkResponse(fault ? withFault(ask, fault) : ask, at, question)).join('\n');

  /** A service that takes whatever comes. */
  const takesAll: ResponseFault = () => ask(operation.path, { method: 'POST', headers, body: JSON.stringify(right) });

  const refused = (fault: string, parameter: string | undefined): ExpectedResponse => ({
    status: 400,
    fault,
    parameter,
    isCursor: false,
  });

  test('a right body is answered rightly', async () => {
    expect(await judge(posting(right))).toBe('');
  });

  test.each<readonly [string, TestRequest]>([
    ['a member that is wrong', posting({ ...right, flightNumber: -1 }, { expected: refused('wrong', 'flightNumber') })],
    ['a member that is missing', posting({ alertType: 'Global' }, { expected: refused('missing', 'accountId') })],
    ['no JSON', posting('{', { expected: refused('no JSON', undefined) })],
    ['a list', posting([], { expected: refused('no object', '') })],
    [
      'another media type',
      posting(right, {
        headers: { ...headers, 'content-type': 'text/csv' },
        expected: { status: 415, fault: 'another media type' },
      }),
    ],
    ['a body without end', posting(' '.repeat(1_048_577), { expected: { status: 413, fault: 'too much' } })],
    ['a method that is not there', posting(right, { method: 'PUT', expected: { status: 405, fault: 'PUT' } })],
    ['a rule that is broken', posting({ ...right, departureAirport: undefined }, { given: { alertType: ['Port'] } })],
  ])('%s has to be refused, and where it is not, that is found out', async (_, question) => {
    expect(await judge(question)).toBe('');
    expect(checkPlantedFault(await judge(question, takesAll), /is answered 201, not 4|is answered 201 for|a 405/)).toBe(
      'caught',
    );
  });

  test.each<readonly [string, TestRequest, ResponseFault, RegExp]>([
    ['success by another status', posting(right), withStatus(200), /undeclared status 200/],
    ['no address', posting(right), withHeaders({ location: null }), /missing header Location/],
    ['another answer', posting(right), withBody(() => ({ alertId: 1 })), /required property 'data'/],
    [
      'another member is blamed',
      posting({ ...right, flightNumber: -1 }, { expected: refused('wrong', 'flightNumber') }),
      withBody((body) => ({ ...body, errors: { number: ['is wrong'] } })),
      /'wrong' of flightNumber is refused for \["number"\]/,
    ],
    [
      'a method is said to be there that is not',
      posting(right, { method: 'PUT', expected: { status: 405, fault: 'PUT' } }),
      withHeaders({ allow: 'GET, HEAD, POST, PATCH, PUT' }),
      /a 405 that allows/,
    ],
    [
      'a right body is refused',
      posting(right),
      () => ask(operation.path, { method: 'POST', headers, body: '{}' }),
      /by the rules it is refused not at all/,
    ],
  ])('%s, and is found out', async (_, question, fault, says) => {
    expect(checkPlantedFault(await judge(question, fault), says)).toBe('caught');
  });
};
