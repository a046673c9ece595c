import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  blankMctRecord,
  blankMctSide,
  MCT_DEFAULTS,
  type MctFile,
  type MctRecord,
} from '../../../../src/domain/connections/mct/mct-record.ts';
import { getConnectionDetails } from '../../../../src/domain/connections/search/connection-details.ts';
import { createConnectionCounter } from '../../../../src/domain/connections/search/connection-tally.ts';
import { ruleNames } from '../../../../src/domain/connections/rules/rule-verdict.ts';
import { localDate } from '../../../../src/domain/time/dates.ts';
import { findStation } from '../../../../src/domain/master-data/master-data-index.ts';
import type { Itinerary } from '../../../../src/domain/schedule/schedule.ts';
import { createLoadReport } from '../../../../src/feeds/load-report.ts';
import { readSchedules } from '../../../../src/feeds/ssim/read-schedules.ts';
import { replaceMctFile } from '../../../../src/store/connections/mct.ts';
import { buildConnections } from '../../../../src/jobs/connections/build-connections.ts';
import { watchConnections } from '../../../../src/jobs/connections/watch-connections.ts';
import { readMasterDataIndex } from '../../../../src/jobs/cache/read-master-data-index.ts';
import { importSsim } from '../../../../src/jobs/import/import-ssim.ts';
import { readSourceFile } from '../../../../src/feeds/read-source-file.ts';
import { readRealMasterData, type RealMasterData } from '../../../support/real-master-data.ts';
import { findSharedData } from '../../../support/shared-data.ts';
import { describeConnection, findAll } from './describe-connections.ts';
import { listInstances, board, off, type Instance } from './oracle/flights.ts';
import { formatConnection, getDay, createJudge, isCommercial } from './oracle/judge.ts';
import { countRejections } from './oracle/count-rejections.ts';
import type { World } from './oracle/world.ts';
import { buildWorldSet } from './world-set.ts';

const ssim = findSharedData('ssim/bts_derived_2015-01-01_02.ssim.gz');
const absent = !ssim || !findSharedData('master');
if (absent) console.warn('The shared data is absent: connections of a real schedule are not tested in this run.');

const day = localDate('2015-01-02');
/** Connections are compared one by one up to this connecting time, and counted beyond: describing all takes half a minute. */
const COMPARED_MINUTES = 180;

const atAtlanta = (line: number, minutes: number, more: Partial<MctRecord> = {}): MctRecord => ({
  ...blankMctRecord,
  line,
  status: 'DD',
  arrivalStation: 'ATL',
  departureStation: 'ATL',
  arrival: blankMctSide,
  departure: blankMctSide,
  minutes,
  ...more,
});

