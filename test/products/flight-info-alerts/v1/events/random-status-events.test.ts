import { expect, test } from 'vitest';
import { statusEvents } from '../../../../../src/domain/events/event-builder.ts';
import type { StatusContent } from '../../../../../src/domain/events/event-content.ts';
import {
  compareObservations,
  nothingKnown,
  observe,
  type KnownFlight,
  type Observation,
} from '../../../../../src/domain/status/known-flight.ts';
import { viewFlight } from '../../../../../src/domain/status/flight-view.ts';
import {
  parseFlight,
  toStatusContents,
} from '../../../../../src/products/flight-info-alerts/v1/events/status-content.ts';
import { toSeats } from '../../../../../src/products/flight-info/v2/to-flight-instance.ts';
import { toStatusDetails } from '../../../../../src/products/flight-info/v2/to-status.ts';
import { takenBack, withoutEmpty } from '../../../../domain/events/edit-body.ts';
import { randomFrom, randomMessages } from '../../../../domain/status/random-messages.ts';
import { directory, frame } from '../../../flight-info/v2/status-directory.ts';
import { row } from './list-row.ts';

const SEEDS = 300;

const instance = { doc: JSON.stringify(row), isMarketing: false, details: '', seats: undefined };

/** The flight as it is told after the newest of its messages; before the first where there is none. */
const toldAfter = (known: KnownFlight, newest: Observation | undefined): StatusContent | undefined => {
  const view = viewFlight(known, frame.departure);
  const status =
    newest && toStatusDetails({ known, view, observedAt: newest.observedAt, isCorrection: false }, frame, directory);
  const [seats] = known.facts.seats ?? [];
  const [told] = toStatusContents(parseFlight([instance]), {
    doc: status ? JSON.stringify(status) : '',
    seats: seats ? JSON.stringify(toSeats(seats)) : undefined,
    originalStatusKey: undefined,
  });
  return told;
};

test(`the events of a flight, taken back one after the other, give it as it was scheduled, seeds 1 to ${SEEDS}`, () => {
  let events = 0;
  let silent = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const scheduled = toldAfter(nothingKnown, undefined);
    let known = nothingKnown;
    let told = scheduled;
    const changes: (readonly { readonly propertyName: string }[])[] = [];
    for (const message of randomMessages(randomFrom(seed), 10).toSorted(compareObservations)) {
      known = observe(known, message);
      const next = toldAfter(known, message);
      const [event] = next ? statusEvents(told, next, changes.length) : [];
      if (event) changes.push(event.changes);
      else silent += 1;
      const isNews = JSON.stringify(withoutEmpty(next)) !== JSON.stringify(withoutEmpty(told));
      expect(event?.version, `seed ${seed}`).toBe(isNews ? changes.length : undefined);
      told = next;
    }
    events += changes.length;
    const first = changes.reduceRight<object>((body, each) => takenBack(body, each), told ?? {});
    expect(withoutEmpty(first), `seed ${seed}`).toEqual(withoutEmpty(scheduled));
  }
  // Both kinds of message are met, or nothing is proven.
  expect([events > SEEDS, silent > 0]).toEqual([true, true]);
});
