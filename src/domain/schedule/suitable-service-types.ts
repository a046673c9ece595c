/** What an aircraft or vehicle under one IATA code is fitted for. */
export type EquipmentUse =
  /** Seats; freight goes below the floor. */
  | 'Passenger'
  /** Seats and freight behind one another on the main deck. */
  | 'Combi'
  /** No seats. */
  | 'Freighter'
  /** Seats, freight or both: light aircraft, helicopters and small transports, whose one code stands for all of it. */
  | 'Utility'
  | 'SurfacePassenger'
  | 'SurfaceCargo';

/** Flights that earn nothing, and flights of owners for themselves: any aircraft may make them. */
const anyAircraft = 'DEIKNPTWX';
const seats = 'BCGJLOS';
const freight = 'AFHM';
/** Passengers with cargo in the cabin. */
const mixed = 'QR';

const letters: Readonly<Record<EquipmentUse, string>> = {
  Passenger: seats + anyAircraft,
  Combi: seats + mixed + anyAircraft,
  Freighter: freight + anyAircraft,
  Utility: seats + freight + mixed + anyAircraft,
  SurfacePassenger: 'U',
  SurfaceCargo: 'V',
};

/**
 * The service types of SSIM appendix C that equipment of a use is suitable for, in the order of the alphabet. Letters outside
 * the appendix (Y, Z) are nobody's. A quick-change aircraft has one code with seats and another without: each goes by its own use.
 */
export const suitableServiceTypes = (use: EquipmentUse): readonly string[] => [...letters[use]].toSorted();
