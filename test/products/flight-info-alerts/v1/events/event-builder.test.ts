import { describe, expect, test } from 'vitest';
import {
  buildScheduleEvent,
  buildStatusEvent,
  listChangeKinds,
} from '#products/flight-info-alerts/v1/events/event-builder.ts';
import { toScheduleFacts, toStatusFacts } from '#products/flight-info-alerts/v1/events/event-builder.ts';
import type { PreviousSchedule } from '#products/flight-info-alerts/v1/events/event-builder.ts';
import type { ScheduleContent, StatusContent } from '#products/flight-info-alerts/v1/events/event-content.ts';
import { statusProperties } from '#products/flight-info-alerts/v1/events/event-properties.ts';
import { localDate } from '#domain/time/dates.ts';
import { fullScheduleContent, fullStatusContent } from './event-contents.ts';
import { differentValue, getValue, withValue, withValues } from './edit-content.ts';

describe('the event of an instance when a schedule is published', () => {
  const flight = fullScheduleContent;
  const retimed = withValues(
    flight,
    Object.entries({ 'Departure.Time.Local': '20:25', 'Departure.Time.UTC': '02:25' }),
  );
  const inForce = { kind: 'in-force', content: flight } as const;
  const deleted = { kind: 'deleted', content: flight } as const;
  const never = { kind: 'never' } as const;
  const previous = { 'Departure.Time.Local': '20:20', 'Departure.Time.UTC': '02:20' };
  const retiming = Object.entries(previous).map(([propertyName, previousValue]) => ({ propertyName, previousValue }));

  test.each<[string, PreviousSchedule, ScheduleContent | undefined, string, object, readonly object[]]>([
    ['a new instance', never, flight, 'NEW', flight, []],
    ['a changed instance', inForce, retimed, 'UPDATED', retimed, retiming],
    ['a removed instance, with its last content', inForce, undefined, 'DELETED', flight, []],
    ['an instance that returns unchanged', deleted, flight, 'REINSTATED', flight, []],
    ['an instance that returns changed since its deletion', deleted, retimed, 'REINSTATED', retimed, retiming],
    ['one whose last content is unknown', { ...deleted, content: undefined }, flight, 'REINSTATED', flight, []],
  ])('of %s', (_, before, after, state, content, changes) => {
    expect(buildScheduleEvent(before, after, 3)).toEqual({ kind: 'schedule', state, content, changes, version: 4 });
  });

  test('does not exist for an instance that stays unchanged, never existed, or stays deleted', () => {
    const unchanged = buildScheduleEvent(inForce, structuredClone(flight), 3);
    const absent = [never, deleted].map((previous) => buildScheduleEvent(previous, undefined, 3));
    expect([unchanged, ...absent]).toEqual([undefined, undefined, undefined]);
  });
});

describe('the event of a status message', () => {
  test('has all properties of an unknown flight as added', () => {
    expect(buildStatusEvent(undefined, fullStatusContent, 0)).toStrictEqual({
      kind: 'status',
      content: fullStatusContent,
      version: 1,
      changes: statusProperties.map(({ name }) => ({ propertyName: name })),
    });
  });

  test('does not exist without changes', () => {
    expect(buildStatusEvent(fullStatusContent, structuredClone(fullStatusContent), 3)).toBeUndefined();
  });
});

describe('change types', () => {
  /** The kinds of change when these properties change. */
  const kindsOf = (...names: readonly string[]) => {
    const values = names.map((name) => [name, differentValue(getValue(fullStatusContent, name))] as const);
    const event = buildStatusEvent(fullStatusContent, withValues(fullStatusContent, values), 0);
    const { changed, changedElse } = listChangeKinds(event?.changes ?? []);
    return [...[...changed].toSorted(), ...(changedElse ? ['else'] : [])].join(' ');
  };
  test.each([
    [['Arrival.Terminal'], 'terminal'],
    [['State'], 'else'],
    [['Departure.Times.Actual.OutGate.UTC'], 'else'],
    [['DiversionAirport.Iata'], 'else'],
    [['Departure.CheckInCounter'], 'else'],
    [['Departure.Gate', 'Arrival.Baggage', 'State'], 'baggage gates else'],
    [[], ''],
  ])('of %j are %j', (names, expected) => {
    expect(kindsOf(...names)).toBe(expected);
  });
});

