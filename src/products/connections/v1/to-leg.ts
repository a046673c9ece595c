import type { Leg, OperatingFlight } from '../../../../generated/connections/v1/types.gen.ts';
import type { ConnectingFlight, ConnectingRecord } from '../../../domain/connections/flights/connecting-flight.ts';
import { formatTime, MINUTES_A_DAY, type LocalDate } from '../../../domain/time/dates.ts';
import { carrierIn, type Directory } from '../../../domain/master-data/directory.ts';
import { flightDistances } from '../../../domain/master-data/distance.ts';
import type { ScheduleRecord, UtcTimes } from '../../../domain/schedule/schedule-records.ts';
import type { Designator } from '../../../domain/schedule/schedule.ts';

const daysOf = (minutes: number): number => Math.floor(minutes / MINUTES_A_DAY);
const timeOf = (minutes: number): string => formatTime(minutes - daysOf(minutes) * MINUTES_A_DAY);

/** The UTC times of a record on one of its dates: those of the last change of a clock up to it. */
export const utcTimesOn = (record: ScheduleRecord, date: LocalDate): UtcTimes =>
  record.clockChanges.findLast(({ from }) => from <= date) ?? record;

/** A flight by its designator, as other products name it. */
export const toDesignator = ({ carrier, flightNumber, suffix }: Designator): OperatingFlight => ({
  code: carrier,
  serviceNumber: String(flightNumber),
  suffix,
});

/** A designator can be an IATA or an ICAO code; master data may know the other one. */
const toCarrierCode = (designator: string, directory: Directory): Leg['carrierCode'] => {
  const known = carrierIn(directory, designator);
  const filed = designator.length === 3 ? { iata: '', icao: designator } : { iata: designator, icao: '' };
  const { iata, icao } = known ?? filed;
  return { ...(iata !== '' && { iata }), ...(icao !== '' && { icao }) };
};

const hasOtherOperator = ({ operating, carrier, flightNumber, suffix }: ConnectingFlight): boolean =>
  operating.carrier !== carrier || operating.flightNumber !== flightNumber || operating.suffix !== suffix;

/** When a leg is looked at: its own local date of departure, and days from that of leg 1 to it. */
export type LegDay = { readonly date: LocalDate; readonly intervalDays: number };

/** A leg of a connection; its elapsed time is that of the date. */
export const toLeg = (
  { flight, record, fingerprint }: ConnectingRecord,
  { date, intervalDays }: LegDay,
  directory: Directory,
): Leg => {
  const [board, ...later] = flight.airports;
  const off = later.at(-1) ?? board;
  const times = utcTimesOn(record, date);
  const distance = flightDistances(flight.airports);
  const [{ type }] = flight.equipment;
  return {
    departure: { airport: { iata: board.iata }, passengerLocalTime: timeOf(record.departureLocalMinutes) },
    arrival: { airport: { iata: off.iata }, passengerLocalTime: timeOf(record.arrivalLocalMinutes) },
    DepartureTerminal: flight.departureTerminal,
    ArrivalTerminal: flight.arrivalTerminal,
    IntermediateAirportsIata: later.slice(0, -1).map(({ iata }) => iata),
    carrierCode: toCarrierCode(flight.carrier, directory),
    flightNumber: flight.flightNumber,
    ...(flight.suffix !== '' && { serviceSuffix: flight.suffix }),
    ...(hasOtherOperator(flight) && { operatingFlight: toDesignator(flight.operating) }),
    serviceType: { iata: flight.serviceType },
    ...(type !== '' && { aircraftType: { iata: type } }),
    departureIntervalDays: intervalDays,
    arrivalIntervalDays: intervalDays + daysOf(record.arrivalLocalMinutes),
    elapsedTime: times.arrivalUtcMinutes - times.departureUtcMinutes,
    ...(distance && { distance }),
    ...(fingerprint !== '' && { fingerprint }),
    restrictions: [...flight.restrictions],
  };
};
