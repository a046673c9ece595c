import type { MctFile } from '#domain/connections/mct/mct-record.ts';
import { localDate } from '#domain/time/dates.ts';
import { parseStatusMessage } from '#feeds/status/read-message.ts';
import type { Database } from '#store/pool/database.ts';
import { replaceMctFile } from '#store/connections/mct.ts';
import { replaceOnTime } from '#store/schedules/on-time-performance.ts';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { predictSeats } from '#jobs/statistics/predict-seats.ts';
import { extendHorizon } from '#jobs/expand/extend-horizon.ts';
import { createStatusIngester } from '#jobs/status/ingest/status-ingester.ts';
import { mct, side } from '#test/support/mct-lines.ts';
import { everyProduct } from '#test/support/every-product.ts';
import { publishText, serveTinyWorld, type TinyService } from '#test/support/tiny-world.ts';
import { insertExampleMasterData } from './example-master-data.ts';
import { exampleSchedule } from './example-schedule.ts';
import { exampleMessages } from './example-statuses.ts';

/** The day of the examples; ZX 101 is in the air at noon UTC. */
export const EXAMPLE_DAY = '2027-03-01';

/** The day on which the connection set was built, and its ID. */
const BUILT_ON = '2026-11-02';
const EXAMPLE_SET = 12;

/** The days of the examples, and earlier days that the seat forecast needs. */
const DAYS = { from: localDate('2027-02-22'), days: 12 };

/** A key for every product, including maps. */
export const EXAMPLE_KEY = 'key-of-the-examples';

const connectingTimes: MctFile = {
  records: [
    mct({ line: 2, status: 'ID', minutes: 75 }),
    mct({ line: 3, status: 'DI', minutes: 65, arrival: side({ carrier: 'ZX', body: 'N' }), submittedBy: 'ZX' }),
  ],
  partners: [{ line: 4, carrier: '9Q', partners: ['ZX'] }],
};

/** Stores the on-time statistics of ZX 101 over 120 days, under both of its numbers. */
const insertOnTime = async (db: Database): Promise<void> => {
  const rows = await db<{ carrier: number; flightNumber: number; departure: number; arrival: number }[]>`
    select distinct carrier, flight_number as "flightNumber", departure, arrival from flight_instance
    where flight_number in (101, 5101)`;
  const counts = {
    flights: 120,
    arrivedOnTime: 96,
    arrivedLate: 19,
    cancelled: 4,
    diverted: 1,
    departures: 120,
    departedOnTime: 98,
  };
  const period = { from: localDate('2026-11-01'), to: localDate('2027-02-28') };
  await db.begin((sql) =>
    replaceOnTime(
      sql,
      rows.map((row) => ({ ...row, ...period, counts })),
    ),
  );
};

const observe = async (db: Database): Promise<void> => {
  const ingester = await createStatusIngester(db, undefined, () => new Date(`${EXAMPLE_DAY}T12:00:00Z`));
  const lines = exampleMessages.flatMap(({ flight, observations }) =>
    observations.map(([observedAt, facts]) => ({ observedAt, flight, ...facts })),
  );
  for (const [index, message] of lines.entries()) {
    const read = parseStatusMessage(JSON.stringify({ messageId: `m${index + 1}`, ...message }));
    if ('rejection' in read || read.fieldErrors.length > 0) throw new Error(JSON.stringify([message, read]));
    const [stored] = await ingester.ingest([read.message]);
    if (stored?.kind !== 'stored') throw new Error(JSON.stringify([message, stored]));
  }
};

/** Serves the world of the examples at noon UTC of its day; call `drop` at the end. */
export const serveExampleWorld = async (): Promise<TinyService> => {
  const world = await serveTinyWorld({ today: BUILT_ON, cursorSecret: Buffer.alloc(32, 7) });
  const { db } = world;
  await db.begin(async (sql) => {
    for (const table of ['location', 'carrier', 'equipment', 'in_use']) await sql`delete from ${sql(table)}`;
    await insertExampleMasterData(sql);
    await replaceMctFile(sql, connectingTimes);
    await sql`select setval(pg_get_serial_sequence('connection_snapshot', 'id'), ${EXAMPLE_SET}, false)`;
  });
  await insertKeyIfMissing(db, {
    name: 'examples',
    products: everyProduct,
    features: ['map'],
    key: EXAMPLE_KEY,
  });
  const { entries } = await publishText(db, exampleSchedule, { today: localDate(BUILT_ON), horizonDays: 1 });
  // US clocks change two weeks before European ones: the UTC times follow the zones.
  const errors = entries.filter(({ reason }) => reason !== 'variation-mismatch');
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  await world.refresh();
  await world.buildConnections();
  await extendHorizon(db, { today: localDate(EXAMPLE_DAY), horizonDays: 1, window: DAYS });
  world.setToday(EXAMPLE_DAY);
  await observe(db);
  await insertOnTime(db);
  await predictSeats(db, localDate(EXAMPLE_DAY));
  await world.refresh();
  return world;
};