/** A file for this test: a station standard, two carriers of which one is faster at home, a slower one, and two that do not connect. */
const mct: MctFile = {
  records: [
    atAtlanta(2, 45),
    atAtlanta(3, 35, { arrival: { ...blankMctSide, carrier: 'DL' }, departure: { ...blankMctSide, carrier: 'DL' } }),
    atAtlanta(4, 55, { departure: { ...blankMctSide, carrier: 'WN', flights: { from: 1000, to: 2999 } } }),
    atAtlanta(5, 40, { arrival: { ...blankMctSide, station: 'MCO' } }),
    atAtlanta(6, 0, {
      minutes: undefined,
      suppression: 'Y',
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

const touches = ({ legs }: Itinerary): boolean =>
  legs.some(({ departure, arrival }) => departure.station === 'ATL' || arrival.station === 'ATL');

describe.skipIf(absent)('the domestic schedule of the United States on 2 January 2015', () => {
  let real: RealMasterData;
  let world: World;
  beforeAll(async () => {
    real = await readRealMasterData();
    const { itineraries } = await readItineraries();
    const masterDataIndex = await readMasterDataIndex(real.sql);
    const codes = new Set(
      itineraries.flatMap(({ legs }) => legs.flatMap((leg) => [leg.departure.station, leg.arrival.station])),
    );
    world = {
      stations: [...codes].flatMap((iata) => {
        const { cityCode, countryCode, latitude, longitude, zone } = findStation(masterDataIndex, iata) ?? {};
        return countryCode === undefined
          ? []
          : [{ iata, cityCode: cityCode ?? '', countryCode, stateCode: '', latitude, longitude, zone }];
      }),
      bodies: {},
      alliances,
      itineraries,
      mct,
      defaults: MCT_DEFAULTS,
      from: day,
      days: 1,
    };
    await importSsim({ db: real.sql, file: ssim ?? '', today: localDate('2015-01-01'), horizonDays: 5 });
    await real.sql.begin((sql) => replaceMctFile(sql, mct));
  }, 240_000);
  afterAll(() => real.drop());

  const readItineraries = async () => {
    const report = createLoadReport('two days');
    const schedules = await readSchedules(
      readSourceFile(ssim ?? '', () => {}),
      report,
    );
    return { itineraries: schedules.flatMap((schedule) => schedule.itineraries) };
  };

  test(
    'has exactly the connections in Atlanta that nested loops over its flights find',
    { timeout: 240_000 },
    async () => {
      const built = await buildConnections(real.sql, {
        builtAt: new Date('2015-01-01T12:00:00Z'),
        from: localDate('2015-01-01'),
        days: 2,
      });
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

      const instances = listInstances(world).filter(({ flight }) => isCommercial(flight));
      const judge = createJudge(world);
      const into = instances.filter((one) => off(one.flight).iata === 'ATL' && getDay(one) === day);
      const outOf = instances.filter(({ flight }) => board(flight).iata === 'ATL');
      let count = 0;
      const expected: string[] = [];
      const isNear = (one: Instance, other: Instance): boolean =>
        other.departsUtc >= one.arrivesUtc && other.departsUtc <= one.arrivesUtc + 1440;
      for (const one of into)
        for (const other of outOf) {
          if (!isNear(one, other)) continue;
          const judged = judge(one, other);
          if (judged.forbiddenBy !== undefined) continue;
          count += 1;
          if (judged.minutes <= COMPARED_MINUTES) expected.push(formatConnection(one, other, judged));
        }
      const dates = { from: day, to: day };
      const filter = { viaPoints: ['ATL'], dates };
      expect(findAll(set, filter).length).toBe(count);
      expect(count).toBeGreaterThan(400_000);
      const actual = findAll(set, { ...filter, maxConnectingMinutes: COMPARED_MINUTES }).flatMap((one) => {
        const details = getConnectionDetails(set, one);
        return describeConnection({ ...details, dates: details.dates.filter((date) => date === day) });
      });
      expect(actual.length).toBe(expected.length);
      // The lists are compared as texts, because describing a difference of two lists of this size takes minutes.
      const [ours, theirs] = [actual.toSorted(), expected.toSorted()];
      expect(ours.find((text, index) => text !== theirs[index])).toBe(undefined);
      // Flights to Puerto Rico and the Virgin Islands are international, and the file has no time for those.
      const lines = new Set(expected.map((text) => /line (\w+)/.exec(text)?.[1]));
      expect(lines).toEqual(new Set(['2', '3', '4', '5', 'none']));
    },
  );

  test(
    'rejects as many pairs of the flights that touch Atlanta by each rule as nested loops do',
    { timeout: 240_000 },
    () => {
      const atlanta = { ...world, itineraries: world.itineraries.filter(touches) };
      const tally = createConnectionCounter(buildWorldSet(atlanta));
      while (!tally.advance());
      const counts = countRejections(atlanta);
      const expected = Object.fromEntries(ruleNames.map((rule) => [rule, counts[rule] ?? 0]));
      expect(tally.result().refused).toEqual(expected);
      for (const rule of ['same-flight', 'circuity', 'partners', 'suppressed', 'minimum-connecting-time'])
        expect(counts[rule], rule).toBeGreaterThan(0);
    },
  );
});
