import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { catalog } from '../../generated/catalog.ts';
import { toUtcDate, type LocalDate } from '../domain/time/dates.ts';
import type { CatalogProduct } from '../http/router/version-lifecycle.ts';
import type { AccessLog } from '../http/observability/access-log.ts';
import type { RequestHandler } from '../http/handler/api.ts';
import { createRouter, type PublicPage } from '../http/router/router.ts';
import { createKeyChecker, type KeyRecord } from '../http/auth/api-keys.ts';
import { Problem } from '../http/response/problem.ts';
import { mockApi } from './mock-api.ts';
import { readPreferences, type Preferences } from './preferences.ts';
import { readDocument } from './read-document.ts';
import { routes } from './routes.ts';
import type { Wait } from './shown-stream.ts';

export type MockOptions = {
  readonly clock: () => Date;
  readonly log: AccessLog;
  /** What else is answered, for people. */
  readonly pages?: readonly PublicPage[];
  /** How time is let pass; in tests it need not. */
  readonly wait?: Wait;
};

/** A request that is being answered. */
type Turn = {
  readonly now: Date;
  readonly preferences: Preferences;
  /** The headers that its answer is not to have, once that is known. */
  leftOut: readonly string[];
};

const DAY_MS = 86_400_000;

/** Whoever sends a key, whichever, may see everything. */
const anybody: KeyRecord = { subscriptionId: 1, products: catalog.map(({ product }) => product), revoked: false };

const pause: Wait = async (ms, signal) => {
  // A caller who has gone away waits for nothing.
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
};

const onDay = (now: Date, day: LocalDate | undefined): Date =>
  day === undefined ? now : new Date(now.getTime() + (day - toUtcDate(now)) * DAY_MS);

/** The same products with versions that never end. */
const withoutEnds = (products: readonly CatalogProduct[]): readonly CatalogProduct[] =>
  products.map((product) => ({
    ...product,
    versions: product.versions.map(({ sunsetOn: _, ...version }) => version),
  }));

/** What has been begun once is not begun again. */
const once = <T>(begin: () => Promise<T>): (() => Promise<T>) => {
  let begun: Promise<T> | undefined;
  return () => (begun ??= begin());
};

/** The mock of the whole service. */
export type Mock = {
  /** From request to answer; one that comes early waits until its version can answer. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Gets every version ready to answer. Rejects when the document of one cannot be read. */
  readonly open: () => Promise<void>;
};

/**
 * The service's own entrance, with its versions, dates, keys and refusals, and behind it the examples of the documents, chosen by
 * the request and by its `Prefer`. It keeps nothing, and needs neither store nor network.
 */
export const createMock = ({ clock, log, pages = [], wait = pause }: MockOptions): Mock => {
  const turns = new AsyncLocalStorage<Turn>();
  const preferences = (): Preferences => turns.getStore()?.preferences ?? readPreferences(null);
  const now = (): Date => turns.getStore()?.now ?? clock();
  const leaveOut = (headers: readonly string[]): void => {
    const turn = turns.getStore();
    if (turn) turn.leftOut = headers;
  };
  const names = catalog.flatMap(({ product, versions }) => versions.map(({ version }) => `${product}/${version}`));
  const versions = names.map((name) => {
    const openApi = once(async () =>
      mockApi({ document: readDocument(name), routes: routes[name] ?? [], preferences, leaveOut, wait }),
    );
    const app: RequestHandler = async (request, context) => (await openApi()).handle(request, context);
    return { name, app, openApi };
  });
  const kit = {
    handlers: Object.fromEntries(versions.map(({ name, app }) => [name, app])),
    pages,
    checkKey: createKeyChecker({ findKey: async () => anybody, clock: now }),
    clock: now,
    log: {
      ...log,
      // A fault that was asked for is none.
      failure: (error: unknown, at: Date, requestId: string) => {
        if (!(error instanceof Problem)) log.failure(error, at, requestId);
      },
    },
    isUnavailable: () => false,
  };
  const onTheDay = createRouter({ ...kit, catalog });
  // That a day is none a version has to tell, even if it is gone.
  const onNoDay = createRouter({ ...kit, catalog: withoutEnds(catalog) });
  return {
    fetch: async (request) => {
      const asked = readPreferences(request.headers.get('prefer'));
      const turn: Turn = { now: onDay(clock(), asked.today), preferences: asked, leftOut: [] };
      const front = asked.faults.length === 0 ? onTheDay : onNoDay;
      const response = await turns.run(turn, () => front(request));
      for (const name of turn.leftOut) response.headers.delete(name);
      if (asked.delayMs > 0) await wait(asked.delayMs, request.signal);
      return response;
    },
    open: async () => {
      for (const { openApi } of versions) {
        // Whoever waits for a version comes first.
        await setImmediate();
        await openApi();
      }
    },
  };
};
