import type { Leg, OperatingFlight } from '#generated/connections/v1/types.gen.ts';
import type { ConnectingFlight, ConnectingRecord } from '#domain/connections/flights/connecting-flight.ts';
import { formatTime, MINUTES_A_DAY, type LocalDate } from '#domain/time/dates.ts';
import { findCarrier, type MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { computeFlightDistances } from '#domain/master-data/distance.ts';
import type { ScheduleRecord, UtcTimes } from '#domain/schedule/schedule-records.ts';
import type { Designator } from '#domain/schedule/schedule.ts';

const toIntervalDays = (minutes: number): number => Math.floor(minutes / MINUTES_A_DAY);
const formatTimeOfDay = (minutes: number): string => formatTime(minutes - toIntervalDays(minutes) * MINUTES_A_DAY);

/** Returns the UTC times of a record on a date: those after the last clock change up to that date. */
export const getUtcTimesOn = (record: ScheduleRecord, date: LocalDate): UtcTimes =>
  record.clockChanges.findLast(({ from }) => from <= date) ?? record;

/** Returns the wire form of a flight designator, the same as in other products. */
export const toDesignator = ({ carrier, flightNumber, suffix }: Designator): OperatingFlight => ({
  code: carrier,
  serviceNumber: String(flightNumber),
  suffix,
});

/** A carrier designator is an IATA or an ICAO code; master data may have the other one. */
const toCarrierCode = (designator: string, masterDataIndex: MasterDataIndex): Leg['carrierCode'] => {
  const known = findCarrier(masterDataIndex, designator);
  const filed = designator.length === 3 ? { iata: '', icao: designator } : { iata: designator, icao: '' };
  const { iata, icao } = known ?? filed;
  return { ...(iata !== '' && { iata }), ...(icao !== '' && { icao }) };
};

const hasOtherOperator = ({ operating, carrier, flightNumber, suffix }: ConnectingFlight): boolean =>
  operating.carrier !== carrier || operating.flightNumber !== flightNumber || operating.suffix !== suffix;

/** The local departure date of a leg, and the days from that of leg 1 to it. */
export type LegDay = { readonly date: LocalDate; readonly intervalDays: number };

/** Returns the wire form of a leg; its elapsed time is that on the given date. */
export const toLeg = (
  { flight, record, fingerprint }: ConnectingRecord,
  { date, intervalDays }: LegDay,
  masterDataIndex: MasterDataIndex,
): Leg => {
  const [board, ...later] = flight.airports;
  const off = later.at(-1) ?? board;
  const times = getUtcTimesOn(record, date);
  const distance = computeFlightDistances(flight.airports);
  const [{ type }] = flight.equipment;
  return {
    departure: { airport: { iata: board.iata }, passengerLocalTime: formatTimeOfDay(record.departureLocalMinutes) },
    arrival: { airport: { iata: off.iata }, passengerLocalTime: formatTimeOfDay(record.arrivalLocalMinutes) },
    DepartureTerminal: flight.departureTerminal,
    ArrivalTerminal: flight.arrivalTerminal,
    IntermediateAirportsIata: later.slice(0, -1).map(({ iata }) => iata),
    carrierCode: toCarrierCode(flight.carrier, masterDataIndex),
    flightNumber: flight.flightNumber,
    ...(flight.suffix !== '' && { serviceSuffix: flight.suffix }),
    ...(hasOtherOperator(flight) && { operatingFlight: toDesignator(flight.operating) }),
    serviceType: { iata: flight.serviceType },
    ...(type !== '' && { aircraftType: { iata: type } }),
    departureIntervalDays: intervalDays,
    arrivalIntervalDays: intervalDays + toIntervalDays(record.arrivalLocalMinutes),
    elapsedTime: times.arrivalUtcMinutes - times.departureUtcMinutes,
    ...(distance && { distance }),
    ...(fingerprint !== '' && { fingerprint }),
    restrictions: [...flight.restrictions],
  };
};
