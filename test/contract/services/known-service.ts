import { toList, isJsonObject, toJsonObject, type OpenApiOperation } from '#lib/openapi-document.ts';
import { serveConnections } from '#test/products/connections/v1/connections-service.ts';
import { serveMasterData } from '#test/products/master-data/v1/master-data-service.ts';
import { TEST_KEY, type TinyService } from '#test/support/tiny-world.ts';
import { serveCoveredWorld } from '../coverage/covered-service.ts';
import { toRequestPath, withParameter } from '../responses/envelope.ts';
import type { StatusService } from '#test/products/flight-info/v2/status-service.ts';
import { serveKnownAlerts, type KnownAlertsService } from './known-alerts.ts';
import type { SendRequest } from '../responses/check-response.ts';
import type { ParameterValues, KnownData } from '../random/valid-requests.ts';
import { listParameters } from '../random/parameter-values.ts';
import { isList, servedDocuments, type ServedDocument } from './served-documents.ts';

const WORLD_DAYS = '2026-06-01/2026-06-03';

/** Queries that match all records of lists with required filters. */
const queriesForAll: Readonly<Record<string, string>> = {
  '/flight-connections': 'ViaPoint=LHR,LGW,JFK,CDG,SIN&MaxConnectingTime=1440',
};

export type KnownService = {
  readonly worlds: {
    readonly flights: StatusService;
    readonly masterData: TinyService;
    readonly connections: TinyService;
    readonly alerts: KnownAlertsService;
  };
  readonly on: (served: ServedDocument) => SendRequest;
  readonly findKnownData: (served: ServedDocument, operation: OpenApiOperation) => Promise<KnownData>;
  /** Returns the path of a list with all records, without `Limit`. */
  readonly wholeList: (served: ServedDocument, operation: OpenApiOperation) => Promise<string>;
  readonly drop: () => Promise<void>;
};

/** The records and cursors of the lists of a version, by path. */
type ListContents = Pick<KnownData, 'pool' | 'records'> & {
  readonly cursors: ReadonlyMap<string, readonly string[]>;
  readonly data: readonly unknown[];
};

/** Returns the parameters that explain a connection of a list. */
const toExplainParameters = (connection: unknown): ParameterValues => {
  const { leg1, leg2, effectivePeriod } = toJsonObject(connection);
  const texts = (value: unknown): readonly string[] => (value === undefined ? [] : leaves(value));
  const named = [leg1, leg2].flatMap((leg, index) => {
    const { carrierCode, flightNumber, serviceSuffix } = toJsonObject(leg);
    return [
      [`Leg${index + 1}CarrierCode`, texts(toJsonObject(carrierCode)['iata'])],
      [`Leg${index + 1}FlightNumber`, texts(flightNumber)],
      [`Leg${index + 1}ServiceSuffix`, texts(serviceSuffix)],
    ] as const;
  });
  const all = [...named, ['DepartureDate', texts(toJsonObject(effectivePeriod)['startDate'])] as const];
  return Object.fromEntries(all.filter(([, values]) => values.length > 0));
};

const leaves = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(leaves);
  return isJsonObject(value) ? Object.values(value).flatMap(leaves) : [String(value)];
};

const headers = { 'subscription-key': TEST_KEY };
const get = { method: 'GET', headers };

const versioned = ({ version }: ServedDocument, path: string): string => withParameter(path, 'version', version);

const fillPath = ({ contract }: ServedDocument, operation: OpenApiOperation): string => {
  const examples = new Map(listParameters(contract, operation).map((one) => [one.name, one.examples[0]]));
  return operation.path.replaceAll(/\{(.+?)\}/g, (_, name: string) => examples.get(name) ?? '');
};

const findRequired = async (send: SendRequest, served: ServedDocument, { path }: OpenApiOperation) => {
  const response = await send(versioned(served, path), get);
  const body: unknown = await response.json();
  // A rule of several parameters has an empty name.
  return response.status === 400
    ? Object.keys(toJsonObject(toJsonObject(body)['errors'])).filter((name) => name !== '')
    : [];
};

