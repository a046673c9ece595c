import type { ConnectingRecord } from '../../../../src/domain/connections/flights/connecting-flight.ts';
import { listDepartureDates } from '../../../../src/domain/time/period.ts';
import { formatDesignator, type Instance } from './oracle/flights.ts';
import { formatMinute } from './oracle/clock.ts';

/** A record on one day; minutes since 1970-01-01. */
export type DatedFlight = {
  readonly of: ConnectingRecord;
  readonly departsLocal: number;
  readonly departsUtc: number;
  readonly arrivesLocal: number;
  readonly arrivesUtc: number;
};

/** Returns a record on a local departure date. */
export const toDatedFlight = (of: ConnectingRecord, date: number): DatedFlight => {
  const { record } = of;
  const utc = record.clockChanges.findLast(({ from }) => from <= date) ?? record;
  return {
    of,
    departsLocal: date * 1440 + record.departureLocalMinutes,
    departsUtc: date * 1440 + utc.departureUtcMinutes,
    arrivesLocal: date * 1440 + record.arrivalLocalMinutes,
    arrivesUtc: date * 1440 + utc.arrivalUtcMinutes,
  };
};

/** Lists a record on all its days. */
export const listDatedFlights = (of: ConnectingRecord): readonly DatedFlight[] =>
  [...listDepartureDates(of.record.period)].map((date) => toDatedFlight(of, date));

type Timed = Pick<Instance, 'departsLocal' | 'departsUtc' | 'arrivesLocal' | 'arrivesUtc'>;

const timesText = ({ departsLocal, departsUtc, arrivesLocal, arrivesUtc }: Timed): string =>
  [departsLocal, departsUtc, arrivesLocal, arrivesUtc].map(formatMinute).join(' ');

/** Describes a flight on one day: designator, route, times. */
export const describeDatedFlight = (dated: DatedFlight): string =>
  `${formatDesignator(dated.of.flight)} ${dated.of.flight.airports.map(({ iata }) => iata).join('-')} ${timesText(dated)}`;

/** Describes a flight of the oracle in the same form. */
export const describeInstance = (instance: Instance): string =>
  `${formatDesignator(instance.flight)} ${instance.flight.stations.map(({ iata }) => iata).join('-')} ${timesText(instance)}`;
