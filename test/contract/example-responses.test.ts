import { afterAll, expect, test } from 'vitest';
import { EXAMPLE_DAY, EXAMPLE_KEY, serveExampleWorld } from './example-world/serve-example-world.ts';
import { responseExamples, type ResponseExample } from './example-world/response-examples.ts';
import { findTextBody } from './random/bodies.ts';
import { withParameter } from './responses/envelope.ts';
import { servedDocuments } from './services/served-documents.ts';

const world = await serveExampleWorld();
afterAll(world.drop);

/** Returns the response of the service to the request of an example, with the server address of the documents. */
const fetchExample = async ({ served, operation, name, request }: ResponseExample): Promise<unknown> => {
  const { isCurrent, day, version } = served;
  world.setToday(isCurrent ? EXAMPLE_DAY : day);
  // An example of a response belongs to that of the body with the same name.
  const feed = findTextBody(served, operation);
  const body = feed?.examples[feed.names.indexOf(name)];
  const response = await world.send(withParameter(request, 'version', version), {
    method: operation.method.toUpperCase(),
    headers: { 'subscription-key': EXAMPLE_KEY, ...(feed && { 'content-type': feed.mediaType }) },
    ...(body !== undefined && { body }),
  });
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
    for (const example of examples) {
      const { name, request, value } = example;
      expect([name, request, await fetchExample(example)]).toEqual([name, request, value]);
    }
  },
);
