import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { CarrierRecords } from '#domain/master-data/carrier-records.ts';
import type { CarrierEntry } from '#domain/master-data/carrier-records.ts';
import type { Carrier } from '#domain/master-data/master-data.ts';
import { normalizeCarrierName } from '#feeds/master-data/carrier-name.ts';
import { listCarrierDomiciles, listMemberships } from '#feeds/master-data/overrides/carrier-overrides.ts';
import { listCarriers } from '#store/master-data/carriers.ts';
import { readCarrierFacts } from '#store/master-data/master-data-facts.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import { readRealMasterData, realMasterDataDir, type RealMasterData } from '#test/support/real-master-data.ts';

if (!realMasterDataDir) console.warn('the shared data set is absent: carriers are tested on small inputs only');

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

  const owners = (code: string) => records.listOwners('iata', code, localDate('2026-11-21'));

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
