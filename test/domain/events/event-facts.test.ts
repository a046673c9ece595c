import { describe, expect, test } from 'vitest';
import { scheduleEventFacts, statusEventFacts, statusEvents } from '../../../src/domain/events/event-builder.ts';
import type { StatusContent } from '../../../src/domain/events/event-content.ts';
import { localDate } from '../../../src/domain/time/dates.ts';
import { wholeSchedule, wholeStatus } from './bodies.ts';
import { withValue, withValues } from './edit-body.ts';

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

/** What alerts choose the event by that leads to a status. */
const factsOf = (after: StatusContent, before?: StatusContent) => statusEvents(before, after, 0).map(statusEventFacts);

test('a schedule event is chosen by its flight as it is filed', () => {
  expect(scheduleEventFacts(wholeSchedule, false)).toEqual({ kind: 'schedule', ...flight });
  const nameless = withValues(wholeSchedule, [
    ['CarrierCode', {}],
    ['Departure.Airport', {}],
    ['Arrival.Airport', {}],
    ['Arrival.Date.Local', '2027-01-11'],
  ]);
  expect(scheduleEventFacts(nameless, true)).toEqual({
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

test('a status event is chosen by its flight as it was scheduled, wherever it was diverted to, and by what changed', () => {
  const before = withValue(wholeStatus, 'Departure.Gate', 'A9');
  expect(factsOf(wholeStatus, before)).toEqual([
    {
      kind: 'status',
      ...flight,
      changed: new Set(['gates']),
      changedElse: false,
      outGateVariationMinutes: 0,
      inGateVariationMinutes: 5,
    },
  ]);
});

describe('estimated variations', () => {
  test.each([
    ['00:00:00', 0],
    ['00:16:00', 16],
    ['-00:15:30', -15.5],
    ['24:00:00', 1440],
    ['-25:01:00', -1501],
  ])('%s is %d minutes', (variation, minutes) => {
    const out = withValue(wholeStatus, 'Departure.Times.Estimated.OutGateVariation', variation);
    const both = withValue(out, 'Arrival.Times.Estimated.InGateVariation', variation);
    expect(factsOf(both)).toMatchObject([{ outGateVariationMinutes: minutes, inGateVariationMinutes: minutes }]);
  });

  test('are not there without an estimate', () => {
    const none = withValues(wholeStatus, [
      ['Departure.Times.Estimated', undefined],
      ['Arrival.Times', undefined],
    ]);
    expect(factsOf(none)).toMatchObject([
      { outGateVariationMinutes: undefined, inGateVariationMinutes: undefined, arrivalDate: flight.departureDate },
    ]);
  });
});

test('a flight that no schedule holds, without codes of its airports, is chosen by what there is', () => {
  const charter = withValues(wholeStatus, [
    ['FlightType', 'Unscheduled'],
    ['IsOperating', false],
    ['CarrierCode', {}],
    ['Departure.Times', undefined],
    ['Departure.Scheduled', {}],
    ['Arrival.Scheduled', {}],
  ]);
  expect(factsOf(charter)).toMatchObject([
    {
      flightType: 'Unscheduled',
      isMarketing: true,
      iataCarrierCode: '',
      icaoCarrierCode: '',
      departureAirport: '',
      arrivalAirport: '',
      departureDate: flight.departureDate,
    },
  ]);
});
