import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { listCarriers } from '#domain/master-data/master-data-index.ts';
import { listLiveStatus } from '#jobs/sources/live-status.ts';
import { rebuildHkia } from '#test/feeds/live/rebuilt-hkia.ts';
import { openRealWorld, type RealWorld } from '#test/jobs/status/real-world.ts';
import { findSharedData } from '#test/support/shared-data.ts';
import { startReplayServer } from '#test/support/sources/replay-server.ts';
import { createFollower, followUntil, TestClock } from './live-world.ts';

const folder = findSharedData('live-feeds');
if (!folder) console.warn('The shared data is absent: captures of live feeds are not tested in this run.');
const read = (path: string): Buffer => readFileSync(`${folder}/${path}`);

/** Captures of HKIA by their date, and of Avinor by the time at which they were taken. */
const hkiaDates = ['2025-10-16', '2025-11-30', '2025-12-25'];
const avinorFiles: Readonly<Record<string, readonly [airport: string, file: string]>> = {
  '2016-05-20T11:57:50Z': ['OSL', 'departures-osl-2016-05-20.xml'],
  '2016-05-20T12:00:48Z': ['BGO', 'arrivals-bgo-2016-05-20.xml'],
  '2023-09-13T13:06:11Z': ['OSL', 'OSL-departures-2023-09-13T1306Z.xml'],
  '2024-10-25T10:33:15Z': ['OSL', 'airport-osl-2024-10-25.xml'],
  '2026-01-07T09:24:27Z': ['OSL', 'OSL-departures-2026-01-07T0924Z.xml'],
  '2026-10-06T19:47:29Z': ['OSL', 'OSL-2026-10-06T1947Z-codeshareY-EXCERPT-13-codeshares-stops-nights.xml'],
};
/** Late rows that the window of the request leaves out. */
const WINDOW_HOURS = 12;

/** A flight as a row of a feed has it, read without the readers of the service. */
type Expected = {
  readonly name: string;
  readonly times: Readonly<Record<string, string>>;
  readonly signs: Readonly<Record<string, string>>;
  readonly cancelled: boolean;
  /** Carrier codes that are equivalent, and number. */
  readonly codeshares: readonly (readonly [codes: readonly string[], number: string])[];
};

const toUtc = (date: string, time: string): string =>
  new Date(Date.parse(`${date}T${time}:00Z`) - 8 * 3_600_000).toISOString().slice(0, 19);

const splitNumber = (no: string): readonly [carrier: string, number: string] => {
  const [carrier = '', number = ''] = no.split(' ');
  return [carrier, number.replace(/^0+(?=\d)/, '')];
};

const rowSchema = z.object({
  time: z.string(),
  flight: z.array(z.object({ no: z.string(), airline: z.string() })),
  status: z.string(),
  destination: z.array(z.string()).optional(),
  origin: z.array(z.string()).optional(),
  terminal: z.string().optional(),
  aisle: z.string().optional(),
  gate: z.string().optional(),
  baggage: z.string().optional(),
});
const daysSchema = z.array(z.object({ date: z.string(), arrival: z.boolean(), list: z.array(rowSchema) }));

const withTexts = (entries: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(entries).flatMap(([name, text]) => (text ? [[name, text]] : [])));

const readHkiaRows = (bytes: Buffer): readonly Expected[] =>
  daysSchema.parse(JSON.parse(bytes.toString())).flatMap(({ date, arrival, list }) =>
    list.map((row): Expected => {
      const [first, ...others] = row.flight;
      const [, number] = splitNumber(first?.no ?? '');
      const other = arrival ? row.origin?.at(-1) : row.destination?.[0];
      const leg = arrival ? `${other}-HKG` : `HKG-${other}`;
      const [, day, month, year] = /\((\d\d)\/(\d\d)\/(\d{4})\)/.exec(row.status) ?? [];
      const time = /\d\d:\d\d/.exec(row.status)?.[0];
      const at = time && toUtc(year === undefined ? date : `${year}-${month}-${day}`, time);
      const kind = row.status.startsWith('Est')
        ? arrival
          ? 'estimatedIn'
          : 'estimatedOut'
        : arrival
          ? 'actualIn'
          : 'actualOut';
      return {
        name: `${first?.airline} ${number} ${leg} ${toUtc(date, row.time)}`,
        times: withTexts({ [kind]: at }),
        signs: withTexts(
          arrival
            ? { baggage: row.baggage }
            : { gate: row.gate, terminal: row.terminal?.replace('T', ''), counter: row.aisle },
        ),
        cancelled: row.status === 'Cancelled',
        codeshares: others.map(({ no, airline }) => [[airline, splitNumber(no)[0]], splitNumber(no)[1]]),
      };
    }),
  );

