import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { FlightInstance, FlightInstancePage } from '#generated/flight-info/v2/types.gen.ts';
import { localDate } from '#domain/time/dates.ts';
import { extendHorizon } from '#jobs/expand/extend-horizon.ts';
import { importSsim } from '#jobs/import/import-ssim.ts';
import { importScheduleMessages } from '#jobs/schedule-messages/import-messages.ts';
import { upsertLocations } from '#store/master-data/locations.ts';
import { listPages } from '#test/products/responses.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { serveTinyWorld, type TinyService } from '#test/support/tiny-world.ts';

/** The day on which all messages are received. */
const today = '2026-11-25';
const HORIZON_DAYS = 125;

/** IATA code, country and zone of stations that the tiny world does not have. */
const stations = [
  ['ORY', 'FR', 'Europe/Paris'],
  ['LYS', 'FR', 'Europe/Paris'],
  ['CMN', 'MA', 'Africa/Casablanca'],
  ['OUD', 'MA', 'Africa/Casablanca'],
  ['BKK', 'TH', 'Asia/Bangkok'],
  ['HKG', 'HK', 'Asia/Hong_Kong'],
] as const;

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const formatDay = (date = ''): string => `${date.slice(8)}${months[Number(date.slice(5, 7)) - 1]}`;

/** The clock in which flights are described. */
export type FormClock = 'local' | 'utc';

const describeEnd = ({ airport, date, time, terminal }: FlightInstance['departure'], clock: FormClock, day?: string) =>
  `${airport?.iata}${time?.[clock]?.replace(':', '')}${day === undefined || day === date?.[clock] ? '' : `/${formatDay(date?.[clock])}`}${terminal ? `(T${terminal})` : ''}`;

const describeParties = ({ codeshare }: FlightInstance): readonly string[] => {
  const marketing = codeshare?.marketingFlights?.map(
    ({ code, serviceNumber, suffix }) => `${code}${serviceNumber}${suffix}`,
  );
  const joint = codeshare?.jointOperationAirlineDesignators?.map(({ code }) => code);
  return [
    ['operator', codeshare?.operatingAirlineDisclosure?.code],
    ['owner', codeshare?.aircraftOwner?.code],
    ['cockpit', codeshare?.cockpitCrewEmployer?.code],
    ['cabin', codeshare?.cabinCrewEmployer?.code],
    ['joint', joint?.join('/')],
    ['marketing', marketing?.join('/')],
  ].flatMap(([name, value]) => (value ? [`${name} ${value}`] : []));
};

/** Describes a flight without its date. */
const describeFlight = (flight: FlightInstance, clock: FormClock): string => {
  const { carrier, flightNumber, serviceSuffix, departure, arrival, aircraftType, serviceType } = flight;
  const status = flight.statusDetails?.at(-1);
  return [
    `${carrier?.iata}${flightNumber}${serviceSuffix}`,
    describeEnd(departure, clock),
    describeEnd(arrival, clock, departure?.date?.[clock]),
    ...(serviceType?.iata === 'J' ? [] : [serviceType?.iata]),
    aircraftType?.iata,
    `${flight.seatingCapacity?.actual?.totalSeats ?? 'unknown'} seats`,
    ...describeParties(flight),
    ...(status?.state && status.state !== 'Scheduled' ? [status.state] : []),
    ...(status?.equipment?.aircraftRegistrationNumber ? [status.equipment.aircraftRegistrationNumber] : []),
  ].join(' ');
};

/** `05DEC`, or `05DEC-07DEC` for successive days, or `05DEC-19DEC (3)` for three days of the span. */
const describeDates = (dates: readonly string[]): string => {
  const [first = '', last = first] = [dates[0], dates.at(-1)];
  const span = (Date.parse(last) - Date.parse(first)) / 86_400_000 + 1;
  if (span === 1) return formatDay(first);
  return `${formatDay(first)}-${formatDay(last)}${span === dates.length ? '' : ` (${dates.length})`}`;
};

