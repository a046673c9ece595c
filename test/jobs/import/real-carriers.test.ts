import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localDate } from '../../../src/domain/time/dates.ts';
import {
  CarrierRecords,
  type CarrierCodeSystem,
  type CarrierEntry,
} from '../../../src/domain/master-data/carrier-records.ts';
import type { Carrier } from '../../../src/domain/master-data/master-data.ts';
import { countReasons } from '../../../src/feeds/load-report.ts';
import { normalizeCarrierName } from '../../../src/feeds/master-data/carrier-name.ts';
import { listCarrierDomiciles, listMemberships } from '../../../src/feeds/master-data/overrides/carrier-overrides.ts';
import { listCarriers } from '../../../src/store/master-data/carriers.ts';
import { readCarrierFacts } from '../../../src/store/master-data/master-data-facts.ts';
import { readMasterDataIndex } from '../../../src/jobs/cache/read-master-data-index.ts';
import { readRealMasterData, realMasterDataDir, type RealMasterData } from '../../support/real-master-data.ts';

if (!realMasterDataDir) console.warn('the shared data set is absent: carriers are tested on small inputs only');

const TODAY = '2026-11-21';
/** The first test imports all files, while tests in other files use the machine too. */
const IMPORT_TIMEOUT_MS = 240_000;

