import { expect, test } from 'vitest';
import { isValidOn, findMembershipOn, findNameOn } from '#domain/master-data/master-data-facts.ts';
import type { Membership } from '#domain/master-data/master-data-facts.ts';

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
  const period = (name: string, from: string, to: string) => ({ name, from, to });
  const first = period('First', '', '1999-12-31');
  const formerNames = [first, period('Second', '2000-01-01', '2009-12-31'), period('Undated', '', '')];
  const names = ['1950-01-01', '1999-12-31', '2000-01-01', '2010-01-01'].map((day) =>
    findNameOn({ name: 'Third', formerNames }, day),
  );
  expect(names).toEqual(['First', 'First', 'Second', 'Third']);
});

test('an alliance is that of the day', () => {
  const memberships: readonly Membership[] = [
    { alliance: 'New', type: 'Member', from: '2024-09-01', to: '' },
    { alliance: 'Old', type: 'Member', from: '1997-05-14', to: '2024-08-31' },
    { alliance: 'Side', type: 'Affiliate', from: '2000-01-01', to: '2000-12-31' },
  ];
  const days = ['1997-05-13', '1997-05-14', '2024-08-31', '2024-09-01', '2000-06-01'];
  const alliances = days.map((day) => findMembershipOn(memberships, day)?.alliance);
  expect(alliances).toEqual([undefined, 'Old', 'Old', 'New', 'Side']);
});
