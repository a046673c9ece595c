import { Readable } from 'node:stream';
import { localDate } from '#domain/time/dates.ts';
import {
  createAidxReader,
  createStatusReader,
  createTelegramReader,
  type FeedItem,
  type FeedReader,
} from '#jobs/status/ingest/feed-readers.ts';
import { createIngester } from '#jobs/status/ingest/status-ingester.ts';
import type { Database } from '#store/pool/database.ts';
import { createRandomNumbers } from '#test/domain/status/random-messages.ts';
import { publishText } from '#test/support/tiny-world.ts';
import { deleteStatuses } from '../messages.ts';
import { createMessage, type SentMessage } from './random-message.ts';
import { buildScheduleFile, createWorld } from './schedule-model.ts';

/** How many messages had which end. */
export type IdentificationCounts = {
  worlds: number;
  messages: number;
  found: number;
  quarantined: Record<string, number>;
  /** Telegrams that are not read, for example because their times are too far from the date. */
  unread: number;
  /** Messages with a flight that their sender does not mean. */
  wrong: string[];
  /** Messages with another end than the pages say. */
  unexpected: string[];
};

/** Worlds of one schedule file; each has a number of its own. */
const WORLDS_A_FILE = 100;
const MESSAGES_A_WORLD = 8;

const clock = (): Date => new Date('2026-06-20T00:00:00Z');

const read = async (reader: FeedReader, text: string) => {
  const items: readonly FeedItem[] = await Readable.from(reader(Readable.from([Buffer.from(text)]))).toArray();
  return items.flatMap(({ message }) => message ?? []);
};

const root = 'IATA_AIDX_FlightLegNotifRQ';
const openRoot = `<${root} xmlns="http://www.iata.org/IATA/2007/00" TimeStamp="2026-06-19T00:00:00Z" Version="22.1">`;

/** Reads messages as they are received. */
const readMessages = async (sent: readonly SentMessage[]) => {
  const textsOf = (door: SentMessage['door']): readonly string[] =>
    sent.filter((one) => one.door === door).map(({ text }) => text);
  return [
    ...(await read(createStatusReader(clock), textsOf('status').join('\n'))),
    ...(await read(createAidxReader(clock), `${openRoot}${textsOf('aidx').join('')}</${root}>`)),
    ...(await read(createTelegramReader(clock), `${textsOf('mvt').join('\n\n')}\n\n`)),
  ];
};

/** Returns the names of the legs that have messages, by the IDs of these. */
const listPlaces = async (db: Database): Promise<ReadonlyMap<string, string>> => {
  const rows = await db<{ id: string; name: string }[]>`
    select m.id, i.flight_number || coalesce(i.doc::json ->> 'serviceSuffix', '') || ' ' || a.iata || '-' || b.iata || ' '
      || to_char(i.departs_at, 'YYYY-MM-DD HH24MI') as name
    from status_message m
    join flight_instance i on i.status_order = m.status_order and i.departs_at::date = m.departs_on
    join location a on a.id = i.departure join location b on b.id = i.arrival`;
  return new Map(rows.map(({ id, name }) => [id, name]));
};

const count = (counts: IdentificationCounts, sent: SentMessage, result: string): void => {
  const { meant, expected, isJudged, text, door } = sent;
  const isReason = !/ /.test(result);
  const describe = (): string =>
    `${door} ${text} -> ${result}; meant ${meant?.name ?? 'none'}; expected ${expected?.join(' or ')}`;
  if (isReason) counts.quarantined[result] = (counts.quarantined[result] ?? 0) + 1;
  else if (result === meant?.name) counts.found += 1;
  else if (isJudged) counts.wrong.push(describe());
  if (expected && !expected.includes(result)) counts.unexpected.push(describe());
};

const runFile = async (db: Database, seed: number, worlds: number, counts: IdentificationCounts): Promise<void> => {
  const random = createRandomNumbers(seed);
  const all = Array.from({ length: worlds }, (_, index) => createWorld(random, index + 1));
  await deleteStatuses(db);
  await publishText(db, buildScheduleFile(all), { today: localDate('2026-06-01'), horizonDays: 20 });
  const ingester = await createIngester(db, { clock });
  const results = new Map<string, string>();
  const sent: SentMessage[] = [];
  for (let round = 0; round < MESSAGES_A_WORLD; round += 1) {
    const messages = all.map((world) =>
      createMessage(random, world, `R${round}${String(world.number).padStart(5, '0')}`),
    );
    sent.push(...messages);
    const parsed = await readMessages(messages);
    const outcomes = await ingester.ingest(parsed);
    outcomes.forEach((outcome, index) => {
      const message = parsed[index];
      const registration = message?.facts.registration;
      if (!message || typeof registration !== 'string') throw new Error('a message without its registration');
      results.set(registration, outcome.kind === 'quarantined' ? outcome.reason : `id:${message.id}`);
    });
  }
  const places = await listPlaces(db);
  counts.worlds += worlds;
  counts.messages += sent.length;
  for (const one of sent) {
    const result = results.get(one.registration);
    if (result === undefined) counts.unread += 1;
    else count(counts, one, result.startsWith('id:') ? (places.get(result.slice(3)) ?? 'lost') : result);
  }
};

/** Sends messages of random worlds through the readers of all doors, and counts what became of them. */
export const runWorlds = async (db: Database, { seed, worlds }: { readonly seed: number; readonly worlds: number }) => {
  const counts: IdentificationCounts = {
    worlds: 0,
    messages: 0,
    found: 0,
    quarantined: {},
    unread: 0,
    wrong: [],
    unexpected: [],
  };
  for (let done = 0; done < worlds; done += WORLDS_A_FILE)
    await runFile(db, seed + done, Math.min(WORLDS_A_FILE, worlds - done), counts);
  return counts;
};
