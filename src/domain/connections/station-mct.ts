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
  /** Cover all dates without overlap, earliest first; one where no record that applies has dates. */
  readonly rulesFor: (arrival: MctEnd, departure: MctEnd) => readonly MctRule[];
};

/** The records of two layers, those that win over others first. Most pairs are settled by the first few, so that no more are looked for. */
function* merged(one: Iterator<RankedRecord>, other: Iterator<RankedRecord>): Generator<MctRecord> {
  let [first, second] = [one.next(), other.next()];
  while (!first.done || !second.done) {
    if (second.done || (!first.done && first.value.rank < second.value.rank)) {
      if (!first.done) yield first.value.record;
      first = one.next();
    } else {
      yield second.value.record;
      second = other.next();
    }
  }
}

/** `here` are the records of the station itself, `everywhere` those that hold at all stations; `minutes` the defaults. */
export const newStationMct = ({
  here,
  everywhere,
  minutes,
}: {
  readonly here: MctLayer;
  readonly everywhere: MctLayer;
  readonly minutes: Readonly<Record<MctStatus, number>>;
}): StationMct => ({
  arrivalKeyOf: (end) => `${here.arrivalKeyOf(end)}/${everywhere.arrivalKeyOf(end)}`,
  departureKeyOf: (end) => `${here.departureKeyOf(end)}/${everywhere.departureKeyOf(end)}`,
  rulesFor: (arrival, departure) => {
    const status: MctStatus = `${arrival.status}${departure.status}`;
    const applying = merged(here.applying(arrival, departure), everywhere.applying(arrival, departure));
    return mctRulesOf(applying, { status, minutes: minutes[status] });
  },
});
