import { toDate, formatDate, type LocalDate } from '#domain/time/dates.ts';
import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { findCarrier, type MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { computeStatusKey, type FlightIdentity } from '#domain/schedule/keys.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import type { Carrier } from '#domain/master-data/master-data.ts';
import type { UnscheduledFlightDescription, FlightReference } from '#domain/status/message.ts';
import { renderUnscheduledRow } from '#products/flight-info/v2/to-unscheduled-flight.ts';
import type { InstanceRow } from '#store/flights/instance-row.ts';
import type { ScheduleReference } from '#store/status/flight-statuses.ts';
import type { StatusCandidate } from '#store/status/status-instances.ts';
import { PENDING_ORIGINAL } from '#store/status/unscheduled-instances.ts';
import { formatFlightAddress } from '../flights/flight-snapshots.ts';
import { getStationCode, listDesignators } from './flight-codes.ts';
import { getReference, occurrences } from './legs-by-number.ts';
import { resolveCodeshares } from './plan-codeshares.ts';
import { type PlanEnds, type PlanError, resolveEnds } from './plan-ends.ts';

/**
 * The row of the flight that a message describes, or why it has none. `unconfirmedCarrier` is its carrier code, if the reference data lack it: the row
 * gets the ID of the carrier when it is stored.
 */
export type UnscheduledPlan =
  | {
      readonly row: InstanceRow;
      readonly unconfirmedCarrier?: string;
      /** The carrier codes of marketing flights that are left out, because the reference data lack them. */
      readonly unknownCarriers?: readonly string[];
      /** Set when it only adds times that were not known: then it counts whatever its time is. */
      readonly completes?: true;
    }
  | PlanError;

/** The carrier of a code that no flight has named yet. It has no ID before it is stored. */
const toUnconfirmedCarrier = (code: string): Carrier => ({
  id: 0,
  iata: code.length === 3 ? '' : code,
  icao: code.length === 3 ? code : '',
  name: '',
  rank: 1,
  isUnconfirmed: true,
});

/** Returns the stored address of the flight that a recovery flight recovers, or its reference until a schedule contains it. */
const formatRecovered = (reference: FlightReference, target: StatusCandidate | undefined): string =>
  formatFlightAddress(target) ?? `${PENDING_ORIGINAL}${JSON.stringify(reference)}`;

/** The message with the plan, the flight that it recovers, and the flight itself if it is known. */
export type PlanContext = {
  readonly reference: FlightReference;
  readonly recovered: StatusCandidate | undefined;
  readonly known: StatusCandidate | undefined;
  /** The flights of its designator at other times near this one. */
  readonly others?: readonly StatusCandidate[] | undefined;
};

/** What one airport of a published flight does not say remains as the other one says. */
const getPublished = (
  { flightType }: UnscheduledFlightDescription,
  known: StatusCandidate | undefined,
): StatusCandidate | undefined => (flightType === 'Scheduled' && known?.doc !== '' ? known : undefined);

/** A recovery flight has the service type of the flight that it recovers, and J (passengers) by default. */
const selectServiceType = (
  plan: UnscheduledFlightDescription,
  { recovered, known }: Pick<PlanContext, 'recovered' | 'known'>,
): string =>
  plan.serviceType ||
  (plan.recovers ? recovered?.serviceType.trim() || 'J' : (getPublished(plan, known)?.serviceType.trim() ?? ''));

const selectAircraftType = (
  plan: UnscheduledFlightDescription,
  known: StatusCandidate | undefined,
): UnscheduledFlightDescription['aircraftType'] => {
  const published = getPublished(plan, known);
  if (plan.aircraftType.iata !== '' || plan.aircraftType.icao !== '' || !published) return plan.aircraftType;
  const { aircraftType }: Pick<FlightInstance, 'aircraftType'> = JSON.parse(published.doc);
  return { iata: aircraftType.iata ?? '', icao: aircraftType.icao ?? '' };
};

/** Whether all times of a plan are those of a known flight that were only estimated. */
const completes = (
  { flightType, departsAt, arrivesAt }: UnscheduledFlightDescription,
  { isDepartureEstimated = false, scheduledIn }: ScheduleReference,
): boolean =>
  flightType === 'Scheduled' &&
  (departsAt === undefined || isDepartureEstimated) &&
  (arrivesAt === undefined || scheduledIn === undefined);

const flightTypeLetters = { Scheduled: 'P', Unscheduled: 'U', GA: 'G' } as const;

/** Twice the duration of the longest flights. */
const MAX_DURATION_MINUTES = 48 * 60;

/**
 * Returns the identity of a planned flight, as that of any flight. A known flight keeps its own; a second departure of a designator on one day is
 * another flight. Undefined where a schedule has the designator on this day and route at another time: which is right, is not known.
 */
const identify = (
  { carrier, flightNumber, suffix }: Designator,
  { departure, arrival }: PlanEnds,
  { known, others = [] }: Pick<PlanContext, 'known' | 'others'>,
): FlightIdentity | undefined => {
  const first = {
    designator: { carrier, flightNumber, suffix },
    date: toDate(departure.local),
    board: getStationCode(departure.location),
    off: getStationCode(arrival.location),
    occurrence: 1,
  };
  const all = occurrences.map((occurrence) => ({ ...first, occurrence }));
  if (known) return all.find((identity) => computeStatusKey(identity).equals(known.key)) ?? first;
  const ofDay = others.filter(
    (one) =>
      one.departsOn === first.date &&
      one.departure === departure.location.id &&
      one.arrival === arrival.location.id &&
      one.codeshare === undefined,
  );
  if (ofDay.some(({ flightType }) => flightType === 'S')) return undefined;
  return all.find((identity) => !ofDay.some(({ key }) => key.equals(computeStatusKey(identity))));
};

/** Returns the ends of a flight on the local date of departure that it must have, if any. */
const resolveDatedEnds = (
  plan: UnscheduledFlightDescription,
  { originDate, known }: { readonly originDate: LocalDate | undefined; readonly known: StatusCandidate | undefined },
  masterDataIndex: MasterDataIndex,
): PlanEnds | PlanError => {
  const limits = { date: known?.departsOn ?? originDate, before: known && getReference(known) };
  const ends = resolveEnds(plan, limits, masterDataIndex);
  if ('reason' in ends) return ends;
  const date = toDate(ends.departure.local);
  if ([originDate, known?.departsOn].some((wanted) => wanted !== undefined && wanted !== date))
    return { reason: 'plan-of-another-day', value: formatDate(date) };
  const minutes = ends.arrival.utc - ends.departure.utc;
  return minutes < 0 || minutes > MAX_DURATION_MINUTES
    ? { reason: 'plan-of-no-flight', value: `${minutes} minutes` }
    : ends;
};

/** Returns the row of the flight that a plan describes. Its key is made of designator, local departure date and airports, as for any flight. */
export const planUnscheduledFlight = (
  plan: UnscheduledFlightDescription,
  { reference, recovered, known, others }: PlanContext,
  masterDataIndex: MasterDataIndex,
): UnscheduledPlan => {
  if (reference.by !== 'designator') return { reason: 'no-such-flight', value: reference.key };
  const { flightNumber, suffix, originDate } = reference;
  const carrier = findCarrier(masterDataIndex, reference.carrier) ?? toUnconfirmedCarrier(reference.carrier);
  const ends = resolveDatedEnds(plan, { originDate, known }, masterDataIndex);
  if ('reason' in ends) return ends;
  const { departure, arrival } = ends;
  const [designator = reference.carrier] = listDesignators(masterDataIndex, reference.carrier);
  const identity = identify({ carrier: designator, flightNumber, suffix }, ends, { known, others });
  if (!identity) return { reason: 'contradictory-flight', value: formatDate(toDate(departure.local)) };
  const key = known?.key ?? computeStatusKey(identity);
  const { designators, codeshares, unknownCarriers } = resolveCodeshares(
    plan.codeshares ?? [],
    { known, identity },
    masterDataIndex,
  );
  const serviceType = selectServiceType(plan, { recovered, known });
  const { flightType, recovers } = plan;
  const doc = renderUnscheduledRow({
    carrier,
    flightNumber,
    suffix,
    flightType,
    departure,
    arrival,
    aircraftType: selectAircraftType(plan, known),
    serviceType,
    marketingFlights: designators,
    statusKey: key.toString('hex'),
  });
  return {
    row: {
      departsAt: departure.local,
      arrivesAt: arrival.local,
      key,
      statusKey: key,
      carrierId: carrier.id,
      departureId: departure.location.id,
      arrivalId: arrival.location.id,
      segmentId: undefined,
      flightNumber,
      flightType: flightTypeLetters[flightType],
      serviceType,
      isMarketing: false,
      doc,
      codeshares,
      ...(recovers && { original: formatRecovered(recovers, recovered) }),
    },
    ...(carrier.isUnconfirmed && { unconfirmedCarrier: reference.carrier }),
    ...(unknownCarriers.length > 0 && { unknownCarriers }),
    ...(known && completes(plan, getReference(known)) && { completes: true }),
  };
};
