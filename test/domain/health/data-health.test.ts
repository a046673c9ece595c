import { expect, test } from 'vitest';
import { assessDataHealth, type DataHealth, type HealthFinding } from '#domain/health/data-health.ts';

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
    { name: 'clock', level: 'ok', text: 'the clocks of the database and of this host differ by 0.4 s' },
    { name: 'schedules', level: 'ok', text: 'loaded 24 h ago; 1234 flight instances, expanded to 2027-05-09' },
    { name: 'status', level: 'ok', text: 'newest observation 0 h ago' },
    { name: 'connections', level: 'ok', text: 'connection set of 365 days from 2027-03-07, built 3 days ago' },
    { name: 'events', level: 'ok', text: 'backlog: 3 not in the event log, 4 not fanned out to accounts' },
    { name: 'push', level: 'ok', text: '2 endpoints, 0 disabled; 1 dead letters' },
    { name: 'keys', level: 'ok', text: '5 valid, 0 of them expire within 30 days' },
  ] satisfies readonly HealthFinding[]);
});

const silent = { observedAt: new Date('2027-03-10T10:30:00Z'), quarantined: 7 };
const old = { builtAt: new Date('2027-03-02T11:00:00Z'), from: '2027-03-02', days: 365 };
const loaded = 'loaded 24 h ago';
const notExpanded = 'but not expanded to today; start a server, or run: flightdata expand';
const unknownStatus = 'no status of flights of yesterday or today; check the status feed';
const backlog = 'backlog: 60000 not in the event log, 40001 not fanned out to accounts';

test.each<readonly [Partial<DataHealth>, HealthFinding['level'], string]>([
  [
    { clock: new Date('2027-03-10T11:59:54Z') },
    'warning',
    'the clocks of the database and of this host differ by 6.0 s',
  ],
  [
    { schedules: { loadedAt: undefined, expandedTo: undefined, instances: 0 } },
    'warning',
    'no schedules loaded; load them with: flightdata import ssim',
  ],
  [{ schedules: { ...well.schedules, expandedTo: '2027-03-09' } }, 'failure', `${loaded}, ${notExpanded}`],
  [
    { schedules: { ...well.schedules, expandedTo: '2027-05-08' } },
    'warning',
    `${loaded}; 1234 flight instances, expanded to 2027-05-08, not to 2027-05-09; start a server, or run: flightdata expand`,
  ],
  [{ status: silent }, 'warning', 'newest observation 2 h ago; 7 unmatched messages'],
  [{ status: { observedAt: undefined, quarantined: 0 } }, 'warning', unknownStatus],
  [
    { connections: undefined },
    'warning',
    'no connection set, the Connections product returns 503; start a server, or run: flightdata build connections',
  ],
  [{ connections: old }, 'warning', 'connection set of 365 days from 2027-03-02, built 8 days ago'],
  [{ events: { unsequenced: 60_000, undistributed: 40_001 } }, 'warning', backlog],
  [{ push: { endpoints: 2, disabled: 1, deadLetters: 9 } }, 'warning', '2 endpoints, 1 disabled; 9 dead letters'],
  [{ keys: { valid: 0, expiringSoon: 0 } }, 'warning', 'no API keys; create one with: flightdata keys create'],
  [{ keys: { valid: 3, expiringSoon: 1 } }, 'warning', '3 valid, 1 of them expire within 30 days'],
])('%j is reported as %s, and no other change: %s', (change, level, text) => {
  const [name] = Object.keys(change);
  const others = assessDataHealth(well, expected);
  expect(assessDataHealth({ ...well, ...change }, expected)).toEqual(
    others.map((finding) => (finding.name === name ? { name, level, text } : finding)),
  );
});