/** Starts the services of flights, master data, connections and alerts; call `drop` at the end. */
export const serveKnownData = async (): Promise<KnownService> => {
  const [flights, masterData, connections, alerts] = await Promise.all([
    serveCoveredWorld(),
    serveMasterData(),
    serveConnections(),
    serveKnownAlerts(),
  ]);
  const worlds: Readonly<Record<string, { readonly send: SendRequest; readonly setToday: TinyService['setToday'] }>> = {
    'master-data': masterData,
    connections,
    'status-feed': {
      setToday: flights.setToday,
      // Requests are generated with one Idempotency-Key.
      send: async (path, { isFollowUp, ...init }) => {
        if (isFollowUp !== true) await flights.db`delete from idempotency_key`;
        return flights.send(path, init);
      },
    },
    'flight-info-alerts': { setToday: alerts.setToday, send: alerts.sendRestored },
  };
  const on = ({ name, day }: ServedDocument): SendRequest => {
    const world = worlds[name.split('/')[0] ?? ''] ?? flights;
    return (path, init) => {
      world.setToday(day);
      return world.send(path, init);
    };
  };
  const isOfAlerts = ({ name }: ServedDocument): boolean => name.startsWith('flight-info-alerts/');
  const needed = (served: ServedDocument, operation: OpenApiOperation): Promise<readonly string[]> =>
    operation.path.includes('{') ? Promise.resolve([]) : findRequired(on(served), served, operation);
  const wholeList = async (served: ServedDocument, operation: OpenApiOperation): Promise<string> => {
    const query = queriesForAll[operation.path];
    if (query !== undefined) return versioned(served, `${operation.path}?${query}`);
    const [name] = await needed(served, operation);
    const path = versioned(served, fillPath(served, operation));
    return name === undefined ? path : withParameter(path, name, WORLD_DAYS);
  };
  const cache = new Map<string, ListContents>();
  const readContents = async (served: ServedDocument): Promise<ListContents> => {
    const cached = cache.get(served.name);
    if (cached) return cached;
    const cursors = new Map<string, string[]>();
    const records: (readonly string[])[] = isOfAlerts(served) ? [...alerts.records] : [];
    const allData: unknown[] = [];
    for (const operation of served.contract.operations().filter((one) => isList(served, one))) {
      for (const limit of [1, 1000]) {
        const response = await on(served)(withParameter(await wholeList(served, operation), 'Limit', limit), get);
        const { data, paging }: { data: unknown; paging: { next?: string } } = await response.json();
        for (const record of toList(data)) records.push(leaves(record));
        allData.push(...toList(data));
        const after =
          paging.next === undefined ? [] : [...new URLSearchParams(toRequestPath(paging.next).split('?')[1])].at(-1);
        if (after?.[1] !== undefined) cursors.set(operation.path, [after[1]]);
      }
    }
    const contents = { pool: [...new Set(records.flat())], records, cursors, data: allData };
    cache.set(served.name, contents);
    return contents;
  };
  return {
    worlds: { flights, masterData, connections, alerts },
    on,
    wholeList,
    findKnownData: async (served, operation) => {
      const { pool, records, cursors, data } = await readContents(served);
      const others: string[] = [];
      for (const other of servedDocuments)
        for (const [path, cursors] of (await readContents(other)).cursors)
          if (other !== served || path !== operation.path) others.push(...cursors);
      return {
        key: TEST_KEY,
        needed: await needed(served, operation),
        pool,
        records,
        objects: isOfAlerts(served) ? alerts.objects : new Map(),
        together: operation.path.endsWith('/explain') ? data.map(toExplainParameters) : [],
        cursors: { own: cursors.get(operation.path) ?? [], others },
      };
    },
    drop: async () => {
      for (const { drop } of [flights, masterData, connections, alerts]) await drop();
    },
  };
};
