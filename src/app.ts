import { createSecretKey } from 'node:crypto';
import { catalog } from '../generated/catalog.ts';
import type { PublishedConnections } from './domain/connections/published-connections.ts';
import type { Directory } from './domain/directory.ts';
import type { AccessLog } from './http/access-log.ts';
import { documentationPage } from './http/documentation-page.ts';
import { createFront } from './http/front.ts';
import { createKeys } from './http/keys.ts';
import { findMappedFlight } from './products/flight-info/v2/map/find-mapped-flight.ts';
import { FLIGHT_MAP_PATH, flightMapPage } from './products/flight-info/v2/map/flight-map-page.ts';
import { keepPages } from './products/flight-info/v2/map/keep-pages.ts';
import { openMapDrawer } from './products/flight-info/v2/map/map-drawer.ts';
import { products } from './products/register.ts';
import type { Database } from './store/database.ts';
import { findKey } from './store/subscription-keys.ts';
import { isUnavailable } from './store/unavailable.ts';
import type { MasterData } from './work/master-data.ts';

export type AppOptions = {
  readonly sql: Database;
  /** Master data as they are now. */
  readonly masterData: () => MasterData;
  /** The set of connections that is served now; undefined while there is none. */
  readonly connections?: (() => PublishedConnections | undefined) | undefined;
  /** A set that is still kept, by its number. */
  readonly connectionsById?: ((id: number) => PublishedConnections | undefined) | undefined;
  readonly cursorSecret: Buffer;
  /** Signs the links to maps. */
  readonly mapSecret: Buffer;
  readonly clock: () => Date;
  /** What subscribers must know of each product, by its name: the text of its CHANGES.md. */
  readonly changes?: Readonly<Record<string, string>> | undefined;
  readonly log: AccessLog;
  readonly publicUrl?: string | undefined;
  /** How long a key is believed before the store is asked again, milliseconds. */
  readonly keyTtlMs?: number | undefined;
};

/** The whole service as one function from request to answer. */
export const createApp = ({
  sql,
  masterData,
  connections = () => undefined,
  connectionsById = () => undefined,
  cursorSecret,
  mapSecret,
  clock,
  changes = {},
  log,
  publicUrl,
  keyTtlMs,
}: AppOptions): ((request: Request) => Promise<Response>) => {
  const directory = (): Directory => masterData().directory;
  const apis = products({
    sql,
    directory,
    masterRecords: () => masterData().records,
    connections,
    connectionsById,
    cursorSecret: createSecretKey(cursorSecret),
    mapSecret,
    clock,
  });
  return createFront({
    catalog,
    apps: Object.fromEntries(
      Object.entries(apis).map(([address, api]) => [address, (request, context) => api.fetch(request, context)]),
    ),
    pages: [
      {
        path: FLIGHT_MAP_PATH,
        answer: flightMapPage({
          secret: mapSecret,
          find: (reference) => findMappedFlight(reference, { sql, directory: directory() }),
          draw: keepPages(openMapDrawer().draw),
        }),
      },
      documentationPage(changes),
    ],
    keys: createKeys({ find: (hash) => findKey(sql, hash), clock, ...(keyTtlMs !== undefined && { ttlMs: keyTtlMs }) }),
    clock,
    log,
    isUnavailable,
    publicUrl,
  });
};
