import type { FlightInstance, FlightInstancePage, Problem } from '../../../../generated/flight-info/v2/types.gen.ts';
import { parseStatusMessage } from '../../../../src/feeds/status/read-message.ts';
import { createKey } from '../../../../src/store/access/subscription-keys.ts';
import { createStatusIngester } from '../../../../src/jobs/status/ingest/status-ingester.ts';
import { createTestApp } from '../../../support/test-app.ts';
import { publishText, serveTinyWorld, TEST_KEY, type TinyService } from '../../../support/tiny-world.ts';
import { schedule } from './example-schedule.ts';

/** A flight reference in a feed. */
export type FlightReference = {
  readonly carrier: string;
  readonly flightNumber: number;
  readonly originDate: string;
  readonly departureAirport: string;
  readonly arrivalAirport?: string;
};

/** XX 101 LHR-JFK, 1000Z to 1800Z, also sold as YY 5101. */
export const xx101 = (originDate = '2026-06-01'): FlightReference => ({
  carrier: 'XX',
  flightNumber: 101,
  originDate,
  departureAirport: 'LHR',
  arrivalAirport: 'JFK',
});

/** The legs of XX 301: LHR-JFK, 0700Z to 1500Z, and JFK-LAX, 1700Z to 2300Z. */
export const xx301 = (leg: 1 | 2, originDate = '2026-06-01'): FlightReference => ({
  carrier: 'XX',
  flightNumber: 301,
  originDate,
  departureAirport: leg === 1 ? 'LHR' : 'JFK',
  arrivalAirport: leg === 1 ? 'JFK' : 'LAX',
});

/** The observation time and the members of a status message. */
export type ReportedFacts = readonly [observedAt: string, facts: object];

export type StatusService = TinyService & {
  /** Ingests status messages about a flight like a feed; throws if one is not stored. */
  readonly report: (flight: object, ...update: readonly ReportedFacts[]) => Promise<void>;
  /** Returns the first page of a successful search. */
  readonly getPage: (query: string) => Promise<FlightInstancePage>;
  /** Returns the only match of a search. */
  readonly getOnly: (query: string) => Promise<FlightInstance>;
  /** Returns the errors of a search that is rejected with 400. */
  readonly getErrors: (query: string) => Promise<Problem['errors']>;
  /** Returns the single flight of a match. */
  readonly getSingle: (flight: FlightInstance, query?: string) => Promise<FlightInstance>;
};

const unexpected = (text: string, world: string): Error => new Error(`${world}: ${text}`);

/** Starts a service over the example schedule that accepts status messages; its clock is fixed at 12:00Z of `today`. */
export const serveStatuses = async ({ text = schedule, today = '2026-06-01' } = {}): Promise<StatusService> => {
  const world = await serveTinyWorld({ today });
  await publishText(world.db, text);
  await world.refresh();
  const door = await createStatusIngester(world.db, undefined, () => new Date(`${today}T12:00:00Z`));
  let messages = 0;
  const page = async (query: string): Promise<FlightInstancePage> => {
    const response = await world.get(`/flight-instances?version=v2&${query}`);
    if (response.status !== 200) throw unexpected(await response.text(), query);
    const page: FlightInstancePage = await response.json();
    return page;
  };
  return {
    ...world,
    getPage: page,
    getOnly: async (query) => {
      const { data } = await page(query);
      const [flight, other] = data;
      if (!flight || other) throw unexpected(`${data.length} flights found`, query);
      return flight;
    },
    getErrors: async (query) => {
      const response = await world.get(`/flight-instances?version=v2&${query}`);
      const problem: Problem = await response.json();
      if (response.status !== 400) throw unexpected(`answered ${response.status}`, query);
      return problem.errors;
    },
    getSingle: async ({ departure, scheduleInstanceKey, statusKey }, query = '') => {
      const path = `/flight-instances/${departure.date.local}/${scheduleInstanceKey ?? statusKey}`;
      const response = await world.get(`${path}?version=v2${query}`);
      if (response.status !== 200) throw unexpected(await response.text(), path);
      const flight: FlightInstance = await response.json();
      return flight;
    },
    report: async (flight, ...update) => {
      const read = update.map(([observedAt, facts]) => {
        messages += 1;
        const line = JSON.stringify({
          messageId: `m${String(messages).padStart(4, '0')}`,
          observedAt,
          flight,
          ...facts,
        });
        const one = parseStatusMessage(line);
        if ('rejection' in one) throw unexpected(one.rejection.message, line);
        return one.message;
      });
      const failed = (await door.ingest(read)).find(({ kind }) => kind !== 'stored');
      if (failed) throw unexpected(JSON.stringify(failed), JSON.stringify(flight));
      await world.refresh();
    },
  };
};

/** Formats a flight as `XX101 LHR-JFK 06-01 11:00`. */
export const formatFlight = ({
  carrier,
  flightNumber,
  serviceSuffix = '',
  departure,
  arrival,
}: FlightInstance): string =>
  `${carrier.iata ?? carrier.icao}${flightNumber}${serviceSuffix} ${codeOf(departure)}-${codeOf(arrival)} ${departure.date.local.slice(5)} ${departure.time.local}`;

const codeOf = ({ airport: { iata, icao, faa } }: FlightInstance['departure']): string => iata ?? icao ?? faa ?? '';

/** Lists all pages of a search by following `next`. */
export const listPages = async ({ get }: TinyService, query: string): Promise<readonly FlightInstancePage[]> => {
  const pages: FlightInstancePage[] = [];
  let next: string | undefined = `/flight-instances?version=v2&${query}`;
  while (next !== undefined) {
    const response = await get(next.replace('http://service.test', ''));
    const one: FlightInstancePage = await response.json();
    pages.push(one);
    next = one.paging.next;
  }
  return pages;
};

/** Sends a request to a service with this `publicUrl` over the same store. */
export const requestAs = async (
  { db }: TinyService,
  { path, publicUrl, method = 'GET' }: { readonly path: string; readonly publicUrl?: string; readonly method?: string },
): Promise<Response> => {
  const app = await createTestApp(db, { publicUrl });
  return app(new Request(`http://service.test${path}`, { method, headers: { 'subscription-key': TEST_KEY } }));
};

/** Creates a key whose subscription has map links; returns its header. */
export const createMapKey = async ({ db }: TinyService): Promise<Record<string, string>> => {
  const { key } = await createKey(db, { name: 'with maps', products: ['flight-info'], features: ['map'] });
  return { 'subscription-key': key };
};
