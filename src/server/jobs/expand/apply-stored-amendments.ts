import {
  type AmendedSchedules,
  applyAmendments,
  type AmendmentOutcome,
} from '#domain/schedule/messages/apply-amendments.ts';
import type { DatedLeg } from '#domain/schedule/messages/cancellations.ts';
import { computeEffectiveTimes, listAmendmentsInForce } from '#domain/schedule/messages/precedence.ts';
import type { ZoneLookup } from '#domain/schedule/instances.ts';
import type { Itinerary, ScheduleLeg } from '#domain/schedule/schedule.ts';
import { CANCELLATION_PREFIX, createLegReference } from '#domain/status/message.ts';
import type { UtcMillisecond } from '#domain/status/instants.ts';
import type { FlightFacts } from '#domain/status/message.ts';
import { formatDate } from '#domain/time/dates.ts';
import type { Sql } from '#store/pool/database.ts';
import type { CancellationRow } from '#store/status/schedule-cancellations.ts';
import { listSeasonEnds } from '#store/schedules/filed-seasons.ts';
import { type StoredAmendment, updateAmendment } from '#store/schedules/schedule-messages.ts';

const formatEnd = ({ station, aircraftMinutes, dateVariation }: ScheduleLeg['departure']): string =>
  `${station}${aircraftMinutes + dateVariation * 1440}`;

type LegFact = DatedLeg & {
  readonly amendmentId: number;
  readonly facts: FlightFacts;
  /** Names the fact and its value. */
  readonly name: string;
};

/** Builds the status message of a leg. A message of the same flight, times and value has the same id. */
const toCancellationRow = (
  { originDate, leg, scheduledOut, amendmentId, facts, name }: LegFact,
  effectiveTimes: ReadonlyMap<number, number>,
): CancellationRow => {
  const { carrier, flightNumber, suffix, departure, arrival } = leg;
  const flight = `${carrier}${flightNumber}${suffix}:${formatDate(originDate)}:${formatEnd(departure)}:${formatEnd(arrival)}`;
  const observedAt = (effectiveTimes.get(amendmentId) ?? 0) as UtcMillisecond;
  return {
    flight: { carrier, flightNumber, suffix },
    originDate,
    message: {
      id: `${CANCELLATION_PREFIX}${flight}:${observedAt}:${name}`,
      source: 'asm',
      observedAt,
      flight: {
        ...createLegReference(leg, originDate, [departure.station, arrival.station]),
        ...(scheduledOut !== undefined && { scheduledOut }),
      },
      facts,
      landings: [],
      plan: undefined,
    },
  };
};

/** Lists what statuses show of the amendments in force: cancelled and reinstated legs, and assigned aircraft. */
const listLegFacts = ({ cancellations, registrations }: AmendedSchedules): readonly LegFact[] => [
  ...cancellations.flatMap(({ changes, ...dated }) =>
    changes.map(({ cancelled, amendmentId }) => ({
      ...dated,
      amendmentId,
      facts: { cancelled },
      name: cancelled ? 'cancelled' : 'reinstated',
    })),
  ),
  ...registrations.map(({ registration, ...assigned }) => ({
    ...assigned,
    facts: { registration },
    name: `registration ${registration}`,
  })),
];

/** Stores the outcomes of amendments that differ from their state. */
const storeOutcomes = async (
  sql: Sql,
  amendments: readonly StoredAmendment[],
  outcomes: readonly AmendmentOutcome[],
): Promise<void> => {
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  for (const { id, ...known } of amendments) {
    const outcome = byId.get(id);
    const rejectionJson = outcome?.rejection && JSON.stringify(outcome.rejection);
    const state = !outcome ? 'superseded' : outcome.rejection ? 'quarantined' : 'applied';
    if (known.state !== state || known.rejectionJson !== rejectionJson)
      await updateAmendment(sql, id, { state, rejectionJson });
  }
};

export type AppliedAmendments = Pick<AmendedSchedules, 'flights' | 'outcomes'> & {
  /** The ids of amendments that a schedule file contains already. */
  readonly superseded: ReadonlySet<number>;
  /** The cancellations and reinstatements in force. */
  readonly cancellationRows: readonly CancellationRow[];
};

/**
 * Applies the amendments in force to the itineraries of flights as filed, and stores what became of each. The schedules and cancellations depend
 * on the file and the amendments only, not on what was in force before or on the order of arrival.
 */
export const applyStoredAmendments = async (
  sql: Sql,
  {
    filed,
    amendments,
    zoneOf,
  }: {
    readonly filed: ReadonlyMap<string, readonly Itinerary[]>;
    readonly amendments: readonly StoredAmendment[];
    readonly zoneOf: ZoneLookup;
  },
): Promise<AppliedAmendments> => {
  const inForce = listAmendmentsInForce(amendments);
  const carriers = inForce.flatMap(({ subMessages }) => subMessages.map(({ flight }) => flight.carrier));
  const seasonEnds = await listSeasonEnds(sql, [...new Set(carriers)]);
  const amended = applyAmendments(filed, inForce, {
    zoneOf,
    seasonEndOf: (carrier) => seasonEnds.get(carrier),
  });
  const { flights, outcomes } = amended;
  await storeOutcomes(sql, amendments, outcomes);
  const applied = new Set(inForce.map(({ id }) => id));
  const effectiveTimes = computeEffectiveTimes(inForce);
  return {
    flights,
    outcomes,
    superseded: new Set(amendments.flatMap(({ id }) => (applied.has(id) ? [] : id))),
    cancellationRows: listLegFacts(amended).map((fact) => toCancellationRow(fact, effectiveTimes)),
  };
};
