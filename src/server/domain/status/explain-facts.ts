import type { UtcMillisecond } from './instants.ts';
import {
  applyObservation,
  compareObservations,
  type FlightObservations,
  type LatestValue,
  listValues,
  type Observation,
  unobservedFlight,
} from './observed-flight.ts';

/** A value of a fact, where it comes from, and when that source reported it. A withdrawn value is null. */
export type FactReport = { readonly value: unknown; readonly source: string; readonly at: UtcMillisecond };

/** A fact of a flight: the report that counts, and the last report of each other source, newest first. */
export type FactExplanation = {
  /** The name of the fact; that of a landing begins with its ID, such as `1.airport`. */
  readonly name: string;
  readonly shown: FactReport;
  readonly overruled: readonly FactReport[];
};

/** Messages that were merged do not say which source each value came from. */
const MERGED = 'earlier messages';

/** Lists the values that are known of a flight and its landings, by name. */
const listKnown = ({ facts, landings }: FlightObservations): readonly (readonly [string, LatestValue<unknown>])[] => [
  ...listValues(facts),
  ...Object.entries(landings).flatMap(([id, landing]) =>
    listValues(landing.facts).map(([name, value]) => [`${id}.${name}`, value] as const),
  ),
];

/** Lists the values that a message reports, by name. */
const listReported = ({ facts, landings, earlier, observedAt, source = '' }: Observation) => {
  if (earlier)
    return listKnown(earlier).map(([name, [value, at, , from]]) => ({
      name,
      report: { value, source: from ?? MERGED, at },
    }));
  const members = [
    ...Object.entries(facts),
    ...landings.flatMap(({ id, ...landing }) =>
      Object.entries(landing).map(([name, value]) => [`${id}.${name}`, value] as const),
    ),
  ];
  return members.flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, report: { value, source, at: observedAt } }],
  );
};

/** Whether a report is the value that counts: the last one with its time and value. */
const isShown = ({ value, at }: FactReport, shown: LatestValue<unknown>): boolean =>
  at === shown[1] && JSON.stringify(value) === JSON.stringify(shown[0]);

/** Returns the facts of a flight from all its messages, in the order of their first report, each with its source and what that overruled. */
export const explainFacts = (messages: readonly Observation[]): readonly FactExplanation[] => {
  const ordered = messages.toSorted(compareObservations);
  const shownByName = new Map(listKnown(ordered.reduce(applyObservation, unobservedFlight)));
  const byName = Map.groupBy(ordered.flatMap(listReported), ({ name }) => name);
  return [...byName].flatMap(([name, reported]): readonly FactExplanation[] => {
    const register = shownByName.get(name);
    if (!register) return [];
    const reports = reported.map(({ report }) => report);
    const shown = reports.findLast((report) => isShown(report, register)) ?? {
      value: register[0],
      source: register[3] ?? MERGED,
      at: register[1],
    };
    const last = new Map(reports.map((report) => [report.source, report]));
    last.delete(shown.source);
    return [{ name, shown, overruled: [...last.values()].toSorted((a, b) => b.at - a.at) }];
  });
};
