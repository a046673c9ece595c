import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FlightInstancePage, StatusDetails } from '#generated/flight-info/v2/types.gen.ts';
import { localDate } from '#domain/time/dates.ts';
import { importSsim } from '#jobs/import/import-ssim.ts';
import { createTelegramReader } from '#jobs/status/ingest/feed-readers.ts';
import { importStatusFile } from '#jobs/status/ingest/import-file.ts';
import { upsertLocations } from '#store/master-data/locations.ts';
import { buildCarrier, buildLeg, buildTrailer, buildWholeFile, header, times } from '#test/feeds/ssim/build-file.ts';
import { getJson } from '#test/products/responses.ts';
import { findSharedData } from '#test/support/shared-data.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { serveTinyWorld, type TinyService } from '#test/support/tiny-world.ts';

const today = '2026-11-25';
const zones = [
  ['PER', 'Australia/Perth'],
  ['PHE', 'Australia/Perth'],
  ['MEL', 'Australia/Melbourne'],
  ['OOL', 'Australia/Brisbane'],
  ['BQB', 'Australia/Perth'],
] as const;

const { folder } = createTemporaryFolder();
let world: TinyService;

/** Serves a base schedule, SSIM text, to the tests of a block. */
const useTelegramWorld = (base: () => Promise<string> | string): void => {
  beforeAll(async () => {
    world = await serveTinyWorld({ today });
    await world.db.begin((sql) =>
      upsertLocations(
        sql,
        zones.map(([iata, zone]) => {
          const codes = { iata, icao: '', faa: '', countryCode: 'AU', cityCode: iata };
          return { ...codes, name: `${iata} airport`, latitude: 0, longitude: 0, zone, rank: 1 };
        }),
      ),
    );
    const file = join(folder, 'base.ssim');
    await writeFile(file, await base(), 'latin1');
    await importSsim({ db: world.db, file, today: localDate(today), horizonDays: 10 });
  });
  afterAll(() => world.drop());
};

const describeTime = (name: string, time: { readonly utc?: string | undefined } | undefined): readonly string[] =>
  time?.utc === undefined ? [] : [`${name} ${time.utc.slice(11, 16)}`];

/** `inAir GABCD out 05:36 off 05:47 expected on 07:15`, times in UTC. */
const describeStatus = ({ state, equipment, departure, arrival }: StatusDetails): string =>
  [
    state,
    equipment?.aircraftRegistrationNumber ?? 'no registration',
    ...describeTime('out', departure?.actualTime?.outGate),
    ...describeTime('off', departure?.actualTime?.offGround),
    ...describeTime('expected on', arrival?.estimatedTime?.onGround),
    ...describeTime('on', arrival?.actualTime?.onGround),
  ].join(' ');

/** Imports telegrams as `flightdata import mvt` does; returns what is served of a flight then, and the report. */
const applyTelegrams = async (text: string, flight: string) => {
  const file = join(folder, 'telegrams.txt');
  await writeFile(file, text, 'latin1');
  const clock = (): Date => new Date(`${today}T15:00:00Z`);
  const report = await importStatusFile({
    db: world.db,
    kind: 'mvt',
    file,
    feed: () => createTelegramReader(clock),
    clock,
  });
  await world.refresh();
  const [carrier, number] = [flight.slice(0, 2), flight.slice(2)];
  const query = `DepartureDateTime=2026-11-24/2026-11-26&CarrierCode=${carrier}&FlightNumber=${number}&Content=Status`;
  const { data } = await getJson<FlightInstancePage>(world, `/flight-instances?${query}`);
  return {
    statuses: data.flatMap(({ statusDetails = [], departure }) =>
      statusDetails.map((status) => `${departure?.date?.utc} ${describeStatus(status)}`),
    ),
    remarks: report.entries.map(({ severity, reason, value }) => `${severity} ${reason} ${value}`),
    accepted: report.accepted,
  };
};

const data = findSharedData('movement-telegrams');
const read = (name: string): Promise<string> => readFile(join(data ?? '', name), 'latin1');

if (!data) console.warn('the shared data set is absent: movement telegrams are tested on own inputs only');

describe.skipIf(data === undefined)('movement telegrams in the forms of senders', () => {
  useTelegramWorld(() => read('base.ssim'));

  test.each([
    ['1-year-and-padded-registration', 'YJ1620', '2026-11-25 inAir VH8XX out 05:36 off 05:47 expected on 07:15'],
    ['2-airport-after-departure', 'YJ399', '2026-11-25 OutGate VHXXB out 14:33'],
  ])('%s', async (file, flight, status) => {
    expect(await applyTelegrams(await read(`${file}.txt`), flight)).toEqual({
      statuses: [status],
      remarks: [],
      accepted: { messages: 1 },
    });
  });
});

