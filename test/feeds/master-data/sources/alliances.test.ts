import { expect, test } from 'vitest';
import { createLoadReport } from '#feeds/load-report.ts';
import { readAllianceMembers, type AllianceMember } from '#feeds/master-data/sources/alliances.ts';
import { joinMemberships } from '#feeds/master-data/join/carriers/join-memberships.ts';
import { listMemberships } from '#feeds/master-data/overrides/carrier-overrides.ts';
import type { RankedCarrier } from '#feeds/master-data/join/carriers/rank-carriers.ts';
import { buildRankedCarrier } from '../join/carriers/build-airline.ts';
import { createFeedFile } from '../feed-file.ts';

const inStar = (from: string, to = '') => ({ alliance: 'Star Alliance', type: 'Member', from, to }) as const;
const inSkyTeam = { ...inStar('2024-09-01'), alliance: 'SkyTeam' };
const fromList = (from: string, to?: string) => ({ memberships: [inStar(from, to)], source: 'optd-alliances' });
const anonymous = { ...inStar('2000-01-01'), iata: 'QQ', name: '' };
const star = (fields: Partial<AllianceMember>): AllianceMember => ({ ...anonymous, ...fields });

const join = (carriers: readonly RankedCarrier[], listed: readonly AllianceMember[]) => {
  const report = createLoadReport('test');
  const byCarrier = joinMemberships(carriers, listed, report);
  const entries = report.entries.filter(({ reason }) => reason !== 'own-membership');
  return { memberships: carriers.map((carrier) => byCarrier.get(carrier)), entries };
};

test('reads memberships with the official names of alliances, and quarantines other rows', async () => {
  const report = createLoadReport('test');
  const file = createFeedFile(
    'memberships.csv',
    'alliance_name^alliance_type^airline_iata_code_2c^airline_name^from_date^to_date^env_id',
    'OneWorld^Member^AB^Air Berlin^2012-03-20^2017-10-28^',
    'Skyteam^Affiliate^A5^HOP!^2013-03-31^^',
    'Qualiflyer^Member^SR^Swissair^1998-03-01^^',
    'Skyteam^Friend^XX^Example^1998-03-01^^',
  );
  expect(await readAllianceMembers(file, report)).toEqual([
    { alliance: 'oneworld', type: 'Member', iata: 'AB', name: 'Air Berlin', from: '2012-03-20', to: '2017-10-28' },
    { alliance: 'SkyTeam', type: 'Affiliate', iata: 'A5', name: 'HOP!', from: '2013-03-31', to: '' },
  ]);
  const entries = report.entries.map(({ severity, line, value }) => `${severity} ${line} ${value}`);
  expect(entries).toEqual(['quarantined 4 Qualiflyer Member', 'quarantined 5 Skyteam Friend']);
});

test('a membership is that of the owner of the code at that time, and ends with it', () => {
  const { memberships, entries } = join(
    [
      buildRankedCarrier({ iata: 'QQ', name: 'Now', startedOn: '2015-01-01' }),
      buildRankedCarrier({ iata: 'QQ', name: 'Then', isCurrent: false, endedOn: '2014-12-31' }),
    ],
    [star({ name: 'Now as it was called', from: '2001-01-01' })],
  );
  expect(memberships).toEqual([fromList('2015-01-01'), undefined]);
  expect(entries).toEqual([]);
});

test('a membership is matched by name where several had the code, also by a former name, and never with a carrier that is only claimed to have it', () => {
  const formerNames = [{ name: 'Zweite Airlines', from: '', to: '2010-01-01' }];
  const former = { isCurrent: false, endedOn: '2019-06-30', formerNames };
  const { memberships } = join(
    [
      buildRankedCarrier({ iata: 'QQ', name: 'First' }),
      buildRankedCarrier({ iata: 'QQ', name: 'Second', ...former }),
      buildRankedCarrier({ iata: 'Q2', name: 'Claimed', isCodeClaimed: true }),
    ],
    [star({ name: 'zweite' }), star({ iata: 'Q2', name: 'Another', from: '2003-01-01' })],
  );
  expect(memberships).toEqual([undefined, fromList('2000-01-01', '2019-06-30'), undefined]);
});

test('a membership is not that of an unrelated carrier with the code, unless the list of carriers has it in that alliance', () => {
  const zimbabwe = { iata: 'FN', name: 'Fastjet Zimbabwe' };
  const express = star({ iata: 'FN', name: 'Royal Air Maroc Express', from: '2020-04-01' });
  const unrelated = join([buildRankedCarrier(zimbabwe)], [express]);
  expect(unrelated.memberships).toEqual([undefined]);
  expect(unrelated.entries.map(({ reason, value }) => [reason, value])).toEqual([['member-unknown', 'FN']]);
  const partner = join([buildRankedCarrier({ ...zimbabwe, alliance: 'Star Alliance' })], [express]);
  expect(partner.memberships).toEqual([fromList('2020-04-01')]);
});

test('a membership of an unknown carrier is reported, and so is an alliance that only the list of carriers has', () => {
  const alone = buildRankedCarrier({ iata: 'QQ', name: 'Alone', alliance: 'Skyteam' });
  const { entries } = join([alone], [star({ iata: 'Q3', name: 'Absent Air' })]);
  expect(entries.map(({ reason, value, message }) => `${reason} ${value}: ${message}`)).toEqual([
    'member-unknown Q3: No carrier has the code of Absent Air, a member of Star Alliance from 2000-01-01; the membership was ignored.',
    'alliance-conflict QQ: The list of carriers has Alone in SkyTeam, but the list of memberships does not; the list of memberships was used.',
  ]);
});

const sas = buildRankedCarrier({ iata: 'SK', name: 'Scandinavian Airlines', startedOn: '1946-08-01' });
const stale = star({ iata: 'SK', name: 'Scandinavian Airlines', from: '1997-05-01' });

test("the service's own list of memberships overrides the file, and is reported", () => {
  const report = createLoadReport('test');
  expect([...joinMemberships([sas], [stale], report).values()]).toEqual([
    { memberships: [inStar('1997-05-14', '2024-08-31'), inSkyTeam], source: 'own' },
  ]);
  const entries = report.entries.filter(({ value }) => value === 'SK');
  expect(entries.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    'corrected: Scandinavian Airlines is in SkyTeam from 2024-09-01; the list of memberships differs and was corrected.',
    'corrected: Scandinavian Airlines is in Star Alliance from 1997-05-14 to 2024-08-31; the list of memberships differs and was corrected.',
  ]);
});

test("the service's own list of memberships has no effect where the file agrees, and where a directory lacks its carriers", () => {
  const report = createLoadReport('test');
  expect(joinMemberships([], listMemberships(), report).size).toBe(0);
  expect(report.entries).toEqual([]);
});

test("the service's own list of memberships does not affect another carrier with the code of the named one", () => {
  expect(join([buildRankedCarrier({ iata: 'XM', name: 'Zimex Aviation' })], []).memberships).toEqual([undefined]);
});

test("the service's own list of memberships has full dates in ascending order", () => {
  const date = /^\d{4}-\d\d-\d\d$/;
  for (const { from, to, iata } of listMemberships()) {
    const isInOrder = date.test(from) && (to === '' || (date.test(to) && from < to));
    expect(isInOrder && /^[A-Z0-9]{2}$/.test(iata), `${iata} from ${from} to ${to}`).toBe(true);
  }
});