describe.skipIf(!realMasterDataDir)('the carriers of the real master data', () => {
  let real: RealMasterData;
  let carriers: readonly Carrier[];
  let records: CarrierRecords;

  beforeAll(async () => {
    real = await readRealMasterData();
    carriers = await listCarriers(real.sql);
    records = new CarrierRecords({ carriers, factsOf: await readCarrierFacts(real.sql), isInUse: () => false });
  }, IMPORT_TIMEOUT_MS);
  afterAll(() => real.drop());

  const owners = (code: string, day = TODAY, system: CarrierCodeSystem = 'iata') =>
    records.listOwners(system, code, localDate(day));

  /** Name, ICAO code, category and rank of the owners of an IATA code on a day, or of the first few of them. */
  const describeOwners = (code: string, day = TODAY, most = 9) =>
    owners(code, day)
      .slice(0, most)
      .map((entry) => {
        const { name, assignment } = records.getOnDay(entry, localDate(day));
        return [name, entry.carrier.icao, assignment.category, assignment.rank].join(' | ');
      });

  const alliance = (code: string, day: string): string => {
    const [first] = owners(code, day);
    const membership = first && records.getOnDay(first, localDate(day)).membership;
    return membership ? `${membership.alliance}, ${membership.type}` : '';
  };

  test.each([
    [
      'LH, which two companies fly under',
      'LH',
      TODAY,
      ['Lufthansa | DLH | Shared | 1', 'Lufthansa Cargo | GEC | Shared | 2'],
    ],
    ['PQ', 'PQ', TODAY, ['SkyUp Airlines | SQP | Shared | 1', 'AirAsia Philippines | APG | Shared | 2']],
    ['PQ before SkyUp', 'PQ', '2015-06-01', ['AirAsia Philippines | APG | Unique | 1']],
    [
      '1I, which a list without dates claims for a third',
      '1I',
      TODAY,
      [
        'Netjets Aviation | EJA | Shared | 1',
        'Netjets Europe | NJE | Shared | 2',
        'Deutsche Rettungsflugwacht | AMB | Unconfirmed | 3',
      ],
    ],
    [
      'W1, the row of a reservation system left out',
      'W1',
      TODAY,
      ['WorldTicket |  | Unique | 1', 'WDL Aviation | WDL | Unconfirmed | 2'],
    ],
    [
      'JM, claimed for a carrier of the past',
      'JM',
      TODAY,
      ['Jambojet | JMA | Unique | 1', 'Air Jamaica | AJM | Unconfirmed | 2'],
    ],
    ['F9 with the ICAO code put right', 'F9', TODAY, ['Frontier Airlines | FFT | Unique | 1']],
    ['VB before the carrier was renamed', 'VB', '2025-09-30', ['Aeroenlaces Nacionales | VIV | Unique | 1']],
    ['VB after it', 'VB', '2025-10-01', ['Viva Aerobus | VIV | Unique | 1']],
    ['BY before TUI', 'BY', '2017-06-01', ['Thomson Airways | TOM | Unique | 1']],
    ['BY as TUI', 'BY', TODAY, ['TUI Airways | TOM | Unique | 1']],
    ['AZ of Alitalia', 'AZ', '2021-10-14', ['Alitalia | AZA | Unique | 1']],
    ['AZ of ITA', 'AZ', '2021-10-16', ['ITA Airways | ITY | Unique | 1']],
    ['AB of Air Berlin', 'AB', '2016-05-01', ['Air Berlin | BER | Unique | 1']],
    ['US, before it ended', 'US', '2015-10-16', ['US Airways | AWE | Unique | 1']],
    ['YX, whose owner of today is older than its code', 'YX', '2005-06-01', ['Midwest Airlines | MEP | Shared | 1']],
    ['YX today', 'YX', TODAY, ['Republic Airline | RPA | Unique | 1']],
    ['UK, whose owner ended', 'UK', '2024-11-11', ['Vistara | VTI | Unique | 1']],
    ['UK today', 'UK', TODAY, []],
    ['JJ under the name it had', 'JJ', '2012-06-01', ['TAM Linhas Aéreas | TAM | Unique | 1']],
    [
      'W8, which an operator has and a carrier that ended some day had',
      'W8',
      TODAY,
      ['Cargojet Airways | CJT | Unique | 1'],
    ],
    ['K4', 'K4', TODAY, ['Kalitta Air | CKS | Unique | 1', 'ALS |  | Unconfirmed | 2']],
    ['ZG', 'ZG', TODAY, ['ZIPAIR Tokyo | TZP | Unique | 1']],
    ['XP', 'XP', TODAY, ['Avelo Airlines | VXP | Unique | 1']],
    ['3S', '3S', TODAY, ['Air Antilles Express |  | Shared | 1', 'Aerologic | BOX | Shared | 2']],
    [
      'VL with the ICAO code that the list gives to a predecessor',
      'VL',
      TODAY,
      ['Lufthansa City Airlines GmbH | LHX | Unique | 1'],
    ],
    ['2Q today', '2Q', TODAY, ['Air Cargo Carriers | SNC | Unique | 1']],
    ['2Q, when another airline had it', '2Q', '2008-01-01', ['Avitrans Nordic | ETS | Unique | 1']],
    ['2Q before that', '2Q', '1990-01-01', ['Air Cargo Carriers | SNC | Unique | 1']],
    ['2Q between two owners', '2Q', '2011-06-01', []],
    ['VA', 'VA', TODAY, ['Virgin Australia | VOZ | Unique | 1']],
    ['DJ, which Virgin Australia gave up', 'DJ', '2010-01-01', ['Virgin Blue | VOZ | Unique | 1']],
  ])('%s', (_what, code, day, expected) => {
    expect(describeOwners(code, day, expected.length === 0 ? 9 : expected.length)).toEqual(expected);
  });

  test('an ICAO code that a company retained has its owner on each day', () => {
    const iataOn = (day: string) => owners('VOZ', day, 'icao').map(({ carrier }) => carrier.iata);
    expect([iataOn('2012-12-31'), iataOn('2013-01-01')]).toEqual([['DJ'], ['VA']]);
  });

  test('a carrier with an ICAO code only has no rank and no category but that', () => {
    const [flexjet] = owners('LXJ', TODAY, 'icao');
    expect(
      flexjet && [flexjet.carrier.name, flexjet.carrier.iata, records.getOnDay(flexjet, localDate(TODAY)).assignment],
    ).toEqual(['Flexjet', '', { category: 'Unassigned', rank: undefined, isDuplicate: false }]);
  });

  test.each([
    ['SK', '2024-08-31', 'Star Alliance, Member'],
    ['SK', '2024-09-01', 'SkyTeam, Member'],
    ['AZ', '2010-01-01', 'SkyTeam, Member'],
    ['AZ', '2025-04-30', 'SkyTeam, Member'],
    ['AZ', '2025-05-01', ''],
    ['FJ', '2025-03-31', ''],
    ['FJ', '2025-04-01', 'oneworld, Member'],
    ['WY', '2025-06-29', ''],
    ['WY', TODAY, 'oneworld, Member'],
    ['LA', '2020-04-30', 'oneworld, Member'],
    ['LA', TODAY, ''],
    ['JJ', '2012-01-01', 'Star Alliance, Member'],
    ['CO', '2009-10-24', 'SkyTeam, Member'],
    ['CO', '2009-10-27', 'Star Alliance, Member'],
    ['US', '2014-03-31', 'Star Alliance, Member'],
    ['US', '2014-04-01', 'oneworld, Affiliate'],
    ['AB', '2012-03-19', ''],
    ['AB', '2012-03-20', 'oneworld, Member'],
    ['LH', '1997-05-13', ''],
    ['LH', '1997-05-14', 'Star Alliance, Member'],
    ['LH', TODAY, 'Star Alliance, Member'],
    ['EI', '2007-03-31', 'oneworld, Member'],
    ['EI', TODAY, ''],
    ['FM', '2010-10-31', 'Star Alliance, Member'],
    ['FM', '2011-06-21', 'SkyTeam, Affiliate'],
    ['WX', TODAY, ''],
    ['9I', TODAY, ''],
    ['FN', TODAY, ''],
    ['MQ', TODAY, 'oneworld, Affiliate'],
    ['XM', '2010-01-01', ''],
    ['RR', TODAY, ''],
  ])('%s is on %s in %j', (code, day, expected) => {
    expect(alliance(code, day)).toBe(expected);
  });

  test.each([
    ['by the list', 'QF', 'AU', '802', 'own'],
    ['by the list, in a country that is divided into world areas', 'AA', 'US', '32', 'own'],
    ['by the list, in another such country', 'AC', 'CA', '936', 'own'],
    ['by the list, though all its bases are elsewhere', 'VL', 'DE', '429', 'own'],
    ['by the list, where the table has no world area', 'RC', 'FO', undefined, 'own'],
    ['by its bases', 'G2', 'SO', '573', 'optd-airlines'],
    ['in an unknown country', 'W1', undefined, undefined, undefined],
  ])('a carrier is domiciled %s', (_how, code, iso, dot, source) => {
    const [first] = owners(code);
    const domicileSource = first?.facts.provenance['domicile.country.code.iso'];
    expect([first?.facts.domicile.iso || undefined, first?.facts.domicile.dot || undefined, domicileSource]).toEqual([
      iso,
      dot,
      source,
    ]);
  });

  test('each fact of a carrier has its source, and an unknown fact has none', () => {
    const provenance = (code: string) => owners(code)[0]?.facts.provenance;
    expect(provenance('SK')).toEqual({
      'code.iata': 'optd-airlines',
      'code.icao': 'optd-airlines',
      name: 'optd-airlines',
      iataCodeRank: 'own',
      iataCodeAssignmentCategory: 'own',
      'domicile.country.code.iso': 'own',
      'domicile.country.code.dot': 'optd-wac',
      'domicile.country.name': 'ourairports',
      alliance: 'own',
      'validity.from': 'optd-airlines',
    });
    expect(provenance('F9')?.['code.icao']).toBe('vrs-airlines');
    expect(owners('LXJ', TODAY, 'icao')[0]?.facts.provenance).toEqual({
      'code.icao': 'vrs-airlines',
      name: 'vrs-airlines',
      'domicile.country.code.iso': 'own',
      'domicile.country.code.dot': 'optd-wac',
      'domicile.country.name': 'ourairports',
    });
  });

  test('the owners of every code are ranked from 1 without a gap, and operators without dates come last', () => {
    for (const alike of Map.groupBy(carriers, ({ iata }) => iata).values()) {
      if (alike[0]?.iata === '') continue;
      expect(alike.map(({ rank }) => rank)).toEqual(alike.map((_, index) => index + 1));
    }
    const isUnheardOf = ({ carrier, facts }: CarrierEntry): boolean =>
      facts.provenance.name === 'vrs-airlines' && !listCarrierDomiciles().has(carrier.icao);
    const codes = new Set(carriers.map(({ iata }) => iata).filter((iata) => iata !== ''));
    const several = [...codes].map((iata) => owners(iata)).filter((sharing) => sharing.length > 1);
    expect(several.length).toBeGreaterThan(300);
    for (const sharing of several) {
      const unheardOf = sharing.map(isUnheardOf);
      expect(unheardOf).toEqual(unheardOf.toSorted((one, other) => Number(one) - Number(other)));
    }
  });

  test('no current member of an alliance has ended', () => {
    for (const code of ['D9', 'AU', 'CT', 'US', 'KA', 'MN', 'AX'])
      expect([code, alliance(code, TODAY)]).toEqual([code, '']);
  });

  test('flights have the first owner of a code, not former ones', async () => {
    const masterDataIndex = await readMasterDataIndex(real.sql);
    const first = (code: string) => masterDataIndex.carriers('iata', code)[0]?.name;
    expect(['LH', 'AZ', 'VB', 'VL', '2Q', 'KF', 'H3', 'AN'].map(first)).toEqual([
      'Lufthansa',
      'ITA Airways',
      'Viva Aerobus',
      'Lufthansa City Airlines GmbH',
      'Air Cargo Carriers',
      'Air Belgium',
      'Harbour Air',
      'Advanced Air',
    ]);
  });

  test('every code of the list of domiciles belongs to a carrier, and nearly all memberships match a carrier', () => {
    const codes = new Set(
      carriers.flatMap(({ iata, icao, name }) => [iata, icao, `${iata}/${normalizeCarrierName(name)}`]),
    );
    expect([...listCarrierDomiciles().keys()].filter((code) => !codes.has(code))).toEqual([]);
    const unmatched = listMemberships().filter(({ iata, alliance: name, from }) => {
      const memberships = records.listOwners('iata', iata).flatMap(({ facts }) => facts.memberships);
      return !memberships.some((membership) => membership.alliance === name && membership.from === from);
    });
    expect(unmatched.map(({ iata }) => iata)).toEqual(['XM']);
  });

  test('the counts of remarks about carriers match', () => {
    const counted = countReasons(real.report);
    const reasons = [
      'not-an-alliance',
      'dates-out-of-order',
      'carrier-icao-code',
      'carrier-ended',
      'shared-iata-code',
      'shared-icao-code',
      'own-membership',
      'alliance-conflict',
      'member-unknown',
      'domicile-conflict',
      'domicile-unknown',
      'world-area-of-country',
      'world-area-unknown',
    ];
    expect(Object.fromEntries(reasons.map((reason) => [reason, counted[reason] ?? 0]))).toEqual({
      'not-an-alliance': 1,
      'dates-out-of-order': 1,
      'carrier-icao-code': 79,
      'carrier-ended': 104,
      'shared-iata-code': 27,
      'shared-icao-code': 1,
      'own-membership': 30,
      'alliance-conflict': 0,
      'member-unknown': 1,
      'domicile-conflict': 11,
      'domicile-unknown': 1,
      'world-area-of-country': 0,
      'world-area-unknown': 1,
    });
  });
});
