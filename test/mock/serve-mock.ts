import { readChangeLogs } from '../../src/cli/shared/change-logs.ts';
import { createDocumentationPage } from '../../src/http/static/documentation-page.ts';
import { createMock } from '../../src/mock/mock.ts';
import { WORLD_DAY } from '../contract/services/served-documents.ts';

/** Where the documents say that the service is: asked there, the mock answers with examples as they are written. */
export const DOCUMENTED_BASE = 'http://localhost:8080';

export type ServedMock = {
  /** Asks with exactly these headers. */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>;
  /** Asks with a key. */
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Response>;
  /** The milliseconds that were let pass so far, in no time. */
  readonly waits: readonly number[];
  /** What was logged of faults. */
  readonly faults: readonly unknown[];
};

/** What happens while the tests of a file run; those of a worker run one file after the other. */
let happened: { readonly waits: number[]; readonly faults: unknown[] } = { waits: [], faults: [] };

// The mock keeps nothing, so there is one for all tests of a worker: to read its documents takes a second and a half.
const { fetch } = createMock({
  clock: () => new Date(`${WORLD_DAY}T12:00:00Z`),
  log: { request: () => {}, failure: (error) => happened.faults.push(error), flush: async () => {} },
  pages: [createDocumentationPage(readChangeLogs())],
  wait: async (ms) => {
    happened.waits.push(ms);
  },
});

/** The mock at noon UTC of the day of the other tests' worlds. */
export const serveMock = (base = DOCUMENTED_BASE): ServedMock => {
  happened = { waits: [], faults: [] };
  const ask = (path: string, init?: RequestInit): Promise<Response> => fetch(new Request(`${base}${path}`, init));
  const get = (path: string, headers = {}): Promise<Response> =>
    ask(path, { headers: { 'Subscription-Key': 'any', ...headers } });
  return { send: ask, get, ...happened };
};
