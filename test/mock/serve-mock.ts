import { readChangeLogs } from '#cli/shared/change-logs.ts';
import { createPublishedPages } from '#http/static/published-pages.ts';
import { createMock } from '#mock/mock.ts';
import { WORLD_DAY } from '../contract/services/served-documents.ts';

/** Base URL of the documents; requests to it return the examples unchanged. */
const DOCUMENTED_BASE = 'http://localhost:8080';

/** Simulated waits in milliseconds and logged errors of the tests of a file; a worker runs one file after the other. */
let recorded: { readonly waits: number[]; readonly faults: unknown[] } = { waits: [], faults: [] };

// The mock has no state, so all tests of a worker share one: loading its documents takes 1.5 s.
const { fetch } = createMock({
  clock: () => new Date(`${WORLD_DAY}T12:00:00Z`),
  log: { request: () => {}, failure: (error) => recorded.faults.push(error), flush: async () => {} },
  pages: [createPublishedPages({ catalog: [], files: [], changes: readChangeLogs() })],
  wait: async (ms) => {
    recorded.waits.push(ms);
  },
});

/** Serves the mock at noon UTC of the day of the test worlds: `send` has exactly the given headers, `get` a key too,
 * and `fetch` sends a whole request. */
export const serveMock = (base = DOCUMENTED_BASE) => {
  recorded = { waits: [], faults: [] };
  const send = (path: string, init?: RequestInit): Promise<Response> => fetch(new Request(`${base}${path}`, init));
  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    send(path, { headers: { 'Subscription-Key': 'any', ...headers } });
  return { fetch, send, get, ...recorded };
};

/** Number of random requests per operation: 15, or MOCK_REQUESTS. MOCK_SEED changes them. */
export const randomRequestOptions = {
  numRuns: Number(process.env['MOCK_REQUESTS'] ?? 15),
  seed: Number(process.env['MOCK_SEED'] ?? 20_260_601),
} as const;
