import type { ConnectingRecord } from '../../../../src/domain/connections/flights/connecting-flight.ts';
import { listDepartureDates } from '../../../../src/domain/time/period.ts';
import { nameText, type Instance } from './oracle/flights.ts';
import { minuteText } from './oracle/clock.ts';

/** A flight on one day as the service has it; minutes since 1970-01-01. */
export type DatedFlight = {
  readonly of: ConnectingRecord;
  readonly departsLocal: number;
  readonly departsUtc: number;
  readonly arrivesLocal: number;
  readonly arrivesUtc: number;
};

/** A record on a local date of departure. */
export const flightOn = (of: ConnectingRecord, date: number): DatedFlight => {
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

/** Every day of a record. */
export const datedFlights = (of: ConnectingRecord): readonly DatedFlight[] =>
  [...listDepartureDates(of.record.period)].map((date) => flightOn(of, date));

type Timed = Pick<Instance, 'departsLocal' | 'departsUtc' | 'arrivesLocal' | 'arrivesUtc'>;

const timesText = ({ departsLocal, departsUtc, arrivesLocal, arrivesUtc }: Timed): string =>
  [departsLocal, departsUtc, arrivesLocal, arrivesUtc].map(minuteText).join(' ');

/** A flight on one day in words: designator, way, times. */
export const datedText = (dated: DatedFlight): string =>
  `${nameText(dated.of.flight)} ${dated.of.flight.airports.map(({ iata }) => iata).join('-')} ${timesText(dated)}`;

/** The same words for a flight of the oracle. */
export const expectedText = (instance: Instance): string =>
  `${nameText(instance.flight)} ${instance.flight.stations.map(({ iata }) => iata).join('-')} ${timesText(instance)}`;
