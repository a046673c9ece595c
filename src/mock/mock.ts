import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { catalog } from '#generated/catalog.ts';
import { routesByVersion } from '#generated/routes.ts';
import { toUtcDate, type LocalDate } from '#domain/time/dates.ts';
import { createApp } from '#app.ts';
import { createKeyChecker, type FindKey, type KeyRecord } from '#http/auth/api-keys.ts';
import type { Env } from '#http/context/env.ts';
import type { AccessLog } from '#http/observability/access-log.ts';
import type { PublicPages } from '#http/static/published-pages.ts';
import { toJsonObject, type JsonObject } from '#lib/openapi-document.ts';
import type { Wait } from './example-stream.ts';
import { createMockApi } from './mock-api.ts';
import { parsePreferences } from './preferences.ts';

export type MockOptions = {
  readonly clock: () => Date;
  readonly log: AccessLog;
  /** Pages for people that the mock serves besides the API. */
  readonly pages?: readonly PublicPages[];
  readonly wait?: Wait;
};

const DAY_MS = 86_400_000;

const moveToDay = (now: Date, day: LocalDate = toUtcDate(now)): Date =>
  new Date(now.getTime() + (day - toUtcDate(now)) * DAY_MS);

// The built file is one folder deeper than the source file.
const folders = ['../../generated/', '../../../generated/'].map((path) => new URL(path, import.meta.url));

/** Reads the bundled document of `<product>/<version>`. Throws when it is missing. */
const readDocument = (name: string): JsonObject => {
  const file = folders.map((folder) => new URL(`${name}/openapi.json`, folder)).find((one) => existsSync(one));
  if (!file) throw new Error(`the document of ${name} is missing`);
  return toJsonObject(JSON.parse(readFileSync(file, 'utf8')));
};

const anyKey: KeyRecord = { subscriptionId: 1, products: catalog.map(({ product }) => product), revoked: false };
const strictKeyHash = hash('sha256', 'strict', 'buffer');

/** Every key is valid for all products; the key `strict` is strict. */
const findKey: FindKey = async (keyHash) => ({ ...anyKey, isStrict: keyHash.equals(strictKeyHash) });

const waitUnlessDisconnected: Wait = async (ms, signal) => {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
};

/** The catalog without removed versions. */
const catalogWithoutSunsets = catalog.map((product) => ({
  ...product,
  versions: product.versions.map(({ sunsetOn: _, ...version }) => version),
}));

/**
 * Creates the mock: the application of the service with its versions, dates, keys and problems, and behind it the examples of the documents, selected
 * by the request and its `Prefer` header. It has no state and needs neither database nor network.
 */
export const createMock = ({ clock, log, pages = [], wait = waitUnlessDisconnected }: MockOptions) => {
  const versions = Object.entries(routesByVersion).map(([name, routes]) => ({
    name,
    ...createMockApi(() => readDocument(name), routes, wait),
  }));
  const options = {
    versions: Object.fromEntries(versions.map(({ name, api }) => [name, api])),
    pages,
    checkKey: createKeyChecker({ findKey, clock }),
    clock: (request: Request) => moveToDay(clock(), parsePreferences(request.headers.get('prefer')).today),
    log,
    isUnavailable: () => false,
  };
  const app = createApp({ ...options, catalog });
  // The handlers report invalid preferences, so these requests must also reach versions after their sunset.
  const appOfAllVersions = createApp({ ...options, catalog: catalogWithoutSunsets });
  return {
    /** Handles a request; an early one waits until its version is loaded. */
    fetch: async (request: Request, bindings?: Env['Bindings']): Promise<Response> => {
      const { errors, delayMs } = parsePreferences(request.headers.get('prefer'));
      const response = await (errors.length === 0 ? app : appOfAllVersions).fetch(request, bindings);
      if (delayMs > 0) await wait(delayMs, request.signal);
      return response;
    },
    /** Loads every version. Rejects when a document cannot be read. */
    load: async (): Promise<void> => {
      for (const { load } of versions) {
        // Requests that wait for a version come first.
        await setImmediate();
        await load();
      }
    },
  };
};
