import { applyAmendments, groupByFlight } from '#domain/schedule/messages/apply-amendments.ts';
import type { Amendment } from '#domain/schedule/messages/schedule-message.ts';
import { listAmendmentsInForce } from '#domain/schedule/messages/precedence.ts';
import { toDesignatorKey } from '#domain/schedule/designators.ts';
import type { Itinerary, ScheduleLeg } from '#domain/schedule/schedule.ts';
import { formatDate, formatTime, localDate, type LocalDate } from '#domain/time/dates.ts';
import { listWeekdays, shiftPeriod } from '#domain/time/period.ts';
import { readScheduleMessages } from '#feeds/schedule-messages/read-messages.ts';

export const receivedAt = new Date('2026-05-20T12:00:00Z');

const zones = new Map([
  ['LHR', 'Europe/London'],
  ['CDG', 'Europe/Paris'],
  ['JFK', 'America/New_York'],
  ['AKL', 'Pacific/Auckland'],
  ['HNL', 'Pacific/Honolulu'],
  ['SIN', 'Asia/Singapore'],
  ['SYD', 'Australia/Sydney'],
  ['LAX', 'America/Los_Angeles'],
]);
export const zoneOf = (station: string): string | undefined => zones.get(station);

/** The last date of the filed schedules of all carriers. */
const seasonEnd = localDate('2026-10-24');

export const readText = async (text: string, clock = receivedAt) => {
  const items = [];
  for await (const item of readScheduleMessages([Buffer.from(text, 'latin1')].values() as never, () => clock))
    items.push(item);
  return items;
};

/** Reads messages as amendments, in the order of the text. */
export const readAmendments = async (text: string): Promise<readonly Amendment[]> => {
  const parts = (await readText(text)).map(
    ({ part, entries }) => part ?? { createdOn: 0 as LocalDate, reference: undefined, subMessages: [], entries },
  );
  return parts.flatMap(({ createdOn, reference, subMessages }, index) =>
    groupByFlight(subMessages).map((group, number) => ({
      id: index * 100 + number,
      createdOn,
      group: reference?.group ?? '',
      receivedAt: receivedAt.getTime() + index,
      subMessages: group,
    })),
  );
};

const groupItineraries = (itineraries: readonly Itinerary[]): ReadonlyMap<string, readonly Itinerary[]> =>
  Map.groupBy(itineraries, ({ legs: [first] }) => toDesignatorKey(first));

/** Applies messages to itineraries; returns the itineraries in force and what was rejected. */
export const applyText = async (text: string, filed: readonly Itinerary[] = [], fileCreatedOn?: LocalDate) => {
  const amendments = listAmendmentsInForce(await readAmendments(text), fileCreatedOn);
  const context = { zoneOf, seasonEndOf: () => seasonEnd };
  const { flights, outcomes } = applyAmendments(groupItineraries(filed), amendments, context);
  return {
    itineraries: [...flights.values()].flatMap((of) => of.map(({ itinerary }) => itinerary)),
    rejections: outcomes.flatMap(({ rejection }) => (rejection ? [`${rejection.reason} ${rejection.value}`] : [])),
    notices: outcomes.flatMap(({ notices }) => notices.map(({ reason, value }) => `${reason} ${value}`)),
    cancellations: outcomes.flatMap(({ cancellations }) =>
      cancellations.map(({ cancelled, originDate, legs }) => {
        const [leg] = legs;
        return `${cancelled ? 'cancelled' : 'operates'} ${leg?.carrier}${leg?.flightNumber} ${formatDate(originDate)}`;
      }),
    ),
  };
};

const describeEnd = (minutes: number, days: number): string =>
  `${formatTime(minutes === 1440 ? 0 : minutes).replace(':', '')}${days === 0 ? '' : days > 0 ? `+${days}` : days}`;

const describeLeg = ({ departure, arrival, equipment, configuration, timeMode }: ScheduleLeg): string =>
  `${departure.station}${describeEnd(departure.aircraftMinutes, departure.dateVariation)} ${arrival.station}${describeEnd(arrival.aircraftMinutes, arrival.dateVariation)}${timeMode === 'utc' ? 'Z' : ''} ${equipment}${configuration === '' ? '' : `.${configuration}`}`;

/** Describes an itinerary in a line: designator, period, days, legs, terminals and data elements. */
export const describeItinerary = ({ legs, segmentData }: Itinerary): string => {
  const [first] = legs;
  const { from, to, days, everyWeeks } = shiftPeriod(first.period, -first.departure.dateVariation);
  const dates =
    from === to
      ? formatDate(from)
      : `${formatDate(from)}/${formatDate(to)} ${listWeekdays(days).join('')}${everyWeeks === 2 ? '/W2' : ''}`;
  const terminals = legs.flatMap(({ departure, arrival }) =>
    [departure, arrival].flatMap(({ station, terminal }) => (terminal === '' ? [] : [`${station}:${terminal}`])),
  );
  const data = segmentData.map(
    ({ dei, boardStation, offStation, data: text }) =>
      `${dei}=${text.trim()}${boardStation === '' ? '' : `@${boardStation}${offStation}`}`,
  );
  return [
    `${first.carrier}${first.flightNumber}${first.suffix} ${dates}`,
    ...legs.map(describeLeg),
    ...terminals,
    ...data,
  ].join(' ');
};
