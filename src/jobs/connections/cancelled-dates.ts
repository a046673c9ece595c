import { toDesignatorKey } from '../../domain/schedule/designators.ts';
import type { ZoneLookup } from '../../domain/schedule/instances.ts';
import { listFlights } from '../../domain/schedule/messages/apply-amendments.ts';
import { listCancelledDates, type CancelledDates } from '../../domain/schedule/messages/cancelled-dates.ts';
import { listAmendmentsInForce } from '../../domain/schedule/messages/precedence.ts';
import type { Amendment } from '../../domain/schedule/messages/schedule-message.ts';
import { listSeasonEnds } from '../../store/schedules/filed-seasons.ts';
import type { Sql } from '../../store/pool/database.ts';
import { listAmendedFlights, listAmendments, listFiledFlights } from '../../store/schedules/schedule-messages.ts';
import { listDesignatorsInForce } from '../../store/schedules/schedules.ts';

/** Groups amendments that name a common flight, also through others: a group applies independently of the rest. */
const groupAmendments = (amendments: readonly Amendment[]): readonly (readonly Amendment[])[] => {
  const groups = new Map<string, Set<Amendment>>();
  for (const amendment of amendments) {
    const names = listFlights(amendment.subMessages).map(toDesignatorKey);
    const [largest = new Set<Amendment>(), ...others] = [
      ...new Set(names.flatMap((name) => groups.get(name) ?? [])),
    ].toSorted((one, other) => other.size - one.size);
    for (const member of [amendment, ...others.flatMap((group) => [...group])]) {
      largest.add(member);
      for (const flight of listFlights(member.subMessages)) groups.set(toDesignatorKey(flight), largest);
    }
  }
  return [...new Set(groups.values())].map((group) => listAmendmentsInForce([...group], undefined));
};

const isCancellation = ({ subMessages }: Amendment): boolean =>
  subMessages.some(({ kind, action }) => kind === 'ASM' && action === 'CNL');

/** Reads the dates on which the messages in force cancel flights. `sql` must be a transaction with a single snapshot. */
export const readCancelledDates = async (sql: Sql, zoneOf: ZoneLookup): Promise<CancelledDates> => {
  const flights = await listAmendedFlights(sql, await listDesignatorsInForce(sql));
  if (flights.length === 0) return new Map();
  const groups = groupAmendments(await listAmendments(sql, flights)).filter((group) => group.some(isCancellation));
  const named = groups.flatMap((group) => group.flatMap(({ subMessages }) => listFlights(subMessages)));
  const filed = new Map(
    (await listFiledFlights(sql, named)).map(({ flight, itineraries }) => [toDesignatorKey(flight), itineraries]),
  );
  const seasonEnds = await listSeasonEnds(
    sql,
    named.map(({ carrier }) => carrier),
  );
  const context = { zoneOf, seasonEndOf: (carrier: string) => seasonEnds.get(carrier) };
  return new Map(
    groups.flatMap((group) => {
      const names = new Set(group.flatMap(({ subMessages }) => listFlights(subMessages)).map(toDesignatorKey));
      const ofGroup = new Map([...names].flatMap((name) => [[name, filed.get(name) ?? []] as const]));
      return [...listCancelledDates(ofGroup, group, context)];
    }),
  );
};
