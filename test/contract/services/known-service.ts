import { toList, isJsonObject, toJsonObject, type OpenApiOperation } from '../../../src/lib/openapi-document.ts';
import { serveConnections } from '../../products/connections/v1/connections-service.ts';
import { serveMasterData } from '../../products/master-data/v1/master-data-service.ts';
import { TEST_KEY, type TinyService } from '../../support/tiny-world.ts';
import { serveCoveredWorld } from '../coverage/covered-service.ts';
import { toRequestPath, withParameter } from '../responses/envelope.ts';
import { serveKnownAlerts } from './known-alerts.ts';
import type { SendRequest } from '../responses/check-response.ts';
import type { ParameterValues, KnownData } from '../random/valid-requests.ts';
import { toParameter } from '../random/parameter-values.ts';
import { isList, servedDocuments, type ServedDocument } from './served-documents.ts';

/** All days of its schedule. */
const WORLD_DAYS = '2026-06-01/2026-06-03';

/** What finds everything where a list wants to be told a place. */
const wholeQuestions: Readonly<Record<string, string>> = {
  '/flight-connections': 'ViaPoint=LHR,LGW,JFK,CDG,SIN&MaxConnectingTime=1440',
};

/** A service over worlds with something of everything, and how to ask it on the day of a version. */
export type KnownService = {
  readonly on: (served: ServedDocument) => SendRequest;
  readonly knownOf: (served: ServedDocument, operation: OpenApiOperation) => Promise<KnownData>;
  /** A question of a list that finds everything, without a limit. */
  readonly wholeList: (served: ServedDocument, operation: OpenApiOperation) => Promise<string>;
  readonly drop: () => Promise<void>;
};

/** What the lists of a version show, and the cursors that they give out, by their paths. */
type Found = Pick<KnownData, 'pool' | 'records'> & {
  readonly cursors: ReadonlyMap<string, readonly string[]>;
  readonly data: readonly unknown[];
};

/** The question that explains a connection which a list shows. */
const explaining = (connection: unknown): ParameterValues => {
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

/** The path of an operation with the examples of the document in it. */
const exampleOf = ({ contract }: ServedDocument, { path, parameters }: OpenApiOperation): string => {
  const declared = parameters.map((one) => toParameter(contract.document, one));
  return path.replaceAll(
    /\{(.+?)\}/g,
    (_, name: string) => declared.find((one) => one.name === name)?.examples[0] ?? '',
  );
};

const neededBy = async (
  ask: SendRequest,
  served: ServedDocument,
  { path }: OpenApiOperation,
): Promise<readonly string[]> => {
  const response = await ask(versioned(served, path), get);
  const body: unknown = await response.json();
  // A rule that concerns several parameters together names none of them.
  return response.status === 400
    ? Object.keys(toJsonObject(toJsonObject(body)['errors'])).filter((name) => name !== '')
    : [];
};

/** Opens the worlds: of flights, of the places and companies they are told in, of connections and of alerts; drop them in the end. */
export const serveKnownData = async (): Promise<KnownService> => {
  const [flights, places, connections, alerts] = await Promise.all([
    serveCoveredWorld(),
    serveMasterData(),
    serveConnections(),
    serveKnownAlerts(),
  ]);
  const worlds: Readonly<Record<string, { readonly send: SendRequest; readonly setToday: TinyService['setToday'] }>> = {
    'master-data': places,
    connections,
    'flight-info-alerts': { setToday: alerts.setToday, send: alerts.askAfresh },
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
    operation.path.includes('{') ? Promise.resolve([]) : neededBy(on(served), served, operation);
  const wholeList = async (served: ServedDocument, operation: OpenApiOperation): Promise<string> => {
    const question = wholeQuestions[operation.path];
    if (question !== undefined) return versioned(served, `${operation.path}?${question}`);
    const [name] = await needed(served, operation);
    const path = versioned(served, exampleOf(served, operation));
    return name === undefined ? path : withParameter(path, name, WORLD_DAYS);
  };
  const pools = new Map<string, Found>();
  const poolOf = async (served: ServedDocument): Promise<Found> => {
    const kept = pools.get(served.name);
    if (kept) return kept;
    const cursors = new Map<string, string[]>();
    const records: (readonly string[])[] = isOfAlerts(served) ? [...alerts.records] : [];
    const shown: unknown[] = [];
    for (const operation of served.contract.operations().filter((one) => isList(served, one))) {
      for (const limit of [1, 1000]) {
        const response = await on(served)(withParameter(await wholeList(served, operation), 'Limit', limit), get);
        const { data, paging }: { data: unknown; paging: { next?: string } } = await response.json();
        for (const record of toList(data)) records.push(leaves(record));
        shown.push(...toList(data));
        const after =
          paging.next === undefined ? [] : [...new URLSearchParams(toRequestPath(paging.next).split('?')[1])].at(-1);
        if (after?.[1] !== undefined) cursors.set(operation.path, [after[1]]);
      }
    }
    const found = { pool: [...new Set(records.flat())], records, cursors, data: shown };
    pools.set(served.name, found);
    return found;
  };
  return {
    on,
    wholeList,
    knownOf: async (served, operation) => {
      const { pool, records, cursors, data } = await poolOf(served);
      const others: string[] = [];
      for (const other of servedDocuments)
        for (const [path, found] of (await poolOf(other)).cursors)
          if (other !== served || path !== operation.path) others.push(...found);
      return {
        key: TEST_KEY,
        needed: await needed(served, operation),
        pool,
        records,
        objects: isOfAlerts(served) ? alerts.objects : new Map(),
        together: operation.path.endsWith('/explain') ? data.map(explaining) : [],
        cursors: { own: cursors.get(operation.path) ?? [], others },
      };
    },
    drop: async () => {
      for (const { drop } of [flights, places, connections, alerts]) await drop();
    },
  };
};
