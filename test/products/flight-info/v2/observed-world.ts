import type { FlightInstance, FlightInstancePage, Problem } from '../../../../generated/flight-info/v2/types.gen.ts';
import { parseStatusMessage } from '../../../../src/feeds/status/read-message.ts';
import { createKey } from '../../../../src/store/access/subscription-keys.ts';
import { openStatusDoor } from '../../../../src/jobs/status/ingest/status-ingester.ts';
import { createTestApp } from '../../../support/test-app.ts';
import { publishText, serveTinyWorld, TEST_KEY, type TinyService } from '../../../support/tiny-world.ts';
import { schedule } from './world.ts';

/** A flight as a feed names it. */
export type Named = {
  readonly carrier: string;
  readonly flightNumber: number;
  readonly originDate: string;
  readonly departureAirport: string;
  readonly arrivalAirport?: string;
};

/** XX 101 LHR-JFK, 1000Z to 1800Z, also sold as YY 5101. */
export const xx101 = (originDate = '2026-06-01'): Named => ({
  carrier: 'XX',
  flightNumber: 101,
  originDate,
  departureAirport: 'LHR',
  arrivalAirport: 'JFK',
});

/** The legs of XX 301: LHR-JFK, 0700Z to 1500Z, and JFK-LAX, 1700Z to 2300Z. */
export const xx301 = (leg: 1 | 2, originDate = '2026-06-01'): Named => ({
  carrier: 'XX',
  flightNumber: 301,
  originDate,
  departureAirport: leg === 1 ? 'LHR' : 'JFK',
  arrivalAirport: leg === 1 ? 'JFK' : 'LAX',
});

/** When a source knew something, and the members of the status message that say it. */
export type Said = readonly [observedAt: string, facts: object];

export type Observed = TinyService & {
  /** Takes messages about a flight in as a feed does; throws where one is not stored. */
  readonly tell: (flight: object, ...said: readonly Said[]) => Promise<void>;
  /** The answer of a search that succeeds. */
  readonly page: (query: string) => Promise<FlightInstancePage>;
  /** The only flight that a search finds. */
  readonly only: (query: string) => Promise<FlightInstance>;
  /** The errors of a search that is refused with 400. */
  readonly refusal: (query: string) => Promise<Problem['errors']>;
  /** The full record of a flight that a search found. */
  readonly single: (flight: FlightInstance, query?: string) => Promise<FlightInstance>;
};

const refused = (text: string, world: string): Error => new Error(`${world}: ${text}`);

/** A service over the schedule of these tests in which flights can be observed; its clock stands at 2026-06-01T12:00Z unless told otherwise. */
export const serveObserved = async ({ text = schedule, today = '2026-06-01' } = {}): Promise<Observed> => {
  const world = await serveTinyWorld({ today });
  await publishText(world.db, text);
  await world.refresh();
  const door = await openStatusDoor(world.db, undefined, () => new Date(`${today}T12:00:00Z`));
  let messages = 0;
  const page = async (query: string): Promise<FlightInstancePage> => {
    const response = await world.get(`/flight-instances?version=v2&${query}`);
    if (response.status !== 200) throw refused(await response.text(), query);
    const found: FlightInstancePage = await response.json();
    return found;
  };
  return {
    ...world,
    page,
    only: async (query) => {
      const { data } = await page(query);
      const [flight, other] = data;
      if (!flight || other) throw refused(`${data.length} flights found`, query);
      return flight;
    },
    refusal: async (query) => {
      const response = await world.get(`/flight-instances?version=v2&${query}`);
      const problem: Problem = await response.json();
      if (response.status !== 400) throw refused(`answered ${response.status}`, query);
      return problem.errors;
    },
    single: async ({ departure, scheduleInstanceKey, statusKey }, query = '') => {
      const path = `/flight-instances/${departure.date.local}/${scheduleInstanceKey ?? statusKey}`;
      const response = await world.get(`${path}?version=v2${query}`);
      if (response.status !== 200) throw refused(await response.text(), path);
      const found: FlightInstance = await response.json();
      return found;
    },
    tell: async (flight, ...said) => {
      const read = said.map(([observedAt, facts]) => {
        messages += 1;
        const line = JSON.stringify({
          messageId: `m${String(messages).padStart(4, '0')}`,
          observedAt,
          flight,
          ...facts,
        });
        const one = parseStatusMessage(line);
        if ('refusal' in one) throw refused(one.refusal.message, line);
        return one.message;
      });
      const lost = (await door.take(read)).find(({ kind }) => kind !== 'stored');
      if (lost) throw refused(JSON.stringify(lost), JSON.stringify(flight));
      await world.refresh();
    },
  };
};

/** `XX101 LHR-JFK 06-01 11:00`. */
export const nameOf = ({ carrier, flightNumber, serviceSuffix = '', departure, arrival }: FlightInstance): string =>
  `${carrier.iata ?? carrier.icao}${flightNumber}${serviceSuffix} ${codeOf(departure)}-${codeOf(arrival)} ${departure.date.local.slice(5)} ${departure.time.local}`;

const codeOf = ({ airport: { iata, icao, faa } }: FlightInstance['departure']): string => iata ?? icao ?? faa ?? '';

/** Every page of a search, from the first on, as the links between them lead. */
export const walk = async ({ get }: TinyService, query: string): Promise<readonly FlightInstancePage[]> => {
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

/** The service over a world's store as it is for one who reaches it under `publicUrl`, with any method. */
export const askAs = async (
  { db }: TinyService,
  { path, publicUrl, method = 'GET' }: { readonly path: string; readonly publicUrl?: string; readonly method?: string },
): Promise<Response> => {
  const app = await createTestApp(db, { publicUrl });
  return app(new Request(`http://service.test${path}`, { method, headers: { 'subscription-key': TEST_KEY } }));
};

/** The header of a new key whose subscription has maps. */
export const mapKey = async ({ db }: TinyService): Promise<Record<string, string>> => {
  const { key } = await createKey(db, { name: 'with maps', products: ['flight-info'], features: ['map'] });
  return { 'subscription-key': key };
};
