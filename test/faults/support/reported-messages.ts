import { z } from 'zod';
import type { Database } from '#store/pool/database.ts';
import { buildFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import type { RandomDraw } from './random-draw.ts';

/** XX 1000 to XX 1299 LHR-JFK, 1 to 3 June 2026. */
const numbers = Array.from({ length: 300 }, (_, index) => 1000 + index);
export const reportedSchedule = buildFile(
  ...numbers.map((number) => buildLeg({ 6: String(number), 15: '01JUN26', 22: '03JUN26' })),
);

/** Flights that no schedule has; messages with a plan create those with odd numbers. */
const unknownNumbers = Array.from({ length: 20 }, (_, index) => 9000 + index);

/** A line of a feed and the key of its message, without its sender; a line that cannot be read has none. */
export type KeyedLine = { readonly key: string | undefined; readonly text: string };

const firstSecond = Date.UTC(2026, 5, 1, 6) / 1000;
const formatSecond = (second: number): string => new Date((firstSecond + second) * 1000).toISOString();

const pick = <T>(values: readonly T[], index: number): T => {
  const value = values[index % values.length];
  if (value === undefined) throw new Error('no values');
  return value;
};

/**
 * Draws a status message. IDs repeat: with the same content, with another content about the same flight, and about other flights. The content
 * follows from the key, so that messages of one key are equal but for the order of their members.
 */
export const drawStatusLine = (draw: RandomDraw, ids: number): KeyedLine => {
  const id = draw(ids);
  const [source, variant] = [pick(['feed', 'ops'], draw(2)), 1 + Number(draw(4) === 0)];
  const flight = draw(5) === 0 ? draw(numbers.length * 3) : id;
  const number = draw(12) === 0 ? pick(unknownNumbers, flight) : pick(numbers, flight);
  const day = 1 + (flight % 3);
  const label = `${number}.${day}`;
  if (draw(40) === 0) return { key: undefined, text: `{"messageId":"m${id}","observedAt":` };
  const reference = { carrier: 'XX', flightNumber: number, originDate: `2026-06-0${day}`, departureAirport: 'LHR' };
  const plan = {
    flightType: 'Unscheduled',
    departs: { airport: 'LHR', at: `2026-06-0${day}T15:00:00Z` },
    arrives: { airport: 'JFK' },
  };
  const describes = number >= 9000 && number % 2 === 1 && id % 20 === 0;
  const members = {
    messageId: `m${id}`,
    source,
    observedAt: formatSecond(id + variant),
    flight: { ...reference, arrivalAirport: 'JFK' },
    departure: { terminal: label, gate: String(variant) },
    ...(describes && { plan }),
  };
  const entries = Object.entries(members);
  const text = JSON.stringify(draw(2) === 0 ? members : Object.fromEntries(entries.toReversed()));
  return { key: `${source}|m${id}|${label}|${variant}`, text };
};

/** Draws a movement telegram, with or without a time of its own; the estimate is one of three. */
export const drawTelegram = (draw: RandomDraw): string => {
  const number = draw(10) === 0 ? pick(unknownNumbers, draw(20)) : pick(numbers, draw(numbers.length));
  const day = `0${1 + draw(3)}`;
  const header = draw(2) === 0 ? `.LHROWXX 0${1 + draw(3)}${10 + draw(13)}${10 + draw(50)}\n` : '';
  return `${header}MVT\nXX${number}/${day}.GXXAB.LHR\nEA${day}18${pick(['10', '20', '30'], draw(3))} JFK\n\n`;
};

/** Draws an AIDX document of up to four legs, with or without a time of its own. */
export const drawDocument = (draw: RandomDraw): string => {
  const drawLeg = (): string => {
    const number = draw(10) === 0 ? pick(unknownNumbers, draw(20)) : pick(numbers, draw(numbers.length));
    return `<FlightLeg><LegIdentifier><Airline>XX</Airline><FlightNumber>${number}</FlightNumber><DepartureAirport>LHR</DepartureAirport>
<ArrivalAirport>JFK</ArrivalAirport><OriginDate>2026-06-0${1 + draw(3)}</OriginDate></LegIdentifier><LegData><AirportResources Usage="Actual">
<Resource DepartureOrArrival="Arrival"><PassengerGate>${draw(3)}</PassengerGate></Resource></AirportResources></LegData></FlightLeg>`;
  };
  const time = draw(2) === 0 ? ` TimeStamp="${formatSecond(draw(200_000))}"` : '';
  const legs = Array.from({ length: 1 + draw(4) }, drawLeg).join('\n');
  return `<IATA_AIDX_FlightLegNotifRQ xmlns="http://www.iata.org/IATA/2007/00" Version="22.1"${time}>${legs}</IATA_AIDX_FlightLegNotifRQ>`;
};

/** What a report says of a message. A stream does not distinguish stored messages from duplicates. */
export type ReportedResult = 'stored' | 'duplicate' | 'quarantined' | 'conflict' | 'rejected';

/** What the reports of all senders say: of each message, whether it is in the database. */
export class ReportLedger {
  readonly results = new Map<string, number>();
  readonly #present = new Set<string>();
  readonly #absent = new Set<string>();

  record(sender: number, key: string | undefined, result: ReportedResult): void {
    this.results.set(result, (this.results.get(result) ?? 0) + 1);
    if ((key === undefined) !== (result === 'rejected'))
      throw new Error(`${key ?? 'an unreadable line'} was ${result}`);
    if (key !== undefined) (result === 'conflict' ? this.#absent : this.#present).add(`${sender}|${key}`);
  }

  get size(): number {
    return [...this.results.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Compares the reports with the database. Messages whose report was lost may be stored: `extra` is final only when all were sent again. */
  async compare(
    db: Database,
  ): Promise<{ lost: readonly string[]; extra: readonly string[]; unreported: readonly string[] }> {
    const [reported, absent] = [[...this.#present], [...this.#absent]];
    const { messages, quarantined } = await readStoredKeys(db);
    const received = Map.groupBy([...messages].filter(isReceived), (key) => splitReceived(key).id);
    const isRepeated = (key: string): boolean =>
      isReceived(key) && (received.get(splitReceived(key).id) ?? []).some((other) => isWithinTwoMinutes(key, other));
    return {
      // A telegram from quarantine that was received again within two minutes is the one that is stored.
      lost: reported.filter((key) => !messages.has(key) && !quarantined.has(key) && !isRepeated(key)),
      /** Reported as a conflict, and stored with the flight all the same. */
      extra: absent.filter((key) => messages.has(key)),
      unreported: [...messages, ...quarantined].filter((key) => !this.#present.has(key)),
    };
  }
}

/** Whether a message is named by the time of its receipt. */
const isReceived = (key: string): boolean => /^\d+\|(?:mvt|aidx)\|.*@/.test(key);
const splitReceived = (key: string): { readonly id: string; readonly at: number } => {
  const [id = '', at = ''] = key.split('@');
  return { id, at: Date.parse(at) };
};
const isWithinTwoMinutes = (one: string, other: string): boolean =>
  Math.abs(splitReceived(one).at - splitReceived(other).at) < 120_000;

const factsSchema = z.object({
  facts: z.object({ departureTerminal: z.string().optional(), departureGate: z.string().optional() }),
});

/** Of status messages, the key contains what was sent; the IDs of telegrams and AIDX are computed from that. */
const toKey = (row: { sender: number; source: string; id: string; content: string }): string => {
  if (row.source === 'mvt' || row.source === 'aidx') return `${row.sender}|${row.source}|${row.id}`;
  const { departureTerminal, departureGate } = factsSchema.parse(JSON.parse(row.content)).facts;
  return `${row.sender}|${row.source}|${row.id}|${departureTerminal}|${departureGate}`;
};

const readStoredKeys = async (db: Database) => {
  type Row = { sender: number; source: string; id: string; content: string };
  const messages = await db<Row[]>`select sender, source, id, told as content from status_message`;
  const quarantined = await db<Row[]>`select sender, source, id, message as content from status_quarantine`;
  return { messages: new Set(messages.map(toKey)), quarantined: new Set(quarantined.map(toKey)) };
};
