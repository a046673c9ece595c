import type { ConnectingRecord } from '../../../../src/domain/connections/flights/connecting-flight.ts';

/**
 * Whether a flight has two records, or two parts of one, with the same times: a schedule in UTC is cut where clocks change, also when only a
 * stop's time is another, or every other week is counted anew. To a passenger both are one flight, and so they are to the oracle.
 */
export const hasDuplicateTimes = (records: readonly ConnectingRecord[]): boolean =>
  [...Map.groupBy(records, ({ flight }) => flight).values()].some((ofFlight) => {
    const times = ofFlight.map(({ record }) => `${record.departureLocalMinutes} ${record.arrivalLocalMinutes}`);
    const hasRepeat = ofFlight.some(({ record: { clockChanges, departureUtcMinutes, arrivalUtcMinutes } }) => {
      const parts = [{ departureUtcMinutes, arrivalUtcMinutes }, ...clockChanges];
      return new Set(parts.map((part) => `${part.departureUtcMinutes} ${part.arrivalUtcMinutes}`)).size < parts.length;
    });
    return hasRepeat || new Set(times).size < times.length;
  });
