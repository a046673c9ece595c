import { hash } from 'node:crypto';
import type { ConnectingRecord } from '../../../domain/connections/connecting-flight.ts';
import type { ConnectionDetails } from '../../../domain/connections/connection-details.ts';
import { showMctRecord } from './to-minimum-connecting-time.ts';

const ID_DIGITS = 32;

/** A leg by the fingerprint of its record or, where Schedules has none, by what would make one. */
const legIdentity = ({ flight, record, fingerprint }: ConnectingRecord): unknown => {
  if (fingerprint !== '') return fingerprint;
  const { carrier, flightNumber, suffix, airports } = flight;
  const { period, departureLocalMinutes, arrivalLocalMinutes } = record;
  const way = airports.map(({ iata }) => iata);
  return [carrier, flightNumber, suffix, way, period, departureLocalMinutes, arrivalLocalMinutes];
};

/**
 * The `connectionId`: a digest of the two legs, the days between them, the connecting time and the record that sets the minimum. The same
 * in every set in which these are the same; the line of the record is no part of it, since another load may move it.
 */
export const connectionIdOf = ({ leg1, leg2, dayOffset, minutes, mct }: ConnectionDetails): string => {
  const { line: _line, ...record } = mct.record ? showMctRecord(mct.record) : { line: 0 };
  const identity = [legIdentity(leg1), legIdentity(leg2), dayOffset, minutes, mct.minutes, record];
  return hash('sha256', `connection|${JSON.stringify(identity)}`, 'hex').slice(0, ID_DIGITS);
};
