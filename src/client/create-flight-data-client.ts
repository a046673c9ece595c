import { createClient, createConfig } from '../../generated/runtime/client/index.ts';
import { newDeprecationWatch, type DeprecationNotice } from './deprecation.ts';
import { newEvents, type Events } from './events.ts';
import { newProduct, type Connection } from './product.ts';
import {
  connections,
  flightInfo,
  flightInfoAlerts,
  masterData,
  schedules,
  type Connections,
  type FlightInfo,
  type FlightInfoAlerts,
  type MasterData,
  type Schedules,
} from './products.ts';
import { systemTiming, type Timing } from './timing.ts';
import { newTransport, type Fetch } from './transport.ts';

export type FlightDataClientOptions = {
  /** Where the service is, with the path prefix of a proxy if there is one. The key is sent nowhere else. */
  readonly baseUrl: string;
  /** Kept on servers, and sent in a header only. */
  readonly subscriptionKey: string;
  /** By default that of the platform. */
  readonly fetch?: Fetch;
  /** How often a request is sent again, at most: 3. */
  readonly retries?: number;
  /** A service that asks to wait longer than this is not waited for, milliseconds: 60,000. */
  readonly longestWaitMs?: number;
  /** For one attempt, milliseconds: 30,000. */
  readonly timeoutMs?: number;
  /** Called once for each operation of a version that will end. By default nobody is told. */
  readonly onDeprecation?: (notice: DeprecationNotice) => void;
  /** Another clock, for tests. */
  readonly timing?: Timing;
};

/** The service, product by product, each in its current version. */
export type FlightDataClient = {
  readonly flightInfo: FlightInfo;
  readonly schedules: Schedules;
  readonly connections: Connections;
  readonly masterData: MasterData;
  readonly flightInfoAlerts: FlightInfoAlerts;
  /** The events of an account as they come, over breaks of the connection. */
  readonly events: Events;
};

const checkedBaseUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '';
  if (!isPlain)
    throw new TypeError('baseUrl is http:// or https://, a host and at most a path, e.g. https://flights.example');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
};

/** A key as a header can carry it. The platform would repeat a wrong one in its error. */
const checkedKey = (key: string): string => {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError('subscriptionKey is empty or has signs that no key has');
};

/** How the products of a service are reached. */
export const newConnection = ({
  baseUrl: base,
  subscriptionKey: key,
  fetch: given = (url, init) => fetch(url, init),
  retries = 3,
  longestWaitMs = 60_000,
  timeoutMs = 30_000,
  onDeprecation = () => undefined,
  timing = systemTiming,
}: FlightDataClientOptions): Connection => {
  const baseUrl = checkedBaseUrl(base);
  const subscriptionKey = checkedKey(key);
  const watch = newDeprecationWatch(onDeprecation);
  return {
    baseUrl,
    subscriptionKey,
    client: createClient(createConfig({ baseUrl, auth: () => subscriptionKey })),
    transport: newTransport({ fetch: given, retries, longestWaitMs, timeoutMs, timing, watch }),
  };
};

/** A client of a service. Throws a TypeError when the address or the key cannot be one. */
export const createFlightDataClient = (options: FlightDataClientOptions): FlightDataClient => {
  const connection = newConnection(options);
  return {
    flightInfo: newProduct(flightInfo, connection),
    schedules: newProduct(schedules, connection),
    connections: newProduct(connections, connection),
    masterData: newProduct(masterData, connection),
    flightInfoAlerts: newProduct(flightInfoAlerts, connection),
    events: newEvents(connection),
  };
};
