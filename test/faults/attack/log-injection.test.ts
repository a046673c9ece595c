/* Injection payloads in every part of a request that is logged. */
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

test('each request has one log line, no payload forges a line, and no response has an injected header', async () => {
  const linesBefore = service.logged().length;
  let requests = 0;
  let reflectedHeaders = 0;
  for (const payload of payloads) {
    const text = encodePayload(payload);
    const headerValue = toHeaderValue(payload) ?? '\u0085"}{';
    for (const path of [
      `/flight-instances?version=${text}`,
      `/flight-instances?${text}=${text}`,
      `/${text}`,
      `/flights/health?${text}`,
    ]) {
      const headers = { 'subscription-key': TEST_KEY, 'user-agent': headerValue, traceparent: headerValue };
      const response = await service.send(path, { headers });
      await response.arrayBuffer();
      requests += 1;
      reflectedHeaders += [...response.headers].filter(
        ([name, value]) => name === 'x-injected' || value.includes('X-Injected') || hasControlCharacters(value),
      ).length;
    }
  }
  const lines = service.logged().slice(linesBefore);
  // Each line has exactly one line feed, at its end.
  const malformed = lines.filter((line) => !line.endsWith('}\n') || hasControlCharacters(line.slice(0, -1)));
  reportFault(29, { requests, lines: lines.length, malformed: malformed.length, 'injected headers': reflectedHeaders });
  expect(lines).toHaveLength(requests);
  expect([malformed, reflectedHeaders]).toEqual([[], 0]);
  expect(lines.map((line) => toJsonObject(JSON.parse(line))['level'])).toEqual(lines.map(() => 'info'));
});
