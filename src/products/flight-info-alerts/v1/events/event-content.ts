import type { Change } from '../../../../domain/events/changes-between.ts';

/** What an alert asks its events to carry. */
export type EventContent = {
  /** Whether they say what has changed. */
  readonly changes: boolean;
  /** Whether they carry seats. */
  readonly seats: boolean;
};

/** The member `changes` of an event: nothing where an alert does not ask for it, and no word of seats where it asks for none. */
export const shownChanges = <Name extends string>(
  changes: readonly Change<Name>[],
  content: EventContent,
): { readonly changes?: readonly Change<Name>[] } => {
  if (!content.changes) return {};
  return {
    changes: content.seats
      ? changes
      : changes.filter(({ propertyName }) => !propertyName.startsWith('SeatingCapacity.')),
  };
};
