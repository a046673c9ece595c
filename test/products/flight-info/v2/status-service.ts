import type { FlightInstance, FlightInstancePage } from '#generated/flight-info/v2/types.gen.ts';
import { parseStatusMessage } from '#feeds/status/read-message.ts';
import type { StaticFile } from '#http/static/static-files.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { createStatusIngester } from '#jobs/status/ingest/status-ingester.ts';
import { publishText, serveTinyWorld, type TinyService } from '#test/support/tiny-world.ts';
import { getErrors, getJson, listPages } from '#test/products/responses.ts';
import { schedule } from './example-schedule.ts';

/** A flight reference in a feed. */
export type FlightReference = {
  readonly carrier: string;
  readonly flightNumber: number;
  readonly suffix?: string;
  readonly originDate: string;
  readonly departureAirport: string;
  readonly arrivalAirport?: string;
};

const createReference =
  (flightNumber: number, departureAirport: string, arrivalAirport: string) =>
  (originDate = '2026-06-01'): FlightReference => ({
    carrier: 'XX',
    flightNumber,
    originDate,
    departureAirport,
    arrivalAirport,
  });

/** XX 101 LHR-JFK, 1000Z to 1800Z, also sold as YY 5101. */
export const xx101 = createReference(101, 'LHR', 'JFK');

/** The legs of XX 301: LHR-JFK, 0700Z to 1500Z, and JFK-LAX, 1700Z to 2300Z. */
export const xx301 = (leg: 1 | 2, originDate?: string): FlightReference =>
  (leg === 1 ? createReference(301, 'LHR', 'JFK') : createReference(301, 'JFK', 'LAX'))(originDate);

/** XX 502A LHR-CDG, 1000Z to 1115Z. */
export const xx502 = (originDate?: string): FlightReference => ({
  ...createReference(502, 'LHR', 'CDG')(originDate),
  suffix: 'A',
});

/** The observation time and the members of a status message. */
export type ReportedFacts = readonly [observedAt: string, facts: object];

export type StatusService = TinyService & {
  /** Ingests status messages about a flight like a feed; throws if one is not stored. */
  readonly report: (flight: object, ...update: readonly ReportedFacts[]) => Promise<void>;
  readonly getPage: (query: string) => Promise<FlightInstancePage>;
  /** Returns the only match of a search. */
  readonly getOnly: (query: string) => Promise<FlightInstance>;
  /** Returns the errors of a search that is rejected with 400. */
  readonly getErrors: (query: string) => ReturnType<typeof getErrors>;
  /** Returns the single flight of a match. */
  readonly getSingle: (flight: FlightInstance, query?: string) => Promise<FlightInstance>;
};

const unexpected = (text: string, world: string): Error => new Error(`${world}: ${text}`);

/** Starts a service over the example schedule that accepts status messages; its clock is fixed at 12:00Z of `today`. */
export const serveStatuses = async ({
  text = schedule,
  today = '2026-06-01',
  published,
}: {
  readonly text?: string;
  readonly today?: string;
  readonly published?: readonly StaticFile[];
} = {}): Promise<StatusService> => {
  const world = await serveTinyWorld({ today, published });
  await publishText(world.db, text);
  await world.refresh();
  const createIngester = () => createStatusIngester(world.db, undefined, () => new Date(`${today}T12:00:00Z`));
  let ingester = await createIngester();
  const refresh = async (): Promise<void> => {
    await world.refresh();
    ingester = await createIngester();
  };
  let messages = 0;
  const listPath = (query: string): string => `/flight-instances?version=v2&${query}`;
  const getPage = (query: string): Promise<FlightInstancePage> => getJson(world, listPath(query));
  return {
    ...world,
    refresh,
    getPage,
    getOnly: async (query) => {
      const { data } = await getPage(query);
      const [flight, other] = data;
      if (!flight || other) throw unexpected(`${data.length} flights found`, query);
      return flight;
    },
    getErrors: (query) => getErrors(world, listPath(query)),
    getSingle: async ({ departure, scheduleInstanceKey, statusKey }, query = '') => {
      const path = `/flight-instances/${departure.date.local}/${scheduleInstanceKey ?? statusKey}`;
      return getJson(world, `${path}?version=v2${query}`);
    },
    report: async (flight, ...update) => {
      const read = update.map(([observedAt, facts]) => {
        messages += 1;
        const messageId = `m${String(messages).padStart(4, '0')}`;
        const line = JSON.stringify({ messageId, observedAt, flight, ...facts });
        const one = parseStatusMessage(line);
        if ('rejection' in one) throw unexpected(one.rejection.message, line);
        return one.message;
      });
      const failed = (await ingester.ingest(read)).find(({ kind }) => kind !== 'stored');
      if (failed) throw unexpected(JSON.stringify(failed), JSON.stringify(flight));
      await world.refresh();
    },
  };
};

const codeOf = ({ airport: { iata, icao, faa } }: FlightInstance['departure']): string => iata ?? icao ?? faa ?? '';

/** Formats a flight as `XX101 LHR-JFK 06-01 11:00`. */
export const formatFlight = (flight: FlightInstance): string => {
  const { carrier, flightNumber, serviceSuffix = '', departure, arrival } = flight;
  const name = `${carrier.iata ?? carrier.icao}${flightNumber}${serviceSuffix}`;
  return `${name} ${codeOf(departure)}-${codeOf(arrival)} ${departure.date.local.slice(5)} ${departure.time.local}`;
};

/** Lists all pages of a search by following `next`. */
export const listFlightPages = (world: TinyService, query: string): Promise<readonly FlightInstancePage[]> =>
  listPages(world, `/flight-instances?version=v2&${query}`);

/** Creates a key whose subscription has map links; returns its header. */
export const createMapKey = async ({ db }: TinyService): Promise<Record<string, string>> => {
  const { key } = await createKey(db, { name: 'with maps', products: ['flight-info'], features: ['map'] });
  return { 'subscription-key': key };
};
