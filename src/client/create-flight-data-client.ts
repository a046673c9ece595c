import { createProducts, type Products } from '../../generated/products.ts';
import { createClient, createConfig } from '../../generated/runtime/client/index.ts';
import { createDeprecationWatcher, type DeprecationNotice } from './deprecation.ts';
import { createEvents, type Events } from './events.ts';
import type { ServiceConnection } from './product.ts';
import { systemTiming, type Timing } from './timing.ts';
import { createTransport, type Fetch } from './transport.ts';

export type FlightDataClientOptions = {
  /** The URL of the service, with the path prefix of a proxy, if any. The key is sent to this URL only. */
  readonly baseUrl: string;
  /** Keep it on servers. It is sent in a header only. */
  readonly subscriptionKey: string;
  /** By default the `fetch` of the platform. */
  readonly fetch?: Fetch;
  /** Maximum number of retries: 3 by default. */
  readonly maxRetries?: number;
  /** Maximum delay before a retry; when the service requests more, the call fails. Milliseconds, 60,000 by default. */
  readonly maxRetryDelayMs?: number;
  /** Timeout of one attempt, milliseconds: 30,000 by default. */
  readonly timeoutMs?: number;
  /** Called once for each operation of a deprecated version. */
  readonly onDeprecation?: (notice: DeprecationNotice) => void;
  /** Another clock, for tests. */
  readonly timing?: Timing;
};

/** The products of the service, each in its newest version. */
export type FlightDataClient = Products & {
  /** The events of an account; reconnects automatically. */
  readonly events: Events;
};

const parseBaseUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '';
  if (!isPlain)
    throw new TypeError(
      'baseUrl must be http:// or https://, a host and optionally a path, such as https://flights.example',
    );
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
};

/** Throws when a header cannot contain the key. The error of the platform would contain the key. */
const validateKey = (key: string): string => {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError('subscriptionKey is empty or contains invalid characters');
};

/** Creates what all products of a client share. */
export const createConnection = ({
  baseUrl: base,
  subscriptionKey: key,
  fetch: fetchOption = (url, init) => fetch(url, init),
  maxRetries = 3,
  maxRetryDelayMs = 60_000,
  timeoutMs = 30_000,
  onDeprecation = () => undefined,
  timing = systemTiming,
}: FlightDataClientOptions): ServiceConnection => {
  const baseUrl = parseBaseUrl(base);
  const subscriptionKey = validateKey(key);
  const watcher = createDeprecationWatcher(onDeprecation);
  return {
    baseUrl,
    subscriptionKey,
    client: createClient(createConfig({ baseUrl, auth: () => subscriptionKey })),
    transport: createTransport({ fetch: fetchOption, maxRetries, maxRetryDelayMs, timeoutMs, timing, watcher }),
  };
};

/** Creates a client of a service. Throws a TypeError when the URL or the key is malformed. */
export const createFlightDataClient = (options: FlightDataClientOptions): FlightDataClient => {
  const connection = createConnection(options);
  return { ...createProducts(connection), events: createEvents(connection) };
};
