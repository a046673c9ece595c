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

test.each<readonly [string, Partial<DataHealth>, HealthFinding]>([
  [
    'clocks that differ',
    { clock: new Date('2027-03-10T11:59:54Z') },
    { name: 'clock', level: 'attention', text: 'the clock of the database is 6.0 s from this one' },
  ],
  [
    'no schedule',
    { schedules: { loadedAt: undefined, expandedTo: undefined, instances: 0 } },
    { name: 'schedules', level: 'attention', text: 'none was ever loaded' },
  ],
  [
    'a today that is not expanded',
    { schedules: { ...well.schedules, expandedTo: '2027-03-09' } },
    {
      name: 'schedules',
      level: 'failure',
      text: 'loaded 24 h ago, but today is not laid out: is a server running?',
    },
  ],
  [
    'an outdated horizon',
    { schedules: { ...well.schedules, expandedTo: '2027-05-08' } },
    {
      name: 'schedules',
      level: 'attention',
      text: 'loaded 24 h ago; 1234 flight instances, laid out to 2027-05-08 and not to 2027-05-09',
    },
  ],
  [
    'a silent feed',
    { status: { observedAt: new Date('2027-03-10T10:30:00Z'), quarantined: 7 } },
    { name: 'status', level: 'attention', text: 'newest observation 2 h ago; 7 messages fit no flight' },
  ],
  [
    'no feed',
    { status: { observedAt: undefined, quarantined: 0 } },
    { name: 'status', level: 'attention', text: 'nothing is known of a flight of yesterday or today' },
  ],
  [
    'no connection set',
    { connections: undefined },
    { name: 'connections', level: 'attention', text: 'no set was built: Connections answers 503' },
  ],
  [
    'an old connection set',
    { connections: { builtAt: new Date('2027-03-02T11:00:00Z'), from: '2027-03-02', days: 365 } },
    { name: 'connections', level: 'attention', text: 'a set of 365 days from 2027-03-02, built 8 days ago' },
  ],
  [
    'an event backlog',
    { events: { unsequenced: 60_000, undistributed: 40_001 } },
    { name: 'events', level: 'attention', text: '60000 not in the log yet, 40001 not given to accounts yet' },
  ],
  [
    'a disabled endpoint',
    { push: { endpoints: 2, disabled: 1, deadLetters: 9 } },
    { name: 'push', level: 'attention', text: '2 endpoints, 1 of them disabled; 9 dead letters' },
  ],
  [
    'no key',
    { keys: { valid: 0, expiringSoon: 0 } },
    { name: 'keys', level: 'attention', text: 'there is none: nobody can ask' },
  ],
  [
    'a key that ends soon',
    { keys: { valid: 3, expiringSoon: 1 } },
    { name: 'keys', level: 'attention', text: '3 valid, 1 of them for 30 days at most' },
  ],
])('%s is reported, and no other change', (_, change, finding) => {
  const findings = assessDataHealth({ ...well, ...change }, expected);
  const others = assessDataHealth(well, expected).filter(({ name }) => name !== finding.name);
  expect(findings.find(({ name }) => name === finding.name)).toEqual(finding);
  expect(findings.filter(({ name }) => name !== finding.name)).toEqual(others);
});
