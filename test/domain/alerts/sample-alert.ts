import { noFilters, statusChangeKinds, type Alert, type StatusChangeKind } from '#domain/alerts/alert.ts';

export const onlyFilters = (...kinds: readonly StatusChangeKind[]) =>
  Object.fromEntries(statusChangeKinds.map((kind) => [kind, kinds.includes(kind)])) as Alert['statusChangeFilters'];

/** An alert with the defaults: every scheduled flight and all its events. */
export const sampleAlert: Alert = {
  ...noFilters,
  id: '00000000-0000-4000-8000-000000000001',
  accountId: '00000000-0000-4000-9000-000000000001',
  name: 'any',
  description: 'every scheduled flight',
  active: true,
  alertType: 'Global',
  schedules: true,
  status: true,
  gaFlights: false,
  unscheduledFlights: false,
  codeshare: true,
  estimatedDepartureTimeThreshold: undefined,
  estimatedArrivalTimeThreshold: undefined,
  thresholdOnce: false,
  cancellations: false,
  statusChangeFilters: onlyFilters(...statusChangeKinds),
  content: '',
  changeIndicator: false,
  createdAt: new Date('2027-02-01T00:00:00Z'),
  updatedAt: new Date('2027-02-01T00:00:00Z'),
};
