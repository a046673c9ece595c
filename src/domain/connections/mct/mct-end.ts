import type { Designator } from '../../schedule/schedule.ts';
import type { ConnectingFlight, ConnectionAirport, SectorEquipment } from '../connecting-flight.ts';

/** All that minimum connecting times ask of a flight at the point where it connects. */
export type MctEnd = {
  /** Of the arrival or the departure at that point: domestic or international. */
  readonly status: 'D' | 'I';
  readonly carrier: string;
  readonly flightNumber: number;
  readonly isMarketing: boolean;
  readonly operating: Designator;
  /** '' when unknown. */
  readonly terminal: string;
  /** The airport before the arrival, or after the departure: that of the sector that touches the point. */
  readonly beyond: ConnectionAirport;
  /** The aircraft of that sector. */
  readonly equipment: SectorEquipment;
};

/** What the schedule says, else what the countries of the sector say; one that is unknown is taken to be abroad. */
const statusOf = (filed: 'D' | 'I' | '', here: ConnectionAirport, beyond: ConnectionAirport): 'D' | 'I' => {
  if (filed !== '') return filed;
  return here.countryCode !== '' && here.countryCode === beyond.countryCode ? 'D' : 'I';
};

const whoOf = ({ carrier, flightNumber, isMarketing, operating }: ConnectingFlight) => ({
  carrier,
  flightNumber,
  isMarketing,
  operating,
});

/** A flight as minimum connecting times see it where it arrives. */
export const arrivalEndOf = (flight: ConnectingFlight): MctEnd => {
  const { airports, equipment } = flight;
  const beyond = airports.at(-2) ?? airports[0];
  return {
    ...whoOf(flight),
    status: statusOf(flight.arrivalStatus, airports.at(-1) ?? airports[1], beyond),
    terminal: flight.arrivalTerminal,
    beyond,
    equipment: equipment.at(-1) ?? equipment[0],
  };
};

/** A flight as minimum connecting times see it where it departs. */
export const departureEndOf = (flight: ConnectingFlight): MctEnd => {
  const [here, beyond] = flight.airports;
  return {
    ...whoOf(flight),
    status: statusOf(flight.departureStatus, here, beyond),
    terminal: flight.departureTerminal,
    beyond,
    equipment: flight.equipment[0],
  };
};
