import type { StatusChangeKind } from '../../domain/alerts/alert.ts';
import type { EventFacts, ScheduleEventFacts, StatusEventFacts } from '../../domain/alerts/event-facts.ts';

/** Event facts as JSON, in which a list takes the place of a set. */
type EventFactsJson =
  | ScheduleEventFacts
  | (Omit<StatusEventFacts, 'changed'> & { readonly changed: readonly StatusChangeKind[] });

/** Encodes the facts by which alerts select an event, as JSON. */
export const encodeEventFacts = (facts: EventFacts): string =>
  JSON.stringify(facts.kind === 'schedule' ? facts : { ...facts, changed: [...facts.changed] });

/** Decodes what `encodeEventFacts` wrote. */
export const decodeEventFacts = (text: string): EventFacts => {
  const stored: EventFactsJson = JSON.parse(text);
  if (stored.kind === 'schedule') return stored;
  return {
    ...stored,
    changed: new Set(stored.changed),
    // JSON omits undefined members.
    outGateVariationMinutes: stored.outGateVariationMinutes,
    inGateVariationMinutes: stored.inGateVariationMinutes,
  };
};