const readAvinorRows = (bytes: Buffer, airport: string, takenAt: string): readonly Expected[] => {
  const text = bytes.toString('latin1');
  const from = Math.floor(Date.parse(takenAt) / 3_600_000) * 3_600_000 - WINDOW_HOURS * 3_600_000;
  return text
    .split('<flight ')
    .slice(1)
    .flatMap((row): readonly Expected[] => {
      const get = (name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(row)?.[1]?.trim() ?? '';
      const [carrier, id, arrival] = [get('airline'), get('flight_id'), get('arr_dep') === 'A'];
      const [, code = '', , at = ''] = /<status code="(\w)"( time="([^"]+)")?/.exec(row) ?? [];
      const scheduled = get('schedule_time').slice(0, 19);
      if (Date.parse(`${scheduled}Z`) < from && !(Date.parse(at) >= from)) return [];
      const stops = get('via_airport').split(',').filter(Boolean);
      const other = (arrival ? stops.at(-1) : stops[0]) ?? get('airport');
      const kinds: Readonly<Record<string, string>> = arrival
        ? { E: 'estimatedIn', A: 'actualOn' }
        : { E: 'estimatedOut', D: 'actualOut' };
      const marketing = get('codeshareAirlineDesignators').split(';').filter(Boolean);
      const numbers = get('codeshareFlightNumbers').split(';');
      return [
        {
          name: `${carrier} ${id.slice(carrier.length).replace(/^0+(?=\d)/, '')} ${arrival ? `${other}-${airport}` : `${airport}-${other}`} ${scheduled}`,
          times: withTexts({ [kinds[code] ?? 'none']: code === 'C' ? '' : at.slice(0, 19) }),
          signs: withTexts(
            arrival ? { gate: get('gate'), baggage: get('belt') } : { gate: get('gate'), counter: get('check_in') },
          ),
          cancelled: code === 'C',
          codeshares: marketing.map((one, index) => [[one], numbers[index] ?? '']),
        },
      ];
    });
};

/** The same of a flight of the API, with the codes of the carrier that the row has. */
const toComparable = (
  flight: FlightInstance,
  arrival: boolean,
  codes: readonly string[],
): Expected & { readonly listed: readonly string[] } => {
  const { carrier, flightNumber, serviceSuffix = '', departure, arrival: to, statusDetails, codeshare } = flight;
  const [status] = statusDetails ?? [];
  const end = arrival ? to : departure;
  const code = codes.find((one) => one === carrier.icao || one === carrier.iata) ?? carrier.icao ?? carrier.iata;
  const utc = (time: { readonly utc?: string } | undefined): string | undefined => time?.utc?.slice(0, 19);
  const { departure: out, arrival: arrived } = status ?? {};
  return {
    name: `${code} ${flightNumber}${serviceSuffix} ${departure.airport.iata}-${to.airport.iata} ${end.date.utc}T${end.time.utc}:00`,
    times: withTexts(
      arrival
        ? {
            estimatedIn: utc(arrived?.estimatedTime?.inGate),
            actualIn: utc(arrived?.actualTime?.inGate),
            actualOn: utc(arrived?.actualTime?.onGround),
          }
        : { estimatedOut: utc(out?.estimatedTime?.outGate), actualOut: utc(out?.actualTime?.outGate) },
    ),
    signs: withTexts(
      arrival
        ? { gate: arrived?.gate, baggage: arrived?.baggage }
        : { gate: out?.gate, terminal: out?.actualTerminal, counter: out?.checkInCounter },
    ),
    cancelled: status?.state === 'Canceled',
    codeshares: [],
    listed: (codeshare?.marketingFlights ?? []).map((one) => `${one.code} ${one.serviceNumber}${one.suffix ?? ''}`),
  };
};

type Answers = (state: 'first' | 'last') => ReadonlyMap<string, Buffer>;

/** Orders in which the rows of a day arrive: the first answers, and the last ones. */
const orders: Readonly<Record<string, (rows: readonly unknown[], state: 'first' | 'last') => readonly unknown[]>> = {
  'as they are': (rows) => rows,
  'in reverse': (rows) => rows.toReversed(),
  'every second row first': (rows, state) => (state === 'first' ? rows.filter((_row, index) => index % 2 === 1) : rows),
  'without status and gates first': (rows, state) => (state === 'first' ? rows.map(blank) : rows),
};