describe('event properties for alert selection', () => {
  const flight = {
    flightType: 'Scheduled',
    isMarketing: false,
    iataCarrierCode: 'ZZ',
    icaoCarrierCode: 'ZZA',
    flightNumber: 2505,
    departureAirport: 'AAA',
    arrivalAirport: 'BBB',
    departureDate: localDate('2027-01-10'),
    arrivalDate: localDate('2027-01-10'),
  };
  const noCodes = { iataCarrierCode: '', icaoCarrierCode: '', departureAirport: '', arrivalAirport: '' };
  const newSchedule = (content: ScheduleContent, isMarketing: boolean) => {
    const event = buildScheduleEvent({ kind: 'never' }, content, 0);
    return event && toScheduleFacts(event, { isMarketing, before: { kind: 'never' } });
  };
  const newStatus = (after: StatusContent, before?: StatusContent) => {
    const event = buildStatusEvent(before, after, 0);
    return event && toStatusFacts(event);
  };

  test('are those of the filed flight in a schedule event', () => {
    expect(newSchedule(fullScheduleContent, false)).toEqual({ kind: 'schedule', ...flight });
    const airports = { 'Departure.Airport': {}, 'Arrival.Airport': {} };
    const changes = { CarrierCode: {}, ...airports, 'Arrival.Date.Local': '2027-01-11' };
    const nameless = withValues(fullScheduleContent, Object.entries(changes));
    const arrivalDate = localDate('2027-01-11');
    const facts = { kind: 'schedule', ...flight, ...noCodes, isMarketing: true, arrivalDate };
    expect(newSchedule(nameless, true)).toEqual(facts);
  });

  test('are those of the scheduled flight and the changes in a status event, even after a diversion', () => {
    expect(newStatus(fullStatusContent, withValue(fullStatusContent, 'Departure.Gate', 'A9'))).toEqual({
      kind: 'status',
      ...flight,
      changed: new Set(['gates']),
      changedElse: false,
      outGateVariationMinutes: 0,
      inGateVariationMinutes: 5,
    });
  });

  test.each([
    ['00:00:00', 0],
    ['00:16:00', 16],
    ['-00:15:30', -15.5],
    ['24:00:00', 1440],
    ['-25:01:00', -1501],
  ])('have an estimated variation of %s as %d minutes', (variation, minutes) => {
    const ends = ['Departure.Times.Estimated.OutGate', 'Arrival.Times.Estimated.InGate'];
    const both = withValues(fullStatusContent, new Map(ends.map((name) => [`${name}Variation`, variation])));
    const before = { previousOutGateVariationMinutes: 0, previousInGateVariationMinutes: 0 };
    const now = { outGateVariationMinutes: minutes, inGateVariationMinutes: minutes };
    expect(newStatus(both)).toMatchObject({ ...now, ...before });
  });

  test('have the variation before the update if it changed, and mark the cancellation only', () => {
    const variation = 'Departure.Times.Estimated.OutGateVariation';
    const late = withValue(fullStatusContent, variation, '00:40:00');
    expect(newStatus(late, withValue(fullStatusContent, variation, '-00:05:30'))).toMatchObject({
      outGateVariationMinutes: 40,
      previousOutGateVariationMinutes: -5.5,
    });
    const canceled = withValue(fullStatusContent, 'State', 'Canceled');
    const moved = withValue(canceled, 'Departure.Gate', 'A9');
    const facts = [newStatus(canceled, fullStatusContent), newStatus(moved, canceled)];
    expect(facts.map((one) => one?.kind === 'status' && one.isCancellation)).toStrictEqual([true, undefined]);
  });

  test('have no variation without an estimate, and the departure date without an arrival', () => {
    const missing = ['Departure.Times.Estimated', 'Arrival.Times'].map((name) => [name, undefined] as const);
    const none = withValues(fullStatusContent, missing);
    const unknown = { outGateVariationMinutes: undefined, inGateVariationMinutes: undefined };
    expect(newStatus(none)).toMatchObject({ ...unknown, arrivalDate: flight.departureDate });
  });

  test('are only the known ones of an unscheduled flight without airport codes', () => {
    const charter = withValues(fullStatusContent, [
      ['FlightType', 'Unscheduled'],
      ['IsOperating', false],
      ['CarrierCode', {}],
      ['Departure.Times', undefined],
      ['Departure.Scheduled', {}],
      ['Arrival.Scheduled', {}],
    ]);
    const { departureDate } = flight;
    expect(newStatus(charter)).toMatchObject({
      ...noCodes,
      flightType: 'Unscheduled',
      isMarketing: true,
      departureDate,
    });
  });
});
