import { expect, test } from 'vitest';
import type { CarrierFacts } from '../../../src/domain/master-data/master-data-facts.ts';
import { listCarriers, upsertCarriers } from '../../../src/store/master-data/carriers.ts';
import { readCarrierFacts } from '../../../src/store/master-data/master-data-facts.ts';
import { sharedDatabase } from '../../support/database.ts';

const database = await sharedDatabase();

const facts: CarrierFacts = {
  domicile: { iso: 'SE', dot: '484' },
  formerNames: [{ name: 'Scandinavian', from: '1946-08-01', to: '1998-12-31' }],
  memberships: [{ alliance: 'SkyTeam', type: 'Member', from: '2024-09-01', to: '' }],
  isCodeClaimed: false,
  validity: { from: '1946-08-01', to: '' },
  provenance: { name: 'optd-airlines', alliance: 'own' },
};

const changedAt = async () => {
  const rows = await database.sql<{ icao: string; changed_at: Date }[]>`
    select icao, changed_at from carrier order by icao`;
  return rows.map((row) => row.changed_at.getTime());
};

test('facts are stored with a carrier, and only a carrier with differences counts as changed', async () => {
  const { sql } = database;
  const sas = { iata: 'SK', icao: 'SAS', name: 'Scandinavian Airlines', rank: 1, facts };
  const named = { iata: 'ZZ', icao: 'ZZZ', name: '', rank: 1 };
  expect(await upsertCarriers(sql, [sas, named])).toEqual({ added: 2, changed: 0 });
  const [one, other] = await listCarriers(sql);
  const [id, otherId] = [one?.id, other?.id];
  expect([...(await readCarrierFacts(sql))]).toEqual([[id, facts]]);
  const before = await changedAt();

  // The same facts in another order of their members, and none at all for the other: there is no difference.
  const { domicile, ...others } = facts;
  const again = [
    { ...sas, id, facts: { ...others, domicile } },
    { ...named, id: otherId },
  ];
  expect(await upsertCarriers(sql, again)).toEqual({ added: 0, changed: 0 });
  expect(await changedAt()).toEqual(before);

  const moved = { ...facts, domicile: { iso: 'DK', dot: '419' } };
  expect(await upsertCarriers(sql, [{ ...sas, id, facts: moved }])).toEqual({ added: 0, changed: 1 });
  expect([...(await readCarrierFacts(sql))]).toEqual([[id, moved]]);
  const after = await changedAt();
  expect([(after[0] ?? 0) > (before[0] ?? 0), after[1]]).toEqual([true, before[1]]);

  expect(await upsertCarriers(sql, [{ ...sas, id, name: 'SAS', facts: undefined }])).toEqual({ added: 0, changed: 1 });
  expect([...(await readCarrierFacts(sql))]).toEqual([[id, moved]]);
});
