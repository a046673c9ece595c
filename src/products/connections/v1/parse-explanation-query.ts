import { localDate, type LocalDate } from '../../../domain/time/dates.ts';
import type { Directory } from '../../../domain/master-data/directory.ts';
import type { Designator } from '../../../domain/schedule/schedule.ts';
import type { ExplainQuery } from './routes.ts';

/** Two flights and where they may meet. */
export type AskedPair = {
  /** Designators under which the flight can be filed: that of the IATA code, then those of ICAO codes. */
  readonly leg1: readonly Designator[];
  readonly leg2: readonly Designator[];
  /** Local date on which leg 1 departs. */
  readonly date: LocalDate;
  readonly viaPoint: string | undefined;
};

type AskedFlight = {
  readonly code: string;
  readonly flightNumber: number;
  readonly suffix: string | undefined;
};

const designatorsOf = (
  { code, flightNumber, suffix = '' }: AskedFlight,
  directory: Directory,
): readonly Designator[] => {
  const iata = code.toUpperCase();
  const owners = directory.carriers('iata', iata).flatMap(({ icao }) => (icao === '' ? [] : [icao]));
  return [iata, ...owners].map((carrier) => ({ carrier, flightNumber, suffix: suffix.toUpperCase() }));
};

/** The contract's question as the domain's. */
export const askExplanation = (query: ExplainQuery, directory: Directory): AskedPair => {
  const leg1 = {
    code: query.Leg1CarrierCode,
    flightNumber: query.Leg1FlightNumber,
    suffix: query.Leg1ServiceSuffix,
  };
  const leg2 = {
    code: query.Leg2CarrierCode,
    flightNumber: query.Leg2FlightNumber,
    suffix: query.Leg2ServiceSuffix,
  };
  return {
    leg1: designatorsOf(leg1, directory),
    leg2: designatorsOf(leg2, directory),
    date: localDate(query.DepartureDate),
    viaPoint: query.ViaPoint?.toUpperCase(),
  };
};
