import type { ScheduleEvent, StatusEvent } from '#generated/flight-info-alerts/v1/types.gen.ts';

/** The members that the delivery to an account adds. */
type AccountMember = 'position' | 'alertId' | 'messageId' | 'messageTimestamp';

/** A schedule event without the members that rendering adds. */
export type ScheduleEventBody = Omit<ScheduleEvent, AccountMember>;

/** A status event without the members that rendering adds. */
export type StatusEventBody = Omit<StatusEvent, AccountMember>;

type EventMember = 'documentType' | 'version' | 'flightVersion' | 'changes';

/** The content of a schedule event: the filed data of an instance. Times are passenger times. Unknown members are absent. */
export type ScheduleContent = Omit<ScheduleEventBody, EventMember | 'state' | 'updatedAt'>;

/** The content of a status event: a flight under one of its designators. Unknown members are absent. */
export type StatusContent = Omit<StatusEventBody, EventMember>;
