import { describe, expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import type { Carrier } from '#domain/master-data/master-data.ts';
import type { CarrierFacts, Validity } from '#domain/master-data/master-data-facts.ts';
import { CarrierRecords } from '#domain/master-data/carrier-records.ts';

type CarrierFields = Pick<Carrier, 'icao' | 'rank'> & Partial<Validity> & Pick<CarrierFacts, 'precededUntil'>;

const nowhere = { iso: '', dot: '' };
const noFacts = { domicile: nowhere, formerNames: [], memberships: [], isCodeClaimed: false, provenance: {} };

/** Owners of YX, described by their differences. */
const recordsOf = (list: readonly CarrierFields[]) => {
  const carriers = list.map(({ icao, rank }, index): Carrier => {
    return { id: index + 1, iata: 'YX', icao, rank, name: icao };
  });
  const factsOf = new Map(
    list.map(({ from = '', to = '', precededUntil = '' }, index): [number, CarrierFacts] => [
      index + 1,
      { ...noFacts, precededUntil, validity: { from, to } },
    ]),
  );
  return new CarrierRecords({ carriers, factsOf, isInUse: () => false });
};

describe('the owners of a code on a day', () => {
  const republic = { icao: 'RPA', rank: 1, from: '1998-01-01', precededUntil: '2011-12-31' };
  const midwest = { icao: 'MEP', rank: 2, from: '1948-01-01', to: '2011-12-31' };

  const ownersOn = (list: readonly CarrierFields[], day: string) => {
    const records = recordsOf(list);
    return records.listOwners('iata', 'YX', localDate(day)).map((entry) => {
      const { category, rank } = records.getOnDay(entry, localDate(day)).assignment;
      return [entry.carrier.icao, category, rank];
    });
  };

  test('are former ones first until the last of them has ended', () => {
    expect(ownersOn([republic, midwest], '2005-06-01').map(String)).toEqual(['MEP,Shared,1', 'RPA,Shared,2']);
    expect(ownersOn([republic, midwest], '2012-01-01')).toEqual([['RPA', 'Unique', 1]]);
  });

  test('are ordered by rank if none is known to have had the code first, whenever they end', () => {
    const cargo = { icao: 'CGO', rank: 2, to: '2030-12-31' };
    const alone = { icao: 'RPA', rank: 1, from: '1998-01-01' };
    expect(ownersOn([alone, cargo], '2005-06-01').map(([icao]) => icao)).toEqual(['RPA', 'CGO']);
  });

  test('are found in the same order', () => {
    const earlier = { icao: 'OLD', rank: 3, to: '2006-12-31' };
    const owners = recordsOf([republic, midwest, earlier]).find({}, localDate('2005-06-01'));
    expect(owners.page(9)?.entries.map(({ carrier }) => carrier.icao)).toEqual(['MEP', 'OLD', 'RPA']);
    expect(owners.page(1, 2)?.entries.map(({ carrier }) => carrier.icao)).toEqual(['OLD']);
  });

  test('are ordered by rank alone without a day', () => {
    const owners = recordsOf([republic, midwest]).listOwners('iata', 'YX');
    expect(owners.map(({ carrier }) => carrier.icao)).toEqual(['RPA', 'MEP']);
  });
});
