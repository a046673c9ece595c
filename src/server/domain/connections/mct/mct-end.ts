import type { ConnectingFlight, ConnectionAirport, SectorEquipment } from '../flights/connecting-flight.ts';

/** The facts of a flight at the connection point that MCT records can have criteria for. */
export type MctEnd = {
  /** Whether the arrival or departure at the point is domestic or international. */
  readonly status: 'D' | 'I';
  readonly carrier: string;
  readonly flightNumber: number;
  readonly isMarketing: boolean;
  readonly operatingCarrier: string;
  /** The number of the operating flight; undefined when only its carrier is known. */
  readonly operatingNumber: number | undefined;
  /** '' when unknown. */
  readonly terminal: string;
  /** The other airport of the sector at the point: before the arrival, or after the departure. */
  readonly beyond: ConnectionAirport;
  /** The aircraft of that sector. */
  readonly equipment: SectorEquipment;
};

/** The filed status, otherwise that of the countries of the sector; an unknown country counts as abroad. */
const resolveStatus = (filed: 'D' | 'I' | '', here: ConnectionAirport, beyond: ConnectionAirport): 'D' | 'I' => {
  if (filed !== '') return filed;
  return here.countryCode !== '' && here.countryCode === beyond.countryCode ? 'D' : 'I';
};

const pickCarrierFields = ({ carrier, flightNumber, isMarketing, operating, operatingCarrier }: ConnectingFlight) => ({
  carrier,
  flightNumber,
  isMarketing,
  operatingCarrier,
  operatingNumber: operating.carrier === operatingCarrier ? operating.flightNumber : undefined,
});

/** Returns the MCT facts of a flight where it arrives. */
export const toArrivalEnd = (flight: ConnectingFlight): MctEnd => {
  const { airports, equipment } = flight;
  const beyond = airports.at(-2) ?? airports[0];
  return {
    ...pickCarrierFields(flight),
    status: resolveStatus(flight.arrivalStatus, airports.at(-1) ?? airports[1], beyond),
    terminal: flight.arrivalTerminal,
    beyond,
    equipment: equipment.at(-1) ?? equipment[0],
  };
};

/** Returns the MCT facts of a flight where it departs. */
export const toDepartureEnd = (flight: ConnectingFlight): MctEnd => {
  const [here, beyond] = flight.airports;
  return {
    ...pickCarrierFields(flight),
    status: resolveStatus(flight.departureStatus, here, beyond),
    terminal: flight.departureTerminal,
    beyond,
    equipment: flight.equipment[0],
  };
};
