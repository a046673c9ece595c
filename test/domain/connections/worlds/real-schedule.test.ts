import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blankMctRecord, blankMctSide, MCT_DEFAULTS } from '../../../../src/domain/connections/mct/mct-record.ts';
import type { MctFile, MctRecord } from '../../../../src/domain/connections/mct/mct-record.ts';
import { getConnectionDetails } from '../../../../src/domain/connections/search/connection-details.ts';
import { createConnectionCounter } from '../../../../src/domain/connections/search/connection-tally.ts';
import { ruleNames } from '../../../../src/domain/connections/rules/rule-verdict.ts';
import { localDate } from '../../../../src/domain/time/dates.ts';
import { findStation } from '../../../../src/domain/master-data/master-data-index.ts';
import { replaceMctFile } from '../../../../src/store/connections/mct.ts';
import { buildConnections } from '../../../../src/jobs/connections/build-connections.ts';
import { watchConnections } from '../../../../src/jobs/connections/watch-connections.ts';
import { readMasterDataIndex } from '../../../../src/jobs/cache/read-master-data-index.ts';
import { importSsim } from '../../../../src/jobs/import/import-ssim.ts';
import { buildWholeFile, readFileText } from '../../../feeds/ssim/build-file.ts';
import { readRealMasterData, type RealMasterData } from '../../../support/real-master-data.ts';
import { createScratchFolder } from '../../../support/scratch-folder.ts';
import { findSharedData } from '../../../support/shared-data.ts';
import { countRejections } from './oracle/connections.ts';
import { board, listInstances, off } from './oracle/flights.ts';
import { createJudge, formatConnection, getDay, isCommercial } from './oracle/judge.ts';
import type { World } from './oracle/world.ts';
import { buildWorldSet, describeConnection, findAll } from './world-set.ts';

const ssim = findSharedData('ssim/bts_derived_2015-01-01_02.ssim.gz');
const absent = !ssim || !findSharedData('master');
if (absent) console.warn('The shared data is absent: connections of a real schedule are not tested in this run.');

const day = localDate('2015-01-02');
/** `WHOLE_SCHEDULE=1` imports the whole file and compares its largest airport, with 400,000 connections in a day; else the legs of a smaller one. */
const isWhole = process.env['WHOLE_SCHEDULE'] === '1';
const hub = isWhole ? 'ATL' : 'MSP';

/** Returns the text of the file with the legs that touch the hub only. */
const selectLegs = (text: string): string => {
  const lines = text.split('\n').filter((line) => {
    const stations = [line.slice(36, 39), line.slice(54, 57)];
    return /^[125]/.test(line) || (line.startsWith('3') && (isWhole || stations.includes(hub)));
  });
  const trailer = (line: string): string => `${line.slice(0, 187)}??????${line.charAt(193)}`;
  return buildWholeFile(...lines.map((line) => (line.startsWith('5') ? trailer(line) : line.slice(0, 194))));
};

const atHub = (line: number, minutes: number, more: Partial<MctRecord> = {}): MctRecord => ({
  ...blankMctRecord,
  line,
  status: 'DD',
  arrivalStation: hub,
  departureStation: hub,
  arrival: blankMctSide,
  departure: blankMctSide,
  minutes,
  ...more,
});
const suppressed = { minutes: undefined, suppression: 'Y' } as const;
const deltaSide = { ...blankMctSide, carrier: 'DL' };

/** A file for this test: a station standard, two carriers of which one is faster at home, a slower one, and two that do not connect. */
const mct: MctFile = {
  records: [
    atHub(2, 45),
    atHub(3, 35, { arrival: deltaSide, departure: deltaSide }),
    atHub(4, 55, { departure: { ...blankMctSide, carrier: 'WN', flights: { from: 1000, to: 2999 } } }),
    atHub(5, 40, { arrival: { ...blankMctSide, station: 'MCO' } }),
    atHub(6, 0, {
      ...suppressed,
      arrival: { ...blankMctSide, carrier: 'NK' },
      departure: { ...blankMctSide, carrier: 'F9' },
    }),
  ],
  partners: [
    { line: 7, carrier: 'B6', partners: ['AA', 'HA'] },
    { line: 8, carrier: 'AA', partners: ['B6', 'US', 'AS'] },
  ],
};

/** The members of alliances among the carriers of the file, on that day. */
const alliances = { AA: 'OneWorld', MQ: 'OneWorld', US: 'OneWorld', DL: 'Skyteam', UA: 'Star Alliance' };

