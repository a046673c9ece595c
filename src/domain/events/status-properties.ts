import type { StatusChangeKind } from '../alerts/alert.ts';
import { listProperties, type PropertyNames } from './property-changes.ts';
import type { StatusIdentity, StatusContent } from './event-content.ts';

/**
 * All properties of a status event whose changes are reported, in document order, with the change kind that alerts select
 * by; `else` is none of them. The contract enumerates the names. The compiler rejects a missing property and one that the
 * event does not have.
 */
const table = {
  FlightType: 'else',
  State: 'else',
  ServiceType: 'else',
  'CarrierCode.Iata': 'else',
  'CarrierCode.Icao': 'else',
  'Equipment.AircraftType.Iata': 'aircraftType',
  'Equipment.AircraftType.Icao': 'aircraftType',
  'Equipment.AircraftRegistrationNumber': 'aircraftRegistrationNumber',
  'Departure.Times.Scheduled.Local': 'else',
  'Departure.Times.Scheduled.UTC': 'else',
  'Departure.Times.Estimated.OutGateTimeliness': 'else',
  'Departure.Times.Estimated.OutGateVariation': 'else',
  'Departure.Times.Estimated.OutGate.Local': 'else',
  'Departure.Times.Estimated.OutGate.UTC': 'else',
  'Departure.Times.Estimated.OffGround.Local': 'else',
  'Departure.Times.Estimated.OffGround.UTC': 'else',
  'Departure.Times.Actual.OutGateTimeliness': 'else',
  'Departure.Times.Actual.OutGateVariation': 'else',
  'Departure.Times.Actual.OutGate.Local': 'else',
  'Departure.Times.Actual.OutGate.UTC': 'else',
  'Departure.Times.Actual.OffGround.Local': 'else',
  'Departure.Times.Actual.OffGround.UTC': 'else',
  'Departure.Airport.Iata': 'else',
  'Departure.Airport.Icao': 'else',
  'Departure.Airport.Faa': 'else',
  'Departure.Country.Code': 'else',
  'Departure.Scheduled.Airport.Iata': 'else',
  'Departure.Scheduled.Airport.Icao': 'else',
  'Departure.Scheduled.Airport.Faa': 'else',
  'Departure.Scheduled.Country.Code': 'else',
  'Departure.Terminal': 'terminal',
  'Departure.Gate': 'gates',
  'Departure.CheckInCounter': 'else',
  'Arrival.Times.Scheduled.Local': 'else',
  'Arrival.Times.Scheduled.UTC': 'else',
  'Arrival.Times.Estimated.InGateTimeliness': 'else',
  'Arrival.Times.Estimated.InGateVariation': 'else',
  'Arrival.Times.Estimated.OnGround.Local': 'else',
  'Arrival.Times.Estimated.OnGround.UTC': 'else',
  'Arrival.Times.Estimated.InGate.Local': 'else',
  'Arrival.Times.Estimated.InGate.UTC': 'else',
  'Arrival.Times.Actual.InGateTimeliness': 'else',
  'Arrival.Times.Actual.InGateVariation': 'else',
  'Arrival.Times.Actual.OnGround.Local': 'else',
  'Arrival.Times.Actual.OnGround.UTC': 'else',
  'Arrival.Times.Actual.InGate.Local': 'else',
  'Arrival.Times.Actual.InGate.UTC': 'else',
  'Arrival.Airport.Iata': 'else',
  'Arrival.Airport.Icao': 'else',
  'Arrival.Airport.Faa': 'else',
  'Arrival.Country.Code': 'else',
  'Arrival.Scheduled.Airport.Iata': 'else',
  'Arrival.Scheduled.Airport.Icao': 'else',
  'Arrival.Scheduled.Airport.Faa': 'else',
  'Arrival.Scheduled.Country.Code': 'else',
  'Arrival.Terminal': 'terminal',
  'Arrival.Gate': 'gates',
  'Arrival.Baggage': 'baggage',
  'DiversionAirport.Iata': 'else',
  'DiversionAirport.Icao': 'else',
  'DiversionAirport.Faa': 'else',
  IrregularOperationType: 'else',
  DiversionType: 'else',
  OriginalStatusKey: 'else',
  'OperatingAirlineDisclosure.Code': 'else',
  'OperatingAirlineDisclosure.Name': 'else',
  'OperatingAirlineDisclosure.Number': 'else',
  'CockpitCrewEmployer.Code': 'else',
  'CockpitCrewEmployer.Name': 'else',
  'CockpitCrewEmployer.Number': 'else',
  'CabinCrewEmployer.Code': 'else',
  'CabinCrewEmployer.Name': 'else',
  'CabinCrewEmployer.Number': 'else',
  MarketingFlights: 'else',
  'OperatingFlight.Code': 'else',
  'OperatingFlight.ServiceNumber': 'else',
  'OperatingFlight.Suffix': 'else',
  'SeatingCapacity.Actual.FirstClass': 'seats',
  'SeatingCapacity.Actual.BusinessClass': 'seats',
  'SeatingCapacity.Actual.PremiumEconomyClass': 'seats',
  'SeatingCapacity.Actual.EconomyPlusClass': 'seats',
  'SeatingCapacity.Actual.EconomyClass': 'seats',
  'SeatingCapacity.Actual.TotalSeats': 'seats',
  IsOperating: 'else',
  ScheduleInstanceKey: 'else',
  OperatingInstanceKey: 'else',
  MarketingInstancesKeys: 'else',
  StatusKey: 'else',
} as const satisfies Record<PropertyNames<Omit<StatusContent, keyof StatusIdentity>>, StatusChangeKind | 'else'>;

export type StatusPropertyName = keyof typeof table;

export const statusProperties = listProperties(table);

/** Returns the change kind of a property that alerts select by; undefined if it is none of the six. */
export const getChangeKind = (name: StatusPropertyName): StatusChangeKind | undefined => {
  const kind = table[name];
  return kind === 'else' ? undefined : kind;
};
