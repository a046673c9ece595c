import { toDate, formatDate, type LocalDate, type LocalMinute, type UtcMinute } from '#domain/time/dates.ts';
import { findCarrier, type MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { computeGreatCircleMetres } from '#domain/master-data/distance.ts';
import { computeStatusKey } from '#domain/schedule/keys.ts';
import type { Carrier, Location } from '#domain/master-data/master-data.ts';
import { secondToMinute, type UtcSecond } from '#domain/status/instants.ts';
import type { UnscheduledFlightDescription, FlightReference } from '#domain/status/message.ts';
import { getUtcOffset } from '#domain/time/zones.ts';
import { renderUnscheduledRow, type UnscheduledEnd } from '#products/flight-info/v2/to-unscheduled-flight.ts';
import type { InstanceRow } from '#store/flights/expanded-days.ts';
import type { StatusCandidate } from '#store/status/status-instances.ts';
import { PENDING_ORIGINAL } from '#store/status/unscheduled-instances.ts';
import { formatFlightAddress } from '../flights/flight-snapshots.ts';
import { findLocation, getStationCode, listDesignators } from './flight-codes.ts';

/**
 * The row of the flight that a message describes, or why it has none. `unconfirmedCarrier` is its carrier code, if the reference data lack it: the row
 * gets the ID of the carrier when it is stored.
 */
export type UnscheduledPlan =
  | { readonly row: InstanceRow; readonly unconfirmedCarrier?: string }
  | { readonly reason: string; readonly value: string };

/** The carrier of a code that no flight has named yet. It has no ID before it is stored. */
const toUnconfirmedCarrier = (code: string): Carrier => ({
  id: 0,
  iata: code.length === 3 ? '' : code,
  icao: code.length === 3 ? code : '',
  name: '',
  rank: 1,
  isUnconfirmed: true,
});

/** Assumed when the arrival time is missing: 800 km/h, and half an hour for take-off and landing. */
const METRES_A_MINUTE = 800_000 / 60;
const EXTRA_MINUTES = 30;

const estimatedArrival = (from: Location, to: Location, departure: UtcMinute): UtcMinute => {
  const [a, b] = [from, to].map(({ latitude, longitude }) =>
    latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
  );
  const metres = a && b ? computeGreatCircleMetres(a, b) : 0;
  return (departure + EXTRA_MINUTES + Math.round(metres / METRES_A_MINUTE)) as UtcMinute;
};

const toEnd = (location: Location, utc: UtcMinute): UnscheduledEnd => ({
  location,
  utc,
  local: (utc + (location.zone === undefined ? 0 : getUtcOffset(location.zone, utc))) as LocalMinute,
});

/** Returns the stored address of the flight that a recovery flight recovers, or its reference until a schedule contains it. */
const formatRecovered = (reference: FlightReference, target: StatusCandidate | undefined): string =>
  formatFlightAddress(target) ?? `${PENDING_ORIGINAL}${JSON.stringify(reference)}`;

/** A recovery flight has the service type of the flight that it recovers, and J (passengers) by default. */
const selectServiceType = (plan: UnscheduledFlightDescription, recovered: StatusCandidate | undefined): string =>
  plan.serviceType || (plan.recovers ? recovered?.serviceType.trim() || 'J' : '');

type Ends = { readonly departure: UnscheduledEnd; readonly arrival: UnscheduledEnd };

const resolveEnds = (
  plan: UnscheduledFlightDescription,
  masterDataIndex: MasterDataIndex,
): Ends | { readonly reason: string; readonly value: string } => {
  const from = findLocation(masterDataIndex, plan.departureAirport);
  const to = findLocation(masterDataIndex, plan.arrivalAirport);
  if (!from) return { reason: 'airport-unknown', value: plan.departureAirport };
  if (!to) return { reason: 'airport-unknown', value: plan.arrivalAirport };
  const departsAt = secondToMinute(plan.departsAt);
  const known: UtcSecond | undefined = plan.arrivesAt;
  const arrivesAt = known === undefined ? estimatedArrival(from, to, departsAt) : secondToMinute(known);
  return { departure: toEnd(from, departsAt), arrival: toEnd(to, arrivesAt) };
};

/** The message with the plan, the flight that it recovers, and the flight itself if it is known. */
export type PlanContext = {
  readonly reference: FlightReference;
  readonly recovered: StatusCandidate | undefined;
  readonly known: StatusCandidate | undefined;
};

/** Twice the duration of the longest flights. */
const MAX_DURATION_MINUTES = 48 * 60;

/** Returns the row of the flight that a plan describes. Its key is made of designator, local departure date and airports, as for any flight. */
export const planUnscheduledFlight = (
  plan: UnscheduledFlightDescription,
  { reference, recovered, known }: PlanContext,
  masterDataIndex: MasterDataIndex,
): UnscheduledPlan => {
  if (reference.by !== 'designator') return { reason: 'no-such-flight', value: reference.key };
  const carrier = findCarrier(masterDataIndex, reference.carrier) ?? toUnconfirmedCarrier(reference.carrier);
  const ends = resolveEnds(plan, masterDataIndex);
  if ('reason' in ends) return ends;
  const { departure, arrival } = ends;
  const date: LocalDate = toDate(departure.local);
  if (reference.originDate !== undefined && date !== reference.originDate)
    return { reason: 'plan-of-another-day', value: formatDate(date) };
  const minutes = arrival.utc - departure.utc;
  if (minutes < 0 || minutes > MAX_DURATION_MINUTES)
    return { reason: 'plan-of-no-flight', value: `${minutes} minutes` };
  const { flightNumber, suffix } = reference;
  const [designator = reference.carrier] = listDesignators(masterDataIndex, reference.carrier);
  const key =
    known?.key ??
    computeStatusKey({
      designator: { carrier: designator, flightNumber, suffix },
      date,
      board: getStationCode(departure.location),
      off: getStationCode(arrival.location),
      occurrence: 1,
    });
  const serviceType = selectServiceType(plan, recovered);
  const doc = renderUnscheduledRow({
    carrier,
    flightNumber,
    flightType: plan.flightType,
    departure,
    arrival,
    isArrivalKnown: plan.arrivesAt !== undefined,
    aircraftType: plan.aircraftType,
    serviceType,
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
      flightType: plan.flightType === 'GA' ? 'G' : 'U',
      serviceType,
      isMarketing: false,
      doc,
      ...(plan.recovers && { original: formatRecovered(plan.recovers, recovered) }),
    },
    ...(carrier.isUnconfirmed && { unconfirmedCarrier: reference.carrier }),
  };
};