describe.skipIf(absent)('the domestic schedule of the United States on 2 January 2015', () => {
  let real: RealMasterData;
  let folder: string;
  let world: World;
  beforeAll(async () => {
    real = await readRealMasterData();
    const text = selectLegs(gunzipSync(readFileSync(ssim ?? '')).toString('latin1'));
    const itineraries = (await readFileText(text)).itineraries.filter(({ legs }) =>
      legs.some(({ departure, arrival }) => [departure.station, arrival.station].includes(hub)),
    );
    const masterDataIndex = await readMasterDataIndex(real.sql);
    const codes = itineraries.flatMap(({ legs }) =>
      legs.flatMap((leg) => [leg.departure.station, leg.arrival.station]),
    );
    world = {
      stations: [...new Set(codes)].flatMap((iata) => {
        const { cityCode = '', countryCode, latitude, longitude, zone } = findStation(masterDataIndex, iata) ?? {};
        return countryCode === undefined
          ? []
          : [{ iata, cityCode, countryCode, stateCode: '', latitude, longitude, zone }];
      }),
      bodies: {},
      alliances,
      itineraries,
      mct,
      defaults: MCT_DEFAULTS,
      from: day,
      days: 1,
    };
    folder = await createScratchFolder();
    const file = join(folder, 'schedule.ssim');
    writeFileSync(file, text, 'latin1');
    await importSsim({ db: real.sql, file, today: localDate('2015-01-01'), horizonDays: 5 });
    await real.sql.begin((sql) => replaceMctFile(sql, mct));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await real.drop();
  });

  const buildSet = async () => {
    const builtAt = new Date('2015-01-01T12:00:00Z');
    const built = await buildConnections(real.sql, { builtAt, from: localDate('2015-01-01'), days: 2 });
    expect(built).toMatchObject({ days: 2, from: '2015-01-01' });
    const watch = await watchConnections(real.sql, {
      clock: () => new Date('2015-01-01T13:00:00Z'),
      onError: (error) => {
        throw error;
      },
    });
    const set = watch.current()?.set;
    await watch.stop();
    if (!set) throw new Error('no set was published');
    return set;
  };

  test('has exactly the connections at a hub that nested loops over its flights find', async () => {
    const set = await buildSet();
    const instances = listInstances(world).filter(({ flight }) => isCommercial(flight));
    const judge = createJudge(world);
    const outOf = instances.filter(({ flight }) => board(flight).iata === hub);
    const expected = instances
      .filter((one) => off(one.flight).iata === hub && getDay(one) === day)
      .flatMap((one) =>
        outOf
          .filter(({ departsUtc }) => departsUtc >= one.arrivesUtc && departsUtc <= one.arrivesUtc + 1440)
          .map((other) => ({ one, other, judged: judge(one, other) }))
          .filter(({ judged }) => judged.forbiddenBy === undefined)
          .map(({ one: first, other, judged }) => formatConnection(first, other, judged)),
      );
    const actual = findAll(set, { viaPoints: [hub], dates: { from: day, to: day } }).flatMap((match) => {
      const details = getConnectionDetails(set, match);
      return describeConnection({ ...details, dates: details.dates.filter((date) => date === day) });
    });
    // The first difference is compared, because describing the difference of two lists of this size takes minutes.
    const [ours, theirs] = [actual.toSorted(), expected.toSorted()];
    const differs = (text: string, index: number): boolean => text !== theirs[index];
    expect([ours.length, ours.find(differs)]).toEqual([theirs.length, undefined]);
    expect(ours.length).toBeGreaterThan(10_000);
    const lines = expected.map((text) => /line (\w+)/.exec(text)?.[1]);
    expect(['2', '3', '4', '5'].filter((line) => !lines.includes(line))).toEqual([]);
  });

  test('rejects as many pairs of the flights that touch a hub by each rule as nested loops do', () => {
    const tally = createConnectionCounter(buildWorldSet(world));
    while (!tally.advance());
    const counts = countRejections(world);
    const expected = Object.fromEntries(ruleNames.map((rule) => [rule, counts[rule] ?? 0]));
    expect(tally.result().rejected).toEqual(expected);
    const important = ['same-flight', 'circuity', 'partners', 'suppressed', 'minimum-connecting-time'];
    expect(important.filter((rule) => (counts[rule] ?? 0) === 0)).toEqual([]);
  });
});
