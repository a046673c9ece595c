import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localDate } from '../../../src/domain/time/dates.ts';
import { CarrierRecords } from '../../../src/domain/master-data/carrier-records.ts';
import type { CarrierCodeSystem, CarrierEntry } from '../../../src/domain/master-data/carrier-records.ts';
import type { Carrier } from '../../../src/domain/master-data/master-data.ts';
import { normalizeCarrierName } from '../../../src/feeds/master-data/carrier-name.ts';
import { listCarrierDomiciles, listMemberships } from '../../../src/feeds/master-data/overrides/carrier-overrides.ts';
import { listCarriers } from '../../../src/store/master-data/carriers.ts';
import { readCarrierFacts } from '../../../src/store/master-data/master-data-facts.ts';
import { readMasterDataIndex } from '../../../src/jobs/cache/read-master-data-index.ts';
import { readRealMasterData, realMasterDataDir, type RealMasterData } from '../../support/real-master-data.ts';

if (!realMasterDataDir) console.warn('the shared data set is absent: carriers are tested on small inputs only');

const TODAY = '2026-11-21';

describe.skipIf(!realMasterDataDir)('the carriers of the real master data', () => {
  let real: RealMasterData;
  let carriers: readonly Carrier[];
  let records: CarrierRecords;

  beforeAll(async () => {
    real = await readRealMasterData();
    carriers = await listCarriers(real.sql);
    records = new CarrierRecords({ carriers, factsOf: await readCarrierFacts(real.sql), isInUse: () => false });
  });
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

  /** Each code with a day and a description, and below it the first owners: name, ICAO code, category and rank. */
  const known = `
LH 2026-11-21 which two companies fly under
  Lufthansa | DLH | Shared | 1
  Lufthansa Cargo | GEC | Shared | 2
1I 2026-11-21 which a list without dates claims for a third
  Netjets Aviation | EJA | Shared | 1
  Netjets Europe | NJE | Shared | 2
  Deutsche Rettungsflugwacht | AMB | Unconfirmed | 3
W1 2026-11-21 the row of a reservation system left out
  WorldTicket |  | Unique | 1
  WDL Aviation | WDL | Unconfirmed | 2
F9 2026-11-21 with the ICAO code put right
  Frontier Airlines | FFT | Unique | 1
VB 2025-09-30 before the carrier was renamed
  Aeroenlaces Nacionales | VIV | Unique | 1
VB 2025-10-01 after it
  Viva Aerobus | VIV | Unique | 1
AZ 2021-10-14 of Alitalia
  Alitalia | AZA | Unique | 1
AZ 2021-10-16 of ITA
  ITA Airways | ITY | Unique | 1
YX 2005-06-01 whose owner of today is older than its code
  Midwest Airlines | MEP | Shared | 1
YX 2026-11-21 today
  Republic Airline | RPA | Unique | 1
UK 2026-11-21 whose owner ended
W8 2026-11-21 which an operator has and a carrier that ended some day had
  Cargojet Airways | CJT | Unique | 1
3S 2026-11-21
  Air Antilles Express |  | Shared | 1
  Aerologic | BOX | Shared | 2
VL 2026-11-21 with the ICAO code that the list gives to a predecessor
  Lufthansa City Airlines GmbH | LHX | Unique | 1
2Q 2026-11-21 today
  Air Cargo Carriers | SNC | Unique | 1
2Q 2008-01-01 when another airline had it
  Avitrans Nordic | ETS | Unique | 1
2Q 2011-06-01 between two owners
`;
  const sections = known
    .trim()
    .split(/\n(?! )/)
    .map((section) => section.split('\n'));
  test.each(sections)('%s', (title = '', ...expected) => {
    const [code = '', day] = title.split(' ');
    expect(describeOwners(code, day, expected.length || 9)).toEqual(expected.map((owner) => owner.trim()));
  });

  const alliances = `
    SK: 2024-08-31 Star Alliance, Member; 2024-09-01 SkyTeam, Member
    AZ: 2010-01-01 SkyTeam, Member; 2025-04-30 SkyTeam, Member; 2025-05-01 -
    LA: 2020-04-30 oneworld, Member; 2026-11-21 -
    US: 2014-03-31 Star Alliance, Member; 2014-04-01 oneworld, Affiliate; 2026-11-21 -
    LH: 1997-05-13 -; 1997-05-14 Star Alliance, Member; 2026-11-21 Star Alliance, Member
    EI: 2007-03-31 oneworld, Member; 2026-11-21 -
    FM: 2010-10-31 Star Alliance, Member; 2011-06-21 SkyTeam, Affiliate
    WX: 2026-11-21 -
    MQ: 2026-11-21 oneworld, Affiliate
    AX: 2026-11-21 -`;
  test.each(alliances.trim().split(/\n\s+/))('%s', (line) => {
    const [code = '', expected = ''] = line.split(': ');
    const actual = expected.split('; ').map((one) => {
      const day = one.slice(0, 10);
      return `${day} ${alliance(code, day) || '-'}`;
    });
    expect(actual.join('; ')).toBe(expected);
  });

  test.each([
    ['by the list', 'QF', 'AU', '802', 'own'],
    ['by the list, in a country that is divided into world areas', 'AA', 'US', '32', 'own'],
    ['by the list, in another such country', 'AC', 'CA', '936', 'own'],
    ['by the list, though all its bases are elsewhere', 'VL', 'DE', '429', 'own'],
    ['by the list, where the table has no world area', 'RC', 'FO', '', 'own'],
    ['by its bases', 'G2', 'SO', '573', 'optd-airlines'],
    ['in an unknown country', 'W1', '', '', undefined],
  ])('a carrier is domiciled %s', (_how, code, iso, dot, source) => {
    const [first] = owners(code);
    const { domicile, provenance } = first?.facts ?? {};
    expect([domicile?.iso, domicile?.dot, provenance?.['domicile.country.code.iso']]).toEqual([iso, dot, source]);
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
  });

  test('the owners of every code are ranked from 1 without a gap, and operators without dates come last', () => {
    for (const alike of Map.groupBy(carriers, ({ iata }) => iata).values()) {
      if (alike[0]?.iata === '') continue;
      expect(alike.map(({ rank }) => rank)).toEqual(alike.map((_, index) => index + 1));
    }
    const isUnknown = ({ carrier, facts }: CarrierEntry): boolean =>
      facts.provenance.name === 'vrs-airlines' && !listCarrierDomiciles().has(carrier.icao);
    const codes = new Set(carriers.map(({ iata }) => iata).filter((iata) => iata !== ''));
    const several = [...codes].map((iata) => owners(iata)).filter((sharing) => sharing.length > 1);
    expect(several.length).toBeGreaterThan(300);
    for (const sharing of several) {
      const unknown = sharing.map(isUnknown);
      expect(unknown).toEqual(unknown.toSorted((one, other) => Number(one) - Number(other)));
    }
  });

  test('flights have the first owner of a code, not former ones', async () => {
    const masterDataIndex = await readMasterDataIndex(real.sql);
    const first = (code: string) => masterDataIndex.carriers('iata', code)[0]?.name;
    const names = ['Lufthansa', 'ITA Airways', 'Viva Aerobus', 'Air Cargo Carriers', 'Air Belgium', 'Harbour Air'];
    expect(['LH', 'AZ', 'VB', '2Q', 'KF', 'H3'].map(first)).toEqual(names);
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
});
