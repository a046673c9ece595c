import type { StatusChange } from '../../domain/alerts/alert.ts';
import type { EventFacts, ScheduleEventFacts, StatusEventFacts } from '../../domain/alerts/event-facts.ts';

/** A set is no JSON, so it is kept as a list. */
type KeptFacts =
  | ScheduleEventFacts
  | (Omit<StatusEventFacts, 'changed'> & { readonly changed: readonly StatusChange[] });

/** What alerts choose an event by, as it is kept with the event: JSON. */
export const factsText = (facts: EventFacts): string =>
  JSON.stringify(facts.kind === 'schedule' ? facts : { ...facts, changed: [...facts.changed] });

/** Reads what `factsText` wrote. */
export const readFacts = (text: string): EventFacts => {
  const kept: KeptFacts = JSON.parse(text);
  if (kept.kind === 'schedule') return kept;
  return {
    ...kept,
    changed: new Set(kept.changed),
    // JSON leaves out what is undefined.
    outGateVariationMinutes: kept.outGateVariationMinutes,
    inGateVariationMinutes: kept.inGateVariationMinutes,
  };
};
