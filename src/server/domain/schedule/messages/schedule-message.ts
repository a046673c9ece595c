import type { LocalDate } from '#domain/time/dates.ts';
import type { Period } from '#domain/time/period.ts';
import type { Designator, TimeMode } from '../schedule.ts';

/** SSM changes periods, ASM single flight dates. */
export type ScheduleMessageKind = 'SSM' | 'ASM';

/** Actions that change a schedule. */
export type ScheduleAction =
  | 'NEW'
  | 'CNL'
  | 'RPL'
  | 'SKD'
  | 'REV'
  | 'TIM'
  | 'EQT'
  | 'CON'
  | 'FLT'
  | 'ADM'
  | 'RIN'
  | 'RRT';

/** One end of a leg in a message: minutes after midnight of the day that is `dateVariation` days after the origin date. */
export type MessageLegEnd = {
  readonly station: string;
  readonly aircraftMinutes: number;
  readonly passengerMinutes: number;
  readonly dateVariation: number;
};

/** A period of a message; an open one ends with what is filed, and its `to` has no meaning. */
export type MessagePeriod = Period & { readonly isOpen?: boolean };

/** An equipment line. `bookingClasses` is '' when not stated. */
export type MessageEquipment = {
  readonly serviceType: string;
  readonly equipment: string;
  readonly bookingClasses: string;
  readonly bookingModifiers?: string;
  readonly configuration: string;
  /** The aircraft, upper case without hyphens; undefined when not stated. */
  readonly registration?: string;
};

/** A leg line, with the equipment line above it. */
export type MessageLeg = {
  readonly departure: MessageLegEnd;
  readonly arrival: MessageLegEnd;
  readonly equipment: MessageEquipment | undefined;
};

/** A data element and its value. NIL is undefined and deletes the element; blank stations apply to the whole flight. */
export type MessageElement = {
  readonly dei: number;
  readonly value: string | undefined;
  readonly boardStation: string;
  readonly offStation: string;
};

/** An equipment line that changes existing legs: those between the stations, or all without stations. */
export type EquipmentChange = { readonly stations: readonly string[]; readonly equipment: MessageEquipment };

/** A change of one flight by a message. Dates count from the origin of the flight, in the time mode of the message. */
export type SubMessage = {
  readonly kind: ScheduleMessageKind;
  readonly action: ScheduleAction;
  readonly timeMode: TimeMode;
  /** Line of the action identifier in the source. */
  readonly line: number;
  readonly flight: Designator;
  /** The dates concerned; a single date for an ASM. */
  readonly periods: readonly MessagePeriod[];
  /** REV: the periods in place of `periods`. */
  readonly newPeriods: readonly MessagePeriod[];
  /** FLT: the designator in place of `flight`. */
  readonly newFlight: Designator | undefined;
  /** CNL, RIN, FLT and RRT of an ASM: the stations of the legs concerned; all legs when absent. */
  readonly legChange?: readonly string[];
  /** XASM: the ad hoc changes of the dates are withdrawn. */
  readonly withdrawsAdHoc: boolean;
  /** Change reasons, such as WEAT. */
  readonly reasons: readonly string[];
  readonly legs: readonly MessageLeg[];
  readonly equipmentChanges: readonly EquipmentChange[];
  readonly elements: readonly MessageElement[];
};

/** A message reference such as `20APR26444E001`. */
export type MessageReference = {
  readonly text: string;
  /** The creation date; the year is that of the receipt. */
  readonly createdOn: LocalDate;
  /** The number of the message; all parts have the same. */
  readonly group: string;
  readonly part: number;
  readonly isLast: boolean;
};

/** The changes of one message that concern the same flight, applied as a whole. */
export type Amendment = {
  readonly id: number;
  readonly createdOn: LocalDate;
  /** The message number within its creation date; '' without a reference. */
  readonly group: string;
  /** When the message was received, milliseconds since 1970. */
  readonly receivedAt: number;
  /** The sender by the origin line; it counts its message numbers by itself. '' or undefined when unknown. */
  readonly originator?: string | undefined;
  /** The time of the origin line, milliseconds since 1970; undefined when it has none. */
  readonly sentAt?: number | undefined;
  readonly subMessages: readonly SubMessage[];
};
