/* Values that would be code elsewhere, in every place of a request that is logged. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toJsonObject } from '../../../src/lib/openapi-document.ts';
import { serveTinyWorld, TEST_KEY, type TinyService } from '../../support/tiny-world.ts';
import { reportFault } from '../support/report-fault.ts';
import { toHeaderValue, encodePayload, hasControlCharacters, payloads } from './payloads.ts';

let service: TinyService;
beforeAll(async () => {
  service = await serveTinyWorld();
});
afterAll(() => service.drop());

test('each request has one line in the log, whatever it says, no line can be made to look like another, and no answer has a header more', async () => {
  const before = service.logged().length;
  let asked = 0;
  let reflected = 0;
  for (const payload of payloads) {
    const text = encodePayload(payload);
    const said = toHeaderValue(payload) ?? '\u0085"}{';
    for (const path of [
      `/flight-instances?version=${text}`,
      `/flight-instances?${text}=${text}`,
      `/${text}`,
      `/flights/health?${text}`,
    ]) {
      const headers = { 'subscription-key': TEST_KEY, 'user-agent': said, traceparent: said };
      const response = await service.send(path, { headers });
      await response.arrayBuffer();
      asked += 1;
      reflected += [...response.headers].filter(
        ([name, value]) => name === 'x-injected' || value.includes('X-Injected') || hasControlCharacters(value),
      ).length;
    }
  }
  const lines = service.logged().slice(before);
  // Each ends with the one line feed that is its own.
  const odd = lines.filter((line) => !line.endsWith('}\n') || hasControlCharacters(line.slice(0, -1)));
  reportFault({
    fault: 29,
    figure: { requests: asked, lines: lines.length, odd: odd.length, 'headers that were put in': reflected },
    bound: 'a line for each request, odd 0, headers that were put in 0',
  });
  expect(lines).toHaveLength(asked);
  expect([odd, reflected]).toEqual([[], 0]);
  expect(lines.map((line) => toJsonObject(JSON.parse(line))['level'])).toEqual(lines.map(() => 'info'));
});