const groupByDate = (lines: ReadonlyMap<string, readonly string[]>): readonly string[] => {
  const byContent = new Map<string, string[]>();
  for (const [date, contents] of [...lines].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    for (const content of contents) byContent.set(content, [...(byContent.get(content) ?? []), date]);
  return [...byContent].map(([content, dates]) => `${describeDates(dates)} ${content}`).toSorted();
};

/** The effect of messages: what is served differently, and what they were answered. */
export type FormEffect = {
  /** Flights that are new or differ. */
  readonly changed: readonly string[];
  /** Flights of dates that have none of the number any more. */
  readonly withdrawn: readonly string[];
  /** Remarks as `severity reason value`. */
  readonly remarks: readonly string[];
  readonly accepted: Readonly<Record<string, number>>;
};

let world: TinyService;
// One worker runs several files with this module, each with a folder of its own.
let folder = '';

type Served = ReadonlyMap<string, readonly string[]>;

/** Lists the flight numbers that a text names. */
const listNumbers = (text: string): readonly string[] => [
  ...new Set(
    [...text.matchAll(/^[A-Z0-9]{2}(\d{3,4})|\b[A-Z]{2}(\d{3,4})/gm)].map(([, one, other]) =>
      String(Number(one ?? other)),
    ),
  ),
];

const listFlights = async (numbers: readonly string[], clock: FormClock): Promise<ReadonlyMap<string, Served>> => {
  await world.refresh();
  const byFlight = new Map<string, Map<string, string[]>>();
  for (const number of numbers)
    for (const month of [
      '2026-11-20/2026-12-20',
      '2026-12-21/2027-01-20',
      '2027-01-21/2027-02-20',
      '2027-02-21/2027-03-23',
      '2027-03-24/2027-04-10',
    ])
      for (const page of await listPages<FlightInstancePage>(
        world,
        `/flight-instances?DepartureDateTime=${month}&FlightNumber=${number}&LegsOnly=true&Content=Status,Seats&Limit=500`,
      ))
        for (const flight of page.data) {
          const name = `${flight.carrier?.iata}${flight.flightNumber}${flight.serviceSuffix} ${flight.departure?.airport?.iata}-${flight.arrival?.airport?.iata}`;
          const dates = byFlight.get(name) ?? new Map<string, string[]>();
          byFlight.set(name, dates);
          const date = flight.departure?.date?.[clock] ?? '';
          dates.set(date, [...(dates.get(date) ?? []), describeFlight(flight, clock)]);
        }
  return byFlight;
};

const findDifferences = (
  before: ReadonlyMap<string, Served>,
  after: ReadonlyMap<string, Served>,
): Pick<FormEffect, 'changed' | 'withdrawn'> => {
  const [changed, withdrawn]: [string[], string[]] = [[], []];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [
      before.get(name) ?? new Map<string, string[]>(),
      after.get(name) ?? new Map<string, string[]>(),
    ];
    const differing = [...now].filter(([date, lines]) => lines.join('\n') !== (old.get(date) ?? []).join('\n'));
    changed.push(...groupByDate(new Map(differing)));
    withdrawn.push(...groupByDate(new Map([...old].filter(([date]) => !now.has(date)))));
  }
  return { changed: changed.toSorted(), withdrawn: withdrawn.toSorted() };
};

/** Imports a base schedule, SSIM text, before the tests of a file: each of them changes other flights. */
export const useFormWorld = (base: () => Promise<string> | string): void => {
  ({ folder } = createTemporaryFolder());
  beforeAll(async () => {
    world = await serveTinyWorld({ today });
    await world.db.begin((sql) =>
      upsertLocations(
        sql,
        stations.map(([iata, countryCode, zone]) => {
          const codes = { iata, icao: '', faa: '', countryCode, cityCode: iata };
          return { ...codes, name: `${iata} airport`, latitude: 0, longitude: 0, zone, rank: 1 };
        }),
      ),
    );
    const file = join(folder, 'base.ssim');
    await writeFile(file, await base(), 'latin1');
    await importSsim({ db: world.db, file, today: localDate(today), horizonDays: HORIZON_DAYS });
  });
  afterAll(() => world.drop());
};

/** Imports messages as `flightdata import schedule-messages` does, and returns what is served differently then. */
export const applyForm = async (
  text: string,
  { clock = 'local' }: { readonly clock?: FormClock } = {},
): Promise<FormEffect> => {
  const numbers = listNumbers(text);
  const before = await listFlights(numbers, clock);
  const file = join(folder, 'messages.txt');
  await writeFile(file, text, 'latin1');
  let now = Date.parse(`${today}T14:30:00Z`);
  const { report } = await importScheduleMessages({ db: world.db, file, clock: () => new Date((now += 1000)) });
  // A server expands days that no flight had before.
  await extendHorizon(world.db, { today: localDate(today), horizonDays: HORIZON_DAYS });
  return {
    ...findDifferences(before, await listFlights(numbers, clock)),
    remarks: report.entries.map(({ severity, reason, value }) => `${severity} ${reason} ${value}`),
    accepted: report.accepted,
  };
};
