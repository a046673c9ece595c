import { describe, expect, test } from 'vitest';
import { matchAlert } from '#domain/alerts/alert-match.ts';
import { statusChangeKinds, type Alert, type StatusChangeKind } from '#domain/alerts/alert.ts';
import type { StatusEventFacts } from '#domain/alerts/event-facts.ts';
import { localDate } from '#domain/time/dates.ts';
import { onlyFilters, sampleAlert } from './sample-alert.ts';
import { scheduleEvent, statusEvent } from './sample-events.ts';

const portAlert: Alert = { ...sampleAlert, alertType: 'Port', departureAirport: 'AAA' };

const unchanged = { ...statusEvent, changedElse: false };
const changedOnly = (...kinds: readonly StatusChangeKind[]) => ({ ...unchanged, changed: new Set(kinds) });

const onDay = localDate('2027-05-01');
const otherRoute = { departureAirport: 'CCC', arrivalAirport: 'CCC' };
const numbers = { flightNumber: 5, fromFlight: 4, toFlight: 6 };
const codes = { iataCarrierCode: 'YY', icaoCarrierCode: 'YYA', ...otherRoute };
const ignored = { ...codes, ...numbers, departureDate: onDay, arrivalDate: onDay };

// The tests of random alerts compare which events match with an oracle; these are the reasons for the others.
test.each<[string, Partial<Alert>, Partial<StatusEventFacts>, string, string]>([
  ['an alert that is not active', { active: false }, {}, 'active', 'active'],
  ['a Global alert with other filters', ignored, {}, 'matched', 'matched'],
  ['an alert without status events', { status: false }, {}, 'matched', 'status'],
  ['an alert without schedule events', { schedules: false }, {}, 'schedules', 'matched'],
  ['a GA flight', {}, { flightType: 'GA' }, 'gaFlights', 'gaFlights'],
  ['an unscheduled flight', {}, { flightType: 'Unscheduled' }, 'unscheduledFlights', 'unscheduledFlights'],
  ['a marketing flight, excluded', { codeshare: false }, { isMarketing: true }, 'codeshare', 'codeshare'],
  ['the first of several settings', { ...portAlert, status: false, ...otherRoute }, {}, 'departureAirport', 'status'],
])('%s', (_, settings, facts, ofSchedule, ofStatus) => {
  const { flightType = 'Scheduled', isMarketing = false } = facts;
  const alert = { ...sampleAlert, ...settings };
  const events = [scheduleEvent, statusEvent].map((event) => ({ ...event, flightType, isMarketing }));
  expect(events.map((event) => matchAlert(alert, event))).toStrictEqual([ofSchedule, ofStatus]);
});

describe('selection by the properties of a status update', () => {
  test.each(statusChangeKinds)('an update that changes %s alone passes its own filter only', (change) => {
    const others = statusChangeKinds.filter((other) => other !== change);
    const verdicts = [[change], others].map((kinds) =>
      matchAlert({ ...sampleAlert, statusChangeFilters: onlyFilters(...kinds) }, changedOnly(change)),
    );
    expect(verdicts).toStrictEqual(['matched', 'statusChangeFilters']);
  });

  test.each([
    [31, 20, 31, 'matched'],
    [31, 30, 45, 'matched'],
    [31, 31, 45, 'estimatedDepartureTimeThreshold'],
    [31, 45, 20, 'estimatedDepartureTimeThreshold'],
    [31, undefined, 45, 'estimatedDepartureTimeThreshold'],
    [31, 0, undefined, 'estimatedDepartureTimeThreshold'],
    [0, 0, 0, 'estimatedDepartureTimeThreshold'],
    [0, -1, 0, 'matched'],
    [-15, 0, -15, 'matched'],
    [-15, -15, -20, 'estimatedDepartureTimeThreshold'],
  ])('with thresholdOnce, the threshold %s selects a change from %s to %s: %s', (threshold, before, after, verdict) => {
    const alert = { ...sampleAlert, estimatedDepartureTimeThreshold: threshold, thresholdOnce: true };
    const previous = before === undefined ? {} : { previousOutGateVariationMinutes: before };
    expect(matchAlert(alert, { ...statusEvent, outGateVariationMinutes: after, ...previous })).toBe(verdict);
  });

  test.each([
    // Estimates before the update, between and after it; with the verdicts of an alert that selects always, and once.
    [0, [40], 10, 'matched', 'matched'],
    [0, [20, 25], 10, 'estimatedDepartureTimeThreshold', 'estimatedDepartureTimeThreshold'],
    [40, [10], 45, 'matched', 'matched'],
    [40, [45], 50, 'matched', 'estimatedDepartureTimeThreshold'],
    [40, [35], 10, 'matched', 'estimatedDepartureTimeThreshold'],
    [undefined, [40], undefined, 'matched', 'matched'],
  ] as const)('the threshold 31 selects a change from %s over %s to %s: %s, once: %s', (...row) => {
    const [before, outGateVariationSteps, outGateVariationMinutes, always, once] = row;
    const previous = before === undefined ? {} : { previousOutGateVariationMinutes: before };
    const event = { ...statusEvent, ...previous, outGateVariationSteps, outGateVariationMinutes };
    const verdicts = [false, true].map((thresholdOnce) =>
      matchAlert({ ...sampleAlert, estimatedDepartureTimeThreshold: 31, thresholdOnce }, event),
    );
    expect(verdicts).toEqual([always, once]);
  });

  test('cancellations are selected whatever the threshold is, if requested', () => {
    const alert = { ...sampleAlert, estimatedDepartureTimeThreshold: 31 };
    const cancellation = { ...statusEvent, isCancellation: true as const };
    const verdicts = [false, true].map((cancellations) => matchAlert({ ...alert, cancellations }, cancellation));
    expect(verdicts).toStrictEqual(['estimatedDepartureTimeThreshold', 'matched']);
    expect(matchAlert({ ...alert, cancellations: true }, statusEvent)).toBe('estimatedDepartureTimeThreshold');
  });
});
