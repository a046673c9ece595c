import { expect, test } from 'vitest';
import { assessDataHealth, type DataHealth, type HealthFinding } from '../../../src/domain/health/data-health.ts';

const now = new Date('2027-03-10T12:00:00Z');
const expected = { now, horizonDays: 62 };

const well: DataHealth = {
  clock: new Date('2027-03-10T12:00:00.400Z'),
  bytes: 1,
  schedules: { loadedAt: new Date('2027-03-09T12:00:00Z'), expandedTo: '2027-05-09', instances: 1234 },
  status: { observedAt: new Date('2027-03-10T11:59:00Z'), quarantined: 0 },
  connections: { builtAt: new Date('2027-03-07T12:00:00Z'), from: '2027-03-07', days: 365 },
  events: { unsequenced: 3, undistributed: 4 },
  push: { endpoints: 2, disabled: 0, deadLetters: 1 },
  keys: { valid: 5, expiringSoon: 0 },
};

test('every part of a healthy store is ok', () => {
  expect(assessDataHealth(well, expected)).toEqual([
    { name: 'clock', level: 'ok', text: 'the clock of the database is 0.4 s from this one' },
    { name: 'schedules', level: 'ok', text: 'loaded 24 h ago; 1234 flight instances, laid out to 2027-05-09' },
    { name: 'status', level: 'ok', text: 'newest observation 0 h ago' },
    { name: 'connections', level: 'ok', text: 'a set of 365 days from 2027-03-07, built 3 days ago' },
    { name: 'events', level: 'ok', text: '3 not in the log yet, 4 not given to accounts yet' },
    { name: 'push', level: 'ok', text: '2 endpoints, 0 of them disabled; 1 dead letters' },
    { name: 'keys', level: 'ok', text: '5 valid, 0 of them for 30 days at most' },
  ] satisfies readonly HealthFinding[]);
});

const silent = { observedAt: new Date('2027-03-10T10:30:00Z'), quarantined: 7 };
const old = { builtAt: new Date('2027-03-02T11:00:00Z'), from: '2027-03-02', days: 365 };
const loaded = 'loaded 24 h ago';
const notExpanded = 'but today is not laid out: is a server running?';
const unknownStatus = 'nothing is known of a flight of yesterday or today';
const backlog = '60000 not in the log yet, 40001 not given to accounts yet';

test.each<readonly [Partial<DataHealth>, HealthFinding['level'], string]>([
  [{ clock: new Date('2027-03-10T11:59:54Z') }, 'attention', 'the clock of the database is 6.0 s from this one'],
  [{ schedules: { loadedAt: undefined, expandedTo: undefined, instances: 0 } }, 'attention', 'none was ever loaded'],
  [{ schedules: { ...well.schedules, expandedTo: '2027-03-09' } }, 'failure', `${loaded}, ${notExpanded}`],
  [
    { schedules: { ...well.schedules, expandedTo: '2027-05-08' } },
    'attention',
    `${loaded}; 1234 flight instances, laid out to 2027-05-08 and not to 2027-05-09`,
  ],
  [{ status: silent }, 'attention', 'newest observation 2 h ago; 7 messages fit no flight'],
  [{ status: { observedAt: undefined, quarantined: 0 } }, 'attention', unknownStatus],
  [{ connections: undefined }, 'attention', 'no set was built: Connections answers 503'],
  [{ connections: old }, 'attention', 'a set of 365 days from 2027-03-02, built 8 days ago'],
  [{ events: { unsequenced: 60_000, undistributed: 40_001 } }, 'attention', backlog],
  [
    { push: { endpoints: 2, disabled: 1, deadLetters: 9 } },
    'attention',
    '2 endpoints, 1 of them disabled; 9 dead letters',
  ],
  [{ keys: { valid: 0, expiringSoon: 0 } }, 'attention', 'there is none: nobody can ask'],
  [{ keys: { valid: 3, expiringSoon: 1 } }, 'attention', '3 valid, 1 of them for 30 days at most'],
])('%j is reported as %s, and no other change: %s', (change, level, text) => {
  const [name] = Object.keys(change);
  const others = assessDataHealth(well, expected);
  expect(assessDataHealth({ ...well, ...change }, expected)).toEqual(
    others.map((finding) => (finding.name === name ? { name, level, text } : finding)),
  );
});
