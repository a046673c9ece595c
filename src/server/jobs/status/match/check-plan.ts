import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { FlightReference, UnscheduledFlightDescription } from '#domain/status/message.ts';
import { secondToMinute } from '#domain/status/instants.ts';
import { formatMinute, type UtcMinute } from '#domain/time/dates.ts';
import type { StatusCandidate } from '#store/status/status-instances.ts';
import { findLocation } from './flight-codes.ts';
import { getReference } from './legs-by-number.ts';
import type { PlanError } from './plan-ends.ts';

/** Formats a minute as `2026-06-01T10:00Z`. */
export const formatUtcMinute = (minute: UtcMinute): string => `${formatMinute(minute).replace(' ', 'T')}Z`;

/** Returns the rejection of a plan whose airports are not those of the reference; one that the reference does not name can be any. */
export const findRouteError = (
  plan: UnscheduledFlightDescription,
  reference: FlightReference,
  masterDataIndex: MasterDataIndex,
): PlanError | undefined => {
  if (reference.by !== 'designator') return undefined;
  const find = (code: string) => findLocation(masterDataIndex, code)?.id;
  const pairs = [
    [reference.departureAirport, plan.departureAirport],
    [reference.arrivalAirport ?? '', plan.arrivalAirport],
  ] as const;
  const different = pairs.find(
    ([named, planned]) => named !== '' && named !== planned && find(named) !== find(planned),
  );
  return different && { reason: 'plan-of-another-route', value: `${plan.departureAirport}-${plan.arrivalAirport}` };
};

/** A plan by designator and date retimes its flight by up to this many minutes. */
const MAX_RETIMED_MINUTES = 180;

/**
 * Returns the rejection of a plan by designator and date whose departure is far from that of the known flight: it can be that of a second flight. A
 * reference by a scheduled time says which flight is meant.
 */
export const findSecondFlight = (
  plan: UnscheduledFlightDescription,
  reference: FlightReference,
  known: StatusCandidate,
): PlanError | undefined => {
  if (reference.by !== 'designator' || reference.scheduledOut !== undefined || reference.scheduledIn !== undefined)
    return undefined;
  const { scheduledOut, isDepartureEstimated = false } = getReference(known);
  if (plan.departsAt === undefined || isDepartureEstimated) return undefined;
  const isFar = Math.abs(secondToMinute(plan.departsAt) - scheduledOut) > MAX_RETIMED_MINUTES;
  return isFar ? { reason: 'plan-of-second-flight', value: formatUtcMinute(scheduledOut) } : undefined;
};
