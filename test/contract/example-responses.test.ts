import { afterAll, expect, test } from 'vitest';
import { EXAMPLE_DAY, EXAMPLE_KEY, serveExampleWorld } from './example-world/serve-example-world.ts';
import { responseExamples } from './example-world/response-examples.ts';
import { withParameter } from './responses/envelope.ts';
import { servedDocuments, type ServedDocument } from './services/served-documents.ts';

const world = await serveExampleWorld();
afterAll(world.drop);

/** Returns the response of the service to the request of an example, with the server address of the documents. */
const fetchExample = async ({ isCurrent, day, version }: ServedDocument, request: string): Promise<unknown> => {
  world.setToday(isCurrent ? EXAMPLE_DAY : day);
  const response = await world.get(withParameter(request, 'version', version), { 'subscription-key': EXAMPLE_KEY });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${request}: ${response.status} ${text}`);
  return JSON.parse(text.replaceAll('http://service.test', 'http://localhost:8080'));
};

// The examples of accounts and events have random IDs and current times; example-world.test.ts compares them with the
// flights.
const comparable = servedDocuments.filter(({ name }) => !name.startsWith('flight-info-alerts/'));

test.each(comparable.map((served) => [served.name, served] as const))(
  'the examples of %s equal the responses of the service',
  async (_, served) => {
    const examples = responseExamples.filter((one) => one.served === served);
    expect(examples.length).toBeGreaterThan(0);
    for (const { name, request, value } of examples)
      expect([name, request, await fetchExample(served, request)]).toEqual([name, request, value]);
  },
);
