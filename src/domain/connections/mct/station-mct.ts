import type { MctEnd } from './mct-end.ts';
import type { MctLayer, RankedRecord } from './mct-layer.ts';
import type { MctRecord, MctStatus } from './mct-record.ts';
import { mctRulesOf, type MctRule } from './mct-rules.ts';

/** The minimum connecting times of one station, or of a change between two. */
export type StationMct = {
  /** Arrivals of equal keys have equal rules with every departure. */
  readonly arrivalKeyOf: (end: MctEnd) => string;
  /** Departures of equal keys have equal rules with every arrival. */
  readonly departureKeyOf: (end: MctEnd) => string;
  /** What no pair here is allowed to fall short of. */
  readonly leastMinutes: number;
  /** Cover all dates without overlap, earliest first; one where no record that applies has dates. */
  readonly rulesFor: (arrival: MctEnd, departure: MctEnd) => readonly MctRule[];
};

/** The records of some layers, those that win over others first. Most pairs are settled by the first few, so that no more are looked for. */
function* merged(layers: readonly Iterator<RankedRecord>[]): Generator<MctRecord> {
  const heads = layers.map((layer) => layer.next());
  for (;;) {
    let best = -1;
    let rank = Infinity;
    for (const [index, head] of heads.entries())
      if (!head.done && head.value.rank < rank) [best, rank] = [index, head.value.rank];
    const found = heads[best];
    const layer = layers[best];
    if (!found || found.done || !layer) return;
    yield found.value.record;
    heads[best] = layer.next();
  }
}

/** `layers` are all records that can apply there, `minutes` the defaults. */
export const newStationMct = (
  layers: readonly MctLayer[],
  minutes: Readonly<Record<MctStatus, number>>,
): StationMct => ({
  arrivalKeyOf: (end) => layers.map((layer) => layer.arrivalKeyOf(end)).join('/'),
  departureKeyOf: (end) => layers.map((layer) => layer.departureKeyOf(end)).join('/'),
  leastMinutes: Math.min(minutes.DD, minutes.DI, minutes.ID, minutes.II, ...layers.map((layer) => layer.leastMinutes)),
  rulesFor: (arrival, departure) => {
    const status: MctStatus = `${arrival.status}${departure.status}`;
    const applying = merged(layers.map((layer) => layer.applying(arrival, departure)));
    return mctRulesOf(applying, { status, minutes: minutes[status] });
  },
});
