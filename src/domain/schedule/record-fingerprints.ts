import { recordFingerprint, type RecordIdentity } from './keys.ts';
import type { FlightSegment } from './schedule.ts';

type Place = Pick<FlightSegment, 'itinerary' | 'sequence'>;

/**
 * The order in which the segments of one designator are given their fingerprints: by itinerary variation and leg sequence, and a leg before
 * the whole flight that begins with it. It decides between records that agree in all else.
 */
export const byVariation = (one: Place, other: Place): number =>
  one.itinerary - other.itinerary || one.sequence - other.sequence;

/**
 * Fingerprints for the records of one designator, asked for in the order of `byVariation`: of records that agree in all that makes a record,
 * the first has the plain fingerprint.
 */
export const newFingerprints = (): ((identity: Omit<RecordIdentity, 'occurrence'>) => Buffer) => {
  const seen = new Map<string, number>();
  return (identity) => {
    const plain = recordFingerprint({ ...identity, occurrence: 1 });
    const name = plain.toString('latin1');
    const occurrence = (seen.get(name) ?? 0) + 1;
    seen.set(name, occurrence);
    return occurrence === 1 ? plain : recordFingerprint({ ...identity, occurrence });
  };
};
