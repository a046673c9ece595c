import { expect, test } from 'vitest';
import { buildStatusEvent } from '#products/flight-info-alerts/v1/events/event-builder.ts';
import type { StatusContent } from '#products/flight-info-alerts/v1/events/event-content.ts';
import { compareObservations, unobservedFlight } from '#domain/status/observed-flight.ts';
import { applyObservation } from '#domain/status/observed-flight.ts';
import type { FlightObservations, Observation } from '#domain/status/observed-flight.ts';
import { computeFlightView } from '#domain/status/flight-view.ts';
import { parseFlight } from '#products/flight-info-alerts/v1/events/build-content.ts';
import { toStatusContents } from '#products/flight-info-alerts/v1/events/build-content.ts';
import { toSeats } from '#products/flight-info/v2/to-flight-instance.ts';
import { toStatusDetails } from '#products/flight-info/v2/to-status.ts';
import { undoChanges, omitEmpty } from './edit-content.ts';
import { createRandomNumbers, createRandomMessages } from '#test/domain/status/random-messages.ts';
import { masterDataIndex, exampleReference } from '#test/products/flight-info/v2/status-master-data.ts';
import { row } from '#test/products/flight-info/v2/list-row.ts';

const SEEDS = Number(process.env['STATUS_EVENT_SEEDS'] ?? 100);

const instance = { doc: JSON.stringify(row), isMarketing: false, details: '', seats: undefined };

/** The event content after the newest message; before the first message if there is none. */
const contentAfter = (observations: FlightObservations, newest: Observation | undefined): StatusContent | undefined => {
  const view = computeFlightView(observations, exampleReference.departure);
  const status =
    newest &&
    toStatusDetails(
      { observations, view, observedAt: newest.observedAt, isCorrection: false },
      exampleReference,
      masterDataIndex,
    );
  const [seats] = observations.facts.seats ?? [];
  const [content] = toStatusContents(parseFlight([instance]), {
    doc: status ? JSON.stringify(status) : '',
    seats: seats ? JSON.stringify(toSeats(seats)) : undefined,
    originalStatusKey: undefined,
  });
  return content;
};

test(`the event changes of each flight, applied in reverse, give the scheduled flight, seeds 1 to ${SEEDS}`, () => {
  let events = 0;
  let silent = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const scheduled = contentAfter(unobservedFlight, undefined);
    let observations = unobservedFlight;
    let content = scheduled;
    const changes: (readonly { readonly propertyName: string }[])[] = [];
    for (const message of createRandomMessages(createRandomNumbers(seed), 10).toSorted(compareObservations)) {
      observations = applyObservation(observations, message);
      const next = contentAfter(observations, message);
      const event = next && buildStatusEvent(content, next, changes.length);
      if (event) changes.push(event.changes);
      else silent += 1;
      const isChanged = JSON.stringify(omitEmpty(next)) !== JSON.stringify(omitEmpty(content));
      expect(event?.version, `seed ${seed}`).toBe(isChanged ? changes.length : undefined);
      content = next;
    }
    events += changes.length;
    const first = changes.reduceRight<object>((body, each) => undoChanges(body, each), content ?? {});
    expect(omitEmpty(first), `seed ${seed}`).toEqual(omitEmpty(scheduled));
  }
  // The test proves something only if both kinds of message occur.
  expect([events > SEEDS, silent > 0]).toEqual([true, true]);
});
