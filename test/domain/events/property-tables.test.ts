import { describe, expect, test } from 'vitest';
import { buildScheduleEvent, buildStatusEvent } from '../../../src/domain/events/event-builder.ts';
import { scheduleProperties, statusProperties } from '../../../src/domain/events/event-properties.ts';
import type { ScheduleContent, StatusContent } from '../../../src/domain/events/event-content.ts';
import { fullScheduleContent, fullStatusContent } from './event-contents.ts';
import { differentValue, listNames, getValue, withValue } from './edit-content.ts';

const inSchedule = (before: ScheduleContent, after: ScheduleContent) =>
  buildScheduleEvent({ kind: 'in-force', content: before }, after, 6);

const scheduleNames = scheduleProperties.map(({ name }) => name);
const statusNames = statusProperties.map(({ name }) => name);

describe('every property of a schedule event except the identity of the flight has a name', () => {
  test('in the order of the document', () => {
    const identity = ['ServiceSuffix', 'FlightNumber', 'ScheduleInstanceKey'];
    expect(scheduleNames).toEqual(listNames(fullScheduleContent).filter((name) => !identity.includes(name)));
  });

  test.each(scheduleNames)('%s that changes alone is the only change, with its previous value', (name) => {
    const previousValue = getValue(fullScheduleContent, name);
    const after = withValue(fullScheduleContent, name, differentValue(previousValue));
    expect(inSchedule(fullScheduleContent, after)).toEqual({
      kind: 'schedule',
      state: 'UPDATED',
      content: after,
      version: 7,
      changes: [{ propertyName: name, previousValue }],
    });
  });

  test.each(scheduleNames)('%s that is removed has its previous value', (name) => {
    const after = withValue(fullScheduleContent, name, undefined);
    const previousValue = getValue(fullScheduleContent, name);
    expect(inSchedule(fullScheduleContent, after)?.changes).toStrictEqual([{ propertyName: name, previousValue }]);
  });

  test.each(scheduleNames)('%s that is added has no previous value', (name) => {
    const before = withValue(fullScheduleContent, name, undefined);
    expect(inSchedule(before, fullScheduleContent)?.changes).toStrictEqual([{ propertyName: name }]);
  });
});

describe('every property of a status event except the identity of the flight has a name', () => {
  test('in the order of the document', () => {
    const identity = ['FlightNumber', 'ServiceSuffix', 'OriginationDate.Local'];
    expect(statusNames).toEqual(listNames(fullStatusContent).filter((name) => !identity.includes(name)));
  });

  test.each(statusNames)('%s that changes alone is the only change, with its previous value', (name) => {
    const previousValue = getValue(fullStatusContent, name);
    const after = withValue(fullStatusContent, name, differentValue(previousValue));
    expect(buildStatusEvent(fullStatusContent, after, 6)).toEqual({
      kind: 'status',
      content: after,
      version: 7,
      changes: [{ propertyName: name, previousValue }],
    });
  });

  test.each(statusNames)('%s that is removed has its previous value', (name) => {
    const after = withValue(fullStatusContent, name, undefined);
    const previousValue = getValue(fullStatusContent, name);
    expect(buildStatusEvent(fullStatusContent, after, 6)?.changes).toStrictEqual([
      { propertyName: name, previousValue },
    ]);
  });

  test.each(statusNames)('%s that is added has no previous value', (name) => {
    const before: StatusContent = withValue(fullStatusContent, name, undefined);
    expect(buildStatusEvent(before, fullStatusContent, 6)?.changes).toStrictEqual([{ propertyName: name }]);
  });
});

test('names are in Pascal case, with UTC in capitals', () => {
  expect(statusNames).toEqual(
    expect.arrayContaining([
      'State',
      'Equipment.AircraftType.Iata',
      'Equipment.AircraftType.Icao',
      'Equipment.AircraftRegistrationNumber',
      'Departure.Times.Estimated.OutGateTimeliness',
      'Departure.Times.Estimated.OutGateVariation',
      'Departure.Times.Estimated.OutGate.Local',
      'Departure.Times.Estimated.OutGate.UTC',
      'Departure.Times.Actual.OutGateTimeliness',
      'Departure.Times.Actual.OutGateVariation',
      'Departure.Times.Actual.OutGate.Local',
      'Departure.Times.Actual.OutGate.UTC',
      'Arrival.Times.Estimated.OnGround.UTC',
    ]),
  );
});
