import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { localDate } from '#domain/time/dates.ts';
import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { findOperating } from '#domain/schedule/designators.ts';
import { computeFlightView, type FlightView } from '#domain/status/flight-view.ts';
import { minuteToSecond } from '#domain/status/instants.ts';
import { type FlightObservations, isHidden } from '#domain/status/observed-flight.ts';
import type { Sql } from '#store/pool/database.ts';
import { listStatuses, type FlightStatusRow } from '#store/status/flight-statuses.ts';
import { listCandidatesByStatus } from '#store/status/status-instances.ts';
import type { FlightMapSource, MapStation } from './map-source.ts';
import type { MapReference } from './map-token.ts';

const toMapStation = (masterDataIndex: MasterDataIndex, id: number): MapStation | undefined => {
  const location = masterDataIndex.location(id);
  if (location?.latitude === undefined || location.longitude === undefined) return undefined;
  const { iata, icao, faa, name, latitude, longitude, zone = 'UTC' } = location;
  return { code: iata || icao || faa, name, city: undefined, latitude, longitude, zone };
};

const formatDesignator = ({ carrier, flightNumber, serviceSuffix = '' }: FlightInstance): string =>
  `${carrier.iata ?? carrier.icao ?? ''} ${flightNumber}${serviceSuffix}`.trim();

const findBoundFor = ({ landings, boundFor }: FlightView): number | undefined => boundFor && landings.indexOf(boundFor);

type Ends = { readonly departure: MapStation; readonly arrival: MapStation; readonly row: FlightInstance };

const buildSource = (
  { reference: schedule, observationsJson, newest }: FlightStatusRow,
  { departure, arrival, row }: Ends,
  { masterDataIndex, reference }: { readonly masterDataIndex: MasterDataIndex; readonly reference: MapReference },
): FlightMapSource | undefined => {
  if (!newest) return undefined;
  const known: FlightObservations = JSON.parse(observationsJson);
  if (isHidden(known)) return undefined;
  const view = computeFlightView(known, schedule.departure);
  const { estimatedOut, estimatedOff, actualOut, actualOff } = view;
  return {
    designator: formatDesignator(row),
    departsOn: reference.departsOn,
    state: view.state,
    departure,
    arrival,
    takeOff: {
      scheduledOut: schedule.isDepartureEstimated ? undefined : minuteToSecond(schedule.scheduledOut),
      estimatedOut,
      estimatedOff,
      actualOut,
      actualOff,
    },
    scheduledIn: schedule.scheduledIn === undefined ? undefined : minuteToSecond(schedule.scheduledIn),
    destination: view.destination,
    landings: view.landings.map(({ airport, ...landing }) => ({
      ...landing,
      station: airport === undefined ? undefined : toMapStation(masterDataIndex, airport),
    })),
    boundFor: findBoundFor(view),
    updatedAt: newest.observedAt,
  };
};

/** Finds the data of a flight for its map; undefined if the flight is no longer stored or an airport has no coordinates. */
export const findFlightMapSource = async (
  reference: MapReference,
  { sql, masterDataIndex }: { readonly sql: Sql; readonly masterDataIndex: MasterDataIndex },
): Promise<FlightMapSource | undefined> => {
  const ids = [{ departsOn: localDate(reference.departsOn), statusOrder: reference.statusOrder }];
  const [[status], targets] = await Promise.all([listStatuses(sql, ids), listCandidatesByStatus(sql, ids)]);
  // The map shows the operating designator, whichever designator the link was requested for.
  const target = findOperating(targets);
  const departure = status && toMapStation(masterDataIndex, status.reference.departure);
  const arrival = status && toMapStation(masterDataIndex, status.reference.arrival);
  if (!status || !target || !departure || !arrival) return undefined;
  return buildSource(status, { departure, arrival, row: JSON.parse(target.doc) }, { masterDataIndex, reference });
};
