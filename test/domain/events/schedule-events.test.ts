import { describe, expect, test } from 'vitest';
import { scheduleEvents, type ScheduleState } from '../../../src/domain/events/event-builder.ts';
import type { ScheduleContent } from '../../../src/domain/events/event-content.ts';
import { wholeSchedule } from './bodies.ts';

const flight = wholeSchedule;
const retimed: ScheduleContent = {
  ...flight,
  departure: { ...flight.departure, time: { local: '20:25', utc: '02:25' } },
};
const inForce = (told: ScheduleContent): ScheduleState => ({ kind: 'in-force', told });
const deleted = (told: ScheduleContent | undefined): ScheduleState => ({ kind: 'deleted', told });
const never: ScheduleState = { kind: 'never' };

const retiming = [
  { propertyName: 'Departure.Time.Local', previousValue: '20:20' },
  { propertyName: 'Departure.Time.UTC', previousValue: '02:20' },
];

describe('what becomes of an instance when a schedule is put in force', () => {
  test.each([
    ['one that was never there is new', never, flight, { state: 'NEW', told: flight, changes: [] }],
    ['one that changes is updated', inForce(flight), retimed, { state: 'UPDATED', told: retimed, changes: retiming }],
    [
      'one that goes is deleted, and told as it was',
      inForce(flight),
      undefined,
      { state: 'DELETED', told: flight, changes: [] },
    ],
    [
      'one that comes back as it was is reinstated without a change',
      deleted(flight),
      flight,
      { state: 'REINSTATED', told: flight, changes: [] },
    ],
    [
      'one that comes back otherwise is reinstated with what changed since it was deleted',
      deleted(flight),
      retimed,
      { state: 'REINSTATED', told: retimed, changes: retiming },
    ],
    [
      'one that comes back after nobody knows what is reinstated',
      deleted(undefined),
      flight,
      { state: 'REINSTATED', told: flight, changes: [] },
    ],
  ])('%s', (_, before, after, event) => {
    expect(scheduleEvents(before, after, 3)).toEqual([{ ...event, version: 4 }]);
  });

  test.each([
    ['one that is told the same', inForce(flight), structuredClone(flight)],
    ['one that was never there and still is not', never, undefined],
    ['one that was deleted and stays so', deleted(flight), undefined],
  ])('of %s there is no event', (_, before, after) => {
    expect(scheduleEvents(before, after, 3)).toEqual([]);
  });
});

test('a first event has version 1', () => {
  expect(scheduleEvents(never, flight, 0)[0]?.version).toBe(1);
});
