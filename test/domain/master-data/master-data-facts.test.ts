import { describe, expect, test } from 'vitest';
import {
  isValidOn,
  type Membership,
  findMembershipOn,
  findNameOn,
} from '../../../src/domain/master-data/master-data-facts.ts';

test.each([
  ['', '', '2026-06-01', true],
  ['2026-06-01', '', '2026-06-01', true],
  ['2026-06-02', '', '2026-06-01', false],
  ['', '2026-06-01', '2026-06-01', true],
  ['', '2026-05-31', '2026-06-01', false],
  ['2019-04-06', '2026-12-31', '2026-06-01', true],
])('a record valid from %j to %j is valid on %s: %s', (from, to, day, holds) => {
  expect(isValidOn({ from, to }, day)).toBe(holds);
});

test('a former name applies during its period, the present one otherwise', () => {
  const formerNames = [
    { name: 'First', from: '', to: '1999-12-31' },
    { name: 'Second', from: '2000-01-01', to: '2009-12-31' },
    { name: 'Undated', from: '', to: '' },
  ];
  const names = ['1950-01-01', '1999-12-31', '2000-01-01', '2010-01-01'].map((day) =>
    findNameOn({ name: 'Third', formerNames }, day),
  );
  expect(names).toEqual(['First', 'First', 'Second', 'Third']);
});

describe('an alliance is that of the day', () => {
  const memberships: readonly Membership[] = [
    { alliance: 'New', type: 'Member', from: '2024-09-01', to: '' },
    { alliance: 'Old', type: 'Member', from: '1997-05-14', to: '2024-08-31' },
    { alliance: 'Side', type: 'Affiliate', from: '2000-01-01', to: '2000-12-31' },
  ];
  test.each([
    ['1997-05-13', undefined],
    ['1997-05-14', 'Old'],
    ['2024-08-31', 'Old'],
    ['2024-09-01', 'New'],
    ['2000-06-01', 'Side'],
  ])('on %s: %s', (day, alliance) => {
    expect(findMembershipOn(memberships, day)?.alliance).toBe(alliance);
  });
});
