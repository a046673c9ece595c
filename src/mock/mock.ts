import { existsSync, readFileSync } from 'node:fs';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { RouteConfig } from '@hono/zod-openapi';
import { parse } from 'yaml';
import { catalog } from '../../generated/catalog.ts';
import * as connectionsV1 from '../../generated/connections/v1/routes.gen.ts';
import * as flightInfoAlertsV1 from '../../generated/flight-info-alerts/v1/routes.gen.ts';
import * as flightInfoV1 from '../../generated/flight-info/v1/routes.gen.ts';
import * as flightInfoV2 from '../../generated/flight-info/v2/routes.gen.ts';
import * as masterDataV1 from '../../generated/master-data/v1/routes.gen.ts';
import * as schedulesV1 from '../../generated/schedules/v1/routes.gen.ts';
import { toUtcDate, type LocalDate } from '../domain/time/dates.ts';
import { createApp } from '../app.ts';
import { createKeyChecker, type KeyRecord } from '../http/auth/api-keys.ts';
import type { Env } from '../http/context/env.ts';
import type { AccessLog } from '../http/observability/access-log.ts';
import { Problem } from '../http/response/problem.ts';
import type { PublicPages } from '../http/static/published-pages.ts';
import type { CatalogProduct } from '../http/router/version-lifecycle.ts';
import { toJsonObject, type JsonObject } from '../lib/openapi-document.ts';
import type { Wait } from './example-stream.ts';
import { createMockApi } from './mock-api.ts';
import { parsePreferences } from './preferences.ts';

export type MockOptions = {
  readonly clock: () => Date;
  readonly log: AccessLog;
  /** Pages for people that the mock serves besides the API. */
  readonly pages?: readonly PublicPages[];
  /** Waits; tests replace it. */
  readonly wait?: Wait;
};

/** The mock of the whole service. */
export type Mock = {
  /** Handles a request; an early one waits until its version is loaded. */
  readonly fetch: (request: Request, bindings?: Env['Bindings']) => Promise<Response>;
  /** Loads every version. Rejects when a document cannot be read. */
  readonly load: () => Promise<void>;
};

const DAY_MS = 86_400_000;

/** The routes of every version, by `<product>/<version>`. */
const routesByVersion: Readonly<Record<string, readonly RouteConfig[]>> = {
  'connections/v1': Object.values(connectionsV1),
  'flight-info-alerts/v1': Object.values(flightInfoAlertsV1),
  'flight-info/v1': Object.values(flightInfoV1),
  'flight-info/v2': Object.values(flightInfoV2),
  'master-data/v1': Object.values(masterDataV1),
  'schedules/v1': Object.values(schedulesV1),
};

// The built file is one folder deeper than the source file.
const folders = ['../../generated/', '../../../generated/'].map((path) => new URL(path, import.meta.url));

/** Reads the bundled document of `<product>/<version>`. Throws when it is missing. */
const readDocument = (name: string): JsonObject => {
  const files = folders.map((folder) => new URL(`${name}/openapi.yaml`, folder));
  const file = files.find((one) => existsSync(one));
  if (!file) throw new Error(`the document of ${name} is missing`);
  return toJsonObject(parse(readFileSync(file, 'utf8')));
};

/** Every key is valid for all products. */
const anyKey: KeyRecord = { subscriptionId: 1, products: catalog.map(({ product }) => product), revoked: false };

const waitUnlessDisconnected: Wait = async (ms, signal) => {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
};

const moveToDay = (now: Date, day: LocalDate | undefined): Date =>
  day === undefined ? now : new Date(now.getTime() + (day - toUtcDate(now)) * DAY_MS);

const withoutSunsets = (products: readonly CatalogProduct[]): readonly CatalogProduct[] =>
  products.map((product) => ({
    ...product,
    versions: product.versions.map(({ sunsetOn: _, ...version }) => version),
  }));

/**
 * Creates the mock: the application of the service with its versions, dates, keys and problems, and behind it the examples of the documents, selected
 * by the request and its `Prefer` header. It has no state and needs neither database nor network.
 */
export const createMock = ({ clock, log, pages = [], wait = waitUnlessDisconnected }: MockOptions): Mock => {
  const names = catalog.flatMap(({ product, versions }) => versions.map(({ version }) => `${product}/${version}`));
  const versions = names.map((name) => {
    const options = { readDocument: () => readDocument(name), routes: routesByVersion[name] ?? [], wait };
    return { name, ...createMockApi(options) };
  });
  const options = {
    versions: Object.fromEntries(versions.map(({ name, api }) => [name, api])),
    pages,
    checkKey: createKeyChecker({ findKey: async () => anyKey, clock }),
    clock: (request: Request) => moveToDay(clock(), parsePreferences(request.headers.get('prefer')).today),
    log: {
      ...log,
      // Problems that the client requested are not errors.
      failure: (error: unknown, at: Date, requestId: string) => {
        if (!(error instanceof Problem)) log.failure(error, at, requestId);
      },
    },
    isUnavailable: () => false,
  };
  const app = createApp({ ...options, catalog });
  // The handlers report invalid preferences, so these requests must also reach versions after their sunset.
  const appOfAllVersions = createApp({ ...options, catalog: withoutSunsets(catalog) });
  return {
    fetch: async (request, bindings) => {
      const { errors, delayMs } = parsePreferences(request.headers.get('prefer'));
      const response = await (errors.length === 0 ? app : appOfAllVersions).fetch(request, bindings);
      if (delayMs > 0) await wait(delayMs, request.signal);
      return response;
    },
    load: async () => {
      for (const { load } of versions) {
        // Requests that wait for a version come first.
        await setImmediate();
        await load();
      }
    },
  };
};