const blank = (row: unknown): unknown =>
  typeof row === 'string'
    ? row.replace(/<status [^>]*>/, '').replace(/<gate>[^<]*<\/gate>/, '')
    : { ...z.record(z.string(), z.unknown()).parse(row), status: '', gate: '', baggage: '' };

const hkiaAnswers = (order: string): Answers => {
  const bodies = hkiaDates.flatMap((date) => rebuildHkia(read(`hkia/${date}.json`)));
  const future = {
    request: { parameters: { date: '2026-08-16', arrival: 'false', cargo: 'false' } },
    bytes: read('hkia/hkia_dep_2026-08-16_future.json'),
  };
  return (state) =>
    new Map(
      [...bodies, future].map(({ request: { parameters }, bytes }) => {
        const days = z.array(z.looseObject({ list: z.array(z.unknown()) })).parse(JSON.parse(bytes.toString()));
        const arranged = days.map((day) => ({ ...day, list: orders[order]?.(day.list, state) }));
        const key = [parameters['date'], parameters['arrival'], parameters['cargo']].join(' ');
        return [key, Buffer.from(JSON.stringify(arranged))];
      }),
    );
};

const avinorAnswers =
  (order: string): Answers =>
  (state) =>
    new Map(
      Object.entries(avinorFiles).map(([at, [airport, file]]) => {
        const [head = '', ...rest] = read(`avinor/${file}`)
          .toString('latin1')
          .split(/(?=<flight )/);
        const last = rest.at(-1) ?? '';
        const end = last.indexOf('</flight>') + '</flight>'.length;
        const rows = [...rest.slice(0, -1), last.slice(0, end)];
        const text = `${head}${(orders[order]?.(rows, state) ?? []).join('')}${last.slice(end)}`;
        return [`${at} ${airport}`, Buffer.from(text, 'latin1')];
      }),
    );

type Follow = {
  readonly world: RealWorld;
  readonly order: string;
  readonly clock: TestClock;
  readonly replay: Awaited<ReturnType<typeof startReplayServer>>;
};

/** Follows the captures one after the other: two answers of each, with a restart and a kill in between. */
const followAll = async ({ world, order, clock, replay }: Follow): Promise<void> => {
  const { db } = world;
  const options = { db, clock, replay, masterDataIndex: world.masterDataIndex() };
  const follow = async (
    sources: string,
    respond: () => typeof replay.respond,
    times: readonly string[],
  ): Promise<void> => {
    for (const [index, time] of times.entries()) {
      clock.set(time);
      const follower = await createFollower(options, sources);
      replay.respond = respond();
      await followUntil(follower, clock, new Date(clock.get().getTime() + 60_000));
      // Killed or closed: another one begins.
      if (index === 0) await db`update live_follower set claimed_until = clock_timestamp()`;
      else await follower.close();
    }
  };
  const [avinor, hkia] = [avinorAnswers(order), hkiaAnswers(order)];
  for (const [at, [airport]] of Object.entries(avinorFiles)) {
    let state: 'first' | 'last' = 'first';
    const later = new Date(Date.parse(at) + 600_000).toISOString();
    const respond = (): typeof replay.respond => {
      const body = avinor(state).get(`${at} ${airport}`);
      const isLast = state === 'last';
      state = 'last';
      return () => ({
        body: isLast
          ? Buffer.from(
              (body?.toString('latin1') ?? '').replace(/lastUpdate="[^"]*"/, `lastUpdate="${later}"`),
              'latin1',
            )
          : (body ?? ''),
      });
    };
    await follow(`avinor:${airport}`, respond, [at, later]);
  }
  for (const date of [...hkiaDates, '2026-08-16']) {
    let state: 'first' | 'last' = 'first';
    const respond = (): typeof replay.respond => {
      const answers = hkia(state);
      state = 'last';
      return ({ searchParams }) => ({
        body: answers.get(['date', 'arrival', 'cargo'].map((name) => searchParams.get(name)).join(' ')) ?? '[]',
      });
    };
    await follow('hkia', respond, [`${date}T15:50:00Z`, `${date}T15:55:00Z`]);
  }
};

