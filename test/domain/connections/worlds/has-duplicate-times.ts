import type { ConnectingRecord } from '../../../../src/domain/connections/flights/connecting-flight.ts';

/**
 * Returns whether a flight has two records, or two parts of one, with equal times. A schedule in UTC is cut at clock changes, also when only the time
 * of a stop changes, or a fortnightly pattern restarts. For a passenger, and for the oracle, both are one flight.
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
