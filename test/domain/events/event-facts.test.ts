import { describe, expect, test } from 'vitest';
import {
  buildScheduleEvent,
  buildStatusEvent,
  toScheduleFacts,
  toStatusFacts,
} from '../../../src/domain/events/event-builder.ts';
import type { ScheduleContent, StatusContent } from '../../../src/domain/events/event-content.ts';
import { localDate } from '../../../src/domain/time/dates.ts';
import { fullScheduleContent, fullStatusContent } from './event-contents.ts';
import { withValue, withValues } from './edit-content.ts';

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

/** The facts of the event that leads to a status. */
const factsOf = (after: StatusContent, before?: StatusContent) => {
  const event = buildStatusEvent(before, after, 0);
  return event && toStatusFacts(event);
};

const newScheduleFacts = (content: ScheduleContent, isMarketing: boolean) => {
  const event = buildScheduleEvent({ kind: 'never' }, content, 0);
  return event && toScheduleFacts(event, isMarketing);
};

test('alerts select a schedule event by the flight as filed', () => {
  expect(newScheduleFacts(fullScheduleContent, false)).toEqual({ kind: 'schedule', ...flight });
  const nameless = withValues(fullScheduleContent, [
    ['CarrierCode', {}],
    ['Departure.Airport', {}],
    ['Arrival.Airport', {}],
    ['Arrival.Date.Local', '2027-01-11'],
  ]);
  expect(newScheduleFacts(nameless, true)).toEqual({
    kind: 'schedule',
    ...flight,
    isMarketing: true,
    iataCarrierCode: '',
    icaoCarrierCode: '',
    departureAirport: '',
    arrivalAirport: '',
    arrivalDate: localDate('2027-01-11'),
  });
});

test('alerts select a status event by the flight as scheduled, even after a diversion, and by the changes', () => {
  const before = withValue(fullStatusContent, 'Departure.Gate', 'A9');
  expect(factsOf(fullStatusContent, before)).toEqual({
    kind: 'status',
    ...flight,
    changed: new Set(['gates']),
    changedElse: false,
    outGateVariationMinutes: 0,
    inGateVariationMinutes: 5,
  });
});

describe('estimated variations', () => {
  test.each([
    ['00:00:00', 0],
    ['00:16:00', 16],
    ['-00:15:30', -15.5],
    ['24:00:00', 1440],
    ['-25:01:00', -1501],
  ])('%s is %d minutes', (variation, minutes) => {
    const out = withValue(fullStatusContent, 'Departure.Times.Estimated.OutGateVariation', variation);
    const both = withValue(out, 'Arrival.Times.Estimated.InGateVariation', variation);
    expect(factsOf(both)).toMatchObject({ outGateVariationMinutes: minutes, inGateVariationMinutes: minutes });
  });

  test('are undefined without an estimate', () => {
    const none = withValues(fullStatusContent, [
      ['Departure.Times.Estimated', undefined],
      ['Arrival.Times', undefined],
    ]);
    expect(factsOf(none)).toMatchObject({
      outGateVariationMinutes: undefined,
      inGateVariationMinutes: undefined,
      arrivalDate: flight.departureDate,
    });
  });
});

test('an unscheduled flight without airport codes is selected by the known properties', () => {
  const charter = withValues(fullStatusContent, [
    ['FlightType', 'Unscheduled'],
    ['IsOperating', false],
    ['CarrierCode', {}],
    ['Departure.Times', undefined],
    ['Departure.Scheduled', {}],
    ['Arrival.Scheduled', {}],
  ]);
  expect(factsOf(charter)).toMatchObject({
    flightType: 'Unscheduled',
    isMarketing: true,
    iataCarrierCode: '',
    icaoCarrierCode: '',
    departureAirport: '',
    arrivalAirport: '',
    departureDate: flight.departureDate,
  });
});