/** Lists what the rows have that the flights do not. */
const compare = async (world: RealWorld, rows: readonly Expected[], arrival: boolean) => {
  const [airport, dates] = [
    rows[0]?.name.split(' ')[2]?.split('-')[arrival ? 1 : 0] ?? '',
    rows.map(({ name }) => name.slice(-19)),
  ];
  const day = (text: string | undefined, days: number): string =>
    new Date(Date.parse(`${text?.slice(0, 10)}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
  const sorted = dates.toSorted();
  const names = arrival ? ['ArrivalAirport', 'ArrivalDateTime'] : ['DepartureAirport', 'DepartureDateTime'];
  const flights: FlightInstance[] = [];
  for (let from = day(sorted[0], -1); from <= day(sorted.at(-1), 1); from = day(from, 1))
    flights.push(...(await world.search({ [names[0] ?? '']: airport, [names[1] ?? '']: from, Content: 'Status' })));
  const codesOf = new Set(rows.map(({ name }) => name.split(' ')[0] ?? ''));
  const found = new Map(
    flights
      .filter(({ isOperating }) => isOperating)
      .map((one) => {
        const read = toComparable(
          one,
          arrival,
          [...codesOf].filter((code) => code === one.carrier.icao || code === one.carrier.iata),
        );
        return [read.name, read];
      }),
  );
  const missing: string[] = [];
  const differences: unknown[] = [];
  let unknownCarriers = 0;
  for (const row of rows) {
    const flight = found.get(row.name);
    if (!flight) {
      missing.push(row.name);
      continue;
    }
    const { codeshares, ...own } = row;
    const { listed, codeshares: _, ...shown } = flight;
    try {
      expect(shown).toEqual(own);
    } catch {
      differences.push({ own, shown });
    }
    for (const [written, number] of codeshares) {
      // A carrier has several codes, and a code had several carriers.
      const carriers = written.flatMap((code) => listCarriers(world.masterDataIndex(), code));
      const codes = [...written, ...carriers.flatMap(({ iata, icao }) => [iata, icao])];
      if (
        codes.some((code) =>
          listed.includes(`${code} ${number.replace(/[A-Z]$/, '')}${/[A-Z]$/.exec(number)?.[0] ?? ''}`),
        )
      )
        continue;
      if (carriers.length > 0) differences.push({ name: row.name, missing: `${codes.join()} ${number}`, listed });
      else unknownCarriers += 1;
    }
  }
  return { rows: rows.length, found: rows.length - missing.length, missing, differences, unknownCarriers };
};

test.skipIf(!folder).each(Object.keys(orders))(
  'each flight of the captures is read back as an independent reading has it; rows %s',
  { timeout: 900_000 },
  async (order) => {
    const world = await openRealWorld();
    try {
      const clock = new TestClock('2016-05-20T11:57:50Z');
      const replay = await startReplayServer(clock.get);
      await followAll({ world, order, clock, replay });
      await world.refresh();
      const figures = [];
      for (const [at, [airport, file]] of Object.entries(avinorFiles)) {
        const rows = readAvinorRows(read(`avinor/${file}`), airport, at);
        const isArrival = ({ name }: Expected): boolean => name.split(' ')[2]?.endsWith(`-${airport}`) === true;
        for (const arrival of [false, true]) {
          const own = rows.filter((row) => isArrival(row) === arrival);
          if (own.length > 0)
            figures.push({
              capture: `${at} ${arrival ? 'arrivals' : 'departures'}`,
              ...(await compare(world, own, arrival)),
            });
        }
      }
      for (const [key, body] of hkiaAnswers('as they are')('last'))
        figures.push({ capture: key, ...(await compare(world, readHkiaRows(body), key.split(' ')[1] === 'true')) });
      const states = await listLiveStatus(world.db, clock.get());
      const summary = figures.map(
        ({ capture, rows, found, missing, differences, unknownCarriers }) =>
          `${capture}: ${rows} rows, ${found} found, ${missing.length} missing, ${differences.length} differences, ${unknownCarriers} codeshares of unknown carriers`,
      );
      console.info(
        [
          order,
          ...summary,
          ...states.filter(({ rows }) => rows.taken > 0).map(({ name, rows }) => `${name}: ${JSON.stringify(rows)}`),
        ].join('\n'),
      );
      expect(figures.flatMap(({ differences }) => differences)).toEqual([]);
      // A missing flight is one whose messages are in quarantine, because its date of departure is not certain.
      const quarantined = await world.db<{ id: string; reason: string }[]>`select id, reason from status_quarantine`;
      expect(new Set(quarantined.map(({ reason }) => reason))).toEqual(new Set(['uncertain-date']));
      const held = quarantined.map(({ id }) => {
        const [, airport, designator, other, time] = /^\w+:(\w+) A (\w+) (\w+) (\S+)Z:\w+$/.exec(id) ?? [];
        return `${designator} ${other}-${airport} ${time}`;
      });
      const missing = figures.flatMap((one) => one.missing.map((name) => name.replace(' ', '')));
      expect(missing.toSorted()).toEqual([...new Set(held)].toSorted());
    } finally {
      await world.drop();
    }
  },
);
