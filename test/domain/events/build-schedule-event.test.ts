import { describe, expect, test } from 'vitest';
import { buildScheduleEvent, type PreviousSchedule } from '../../../src/domain/events/event-builder.ts';
import type { ScheduleContent } from '../../../src/domain/events/event-content.ts';
import { fullScheduleContent } from './event-contents.ts';

const flight = fullScheduleContent;
const retimed: ScheduleContent = {
  ...flight,
  departure: { ...flight.departure, time: { local: '20:25', utc: '02:25' } },
};
const inForce = (content: ScheduleContent): PreviousSchedule => ({ kind: 'in-force', content });
const deleted = (content: ScheduleContent | undefined): PreviousSchedule => ({ kind: 'deleted', content });
const never: PreviousSchedule = { kind: 'never' };

const retiming = [
  { propertyName: 'Departure.Time.Local', previousValue: '20:20' },
  { propertyName: 'Departure.Time.UTC', previousValue: '02:20' },
];

describe('the event of an instance when a schedule is published', () => {
  test.each([
    ['a new instance is NEW', never, flight, { state: 'NEW', content: flight, changes: [] }],
    [
      'a changed instance is UPDATED',
      inForce(flight),
      retimed,
      { state: 'UPDATED', content: retimed, changes: retiming },
    ],
    [
      'a removed instance is DELETED with its last content',
      inForce(flight),
      undefined,
      { state: 'DELETED', content: flight, changes: [] },
    ],
    [
      'an instance that returns unchanged is REINSTATED without changes',
      deleted(flight),
      flight,
      { state: 'REINSTATED', content: flight, changes: [] },
    ],
    [
      'an instance that returns changed is REINSTATED with the changes since its deletion',
      deleted(flight),
      retimed,
      { state: 'REINSTATED', content: retimed, changes: retiming },
    ],
    [
      'an instance whose last content is unknown is REINSTATED without changes',
      deleted(undefined),
      flight,
      { state: 'REINSTATED', content: flight, changes: [] },
    ],
  ])('%s', (_, before, after, event) => {
    expect(buildScheduleEvent(before, after, 3)).toEqual({
      kind: 'schedule',
      ...event,
      version: 4,
    });
  });

  test.each([
    ['an unchanged instance', inForce(flight), structuredClone(flight)],
    ['an instance that never existed', never, undefined],
    ['an instance that stays deleted', deleted(flight), undefined],
  ])('%s has no event', (_, before, after) => {
    expect(buildScheduleEvent(before, after, 3)).toBeUndefined();
  });
});

test('a first event has version 1', () => {
  expect(buildScheduleEvent(never, flight, 0)?.version).toBe(1);
});
