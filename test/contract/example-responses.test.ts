import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TinyService } from '../support/tiny-world.ts';
import { EXAMPLE_DAY, EXAMPLE_KEY, serveExampleWorld } from './example-world/serve-example-world.ts';
import { responseExamples } from './example-world/response-examples.ts';
import { withParameter } from './responses/envelope.ts';
import { servedDocuments, type ServedDocument } from './services/served-documents.ts';

let world: TinyService;
beforeAll(async () => {
  world = await serveExampleWorld();
});
afterAll(() => world.drop());

/** What the service answers to the question of an example, its own address being that of the documents. */
const answerTo = async ({ isCurrent, day, version }: ServedDocument, request: string): Promise<unknown> => {
  world.setToday(isCurrent ? EXAMPLE_DAY : day);
  const response = await world.get(withParameter(request, 'version', version), { 'subscription-key': EXAMPLE_KEY });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${request}: ${response.status} ${text}`);
  return JSON.parse(text.replaceAll('http://service.test', 'http://localhost:8080'));
};

// Accounts and their events have ids and times that are made anew each time; their examples are held against those of flights.
const questions = servedDocuments.filter(({ name }) => !name.startsWith('flight-info-alerts/'));

test.each(questions.map((served) => [served.name, served] as const))(
  'the examples of %s are what the service answers, to the letter',
  async (_, served) => {
    const shown = responseExamples.filter((one) => one.served === served);
    expect(shown.length).toBeGreaterThan(6);
    for (const { name, request, value } of shown)
      expect([name, request, await answerTo(served, request)]).toEqual([name, request, value]);
  },
);