/** Flights XX1nn from PER to PHE in UTC, 05:30 to 07:20 each day. */
const buildBase = (): string => {
  const season = { 15: '20NOV26', 22: '30NOV26' };
  const legs = ['0101', '0102', '0103', '0104', '0105', '0106', '0107', '0108'].map((number) =>
    buildLeg({ 6: number, ...season, 37: 'PER', 48: '+0800', 55: 'PHE', 66: '+0800' }, times('0530', '0720')),
  );
  return buildWholeFile(header, buildCarrier({ 1: '2U', 3: 'XX ', ...season }), ...legs, buildTrailer('E', 'XX'));
};

type TelegramForm = {
  readonly title: string;
  readonly flight: string;
  readonly lines: readonly string[];
  readonly status: string;
  readonly accepted?: Readonly<Record<string, number>>;
};

const forms: readonly TelegramForm[] = [
  {
    title: 'a flight date with its year, and blanks before the station',
    flight: 'XX101',
    lines: ['MVT', 'XX0101/25NOV26.GABCD   .PER', 'AD0536/0547 EA0715 PHE'],
    status: '2026-11-25 inAir GABCD out 05:36 off 05:47 expected on 07:15',
  },
  {
    title: 'the next station without an estimate',
    flight: 'XX102',
    lines: ['MVA', 'XX102/25.G-ABCD.PER', 'AD0536 PHE'],
    status: '2026-11-25 OutGate GABCD out 05:36',
  },
  {
    title: 'the next station after two times of the departure',
    flight: 'XX103',
    lines: ['MVT', 'XX103/25.GABCD.PER', 'AD250536/250547 PHE'],
    status: '2026-11-25 inAir GABCD out 05:36 off 05:47',
  },
  {
    title: 'a registration of X only is none',
    flight: 'XX104',
    lines: ['MVT', 'XX104/25.XXXXX.PER', 'AD0536'],
    status: '2026-11-25 OutGate no registration out 05:36',
  },
  {
    title: 'a terminal file with the identifier in its own section',
    flight: 'XX105',
    lines: [
      '=HEADER',
      'RCV,2026/11/25 05:50',
      '=PRIORITY',
      'QU',
      '=DESTINATION TYPE B',
      'STX,CMNAAXX',
      '=ORIGIN',
      'PERXXXX',
      '=MSGID',
      '250550',
      '=SMI',
      'MVT',
      '=TEXT',
      'XX105/25.GABCD.PER',
      'AD0536/0547 EA0715 PHE',
    ],
    status: '2026-11-25 inAir GABCD out 05:36 off 05:47 expected on 07:15',
  },
  {
    title: 'a terminal file with addresses, the identifier and blank lines in its text',
    flight: 'XX106',
    lines: [
      '=HEADER',
      'RCV,2026/11/25 05:50',
      '',
      '=SMI',
      'MVT',
      '=TEXT',
      '',
      'QU CMNAAXX',
      '.PERXXXX 250550',
      'MVT',
      '',
      'XX106/25.GABCD.PER',
      '',
      'AD0536/0547 EA0715 PHE',
    ],
    status: '2026-11-25 inAir GABCD out 05:36 off 05:47 expected on 07:15',
  },
  {
    title: 'telegrams of other types are left out with a count by type',
    flight: 'XX107',
    lines: [
      'QU CMNAAXX',
      '.PERXXXX 250545',
      'LDM',
      'XX107/25.GABCD.Y150',
      '-PHE.120/2/1',
      '',

      'MVT',
      'XX107/25.GABCD.PER',
      'AD0536',
      '',
      'ASM',
      'UTC',
      'CNL',
      'XX107/25NOV26',
      '',
      'PTM',
      'XX107/25 PERPHE',
    ],
    status: '2026-11-25 OutGate GABCD out 05:36',
    accepted: {
      messages: 1,
      'LDM telegrams left out': 1,
      'ASM telegrams left out': 1,
      'PTM telegrams left out': 1,
    },
  },
];

describe('forms of movement telegrams', () => {
  useTelegramWorld(buildBase);

  test.each(forms)('$title', async ({ flight, lines, status, accepted = { messages: 1 } }) => {
    expect(await applyTelegrams(`${lines.join('\n')}\n`, flight)).toEqual({
      statuses: [status],
      remarks: [],
      accepted,
    });
  });

  test('a flight date of another year is out of reach', async () => {
    const { statuses, remarks } = await applyTelegrams('MVT\nXX108/25NOV25.GABCD.PER\nAD0536\n', 'XX108');
    expect({ statuses, remarks }).toEqual({ statuses: [], remarks: ['quarantined date-out-of-reach 25NOV25'] });
  });
});
