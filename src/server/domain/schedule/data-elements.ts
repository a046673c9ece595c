/** The data element identifiers of SSIM record 4 that this service interprets. The number is the filed value; the name describes its data. */
export const dataElements = {
  jointOperators: 1,
  restriction: 8,
  marketingFlights: 10,
  operatingFlight: 50,
  arrivalTerminal: 98,
  departureTerminal: 99,
  segmentBookingClasses: 101,
  segmentBookingModifiers: 102,
  bookingClasses: 106,
  bookingModifiers: 107,
  configuration: 108,
  meals: 109,
  segmentMeals: 111,
  aircraftOwner: 113,
  cockpitCrew: 114,
  cabinCrew: 115,
  segmentEquipment: 121,
  segmentJointOperators: 125,
  operatingAirline: 127,
  passengerRestriction: 170,
  cargoAndMailRestriction: 171,
  cargoRestriction: 172,
  mailRestriction: 173,
  segmentArrivalTerminal: 198,
  segmentDepartureTerminal: 199,
  governmentApproval: 201,
  planeChange: 210,
  mctStatus: 220,
  checkIn: 299,
  punctualityIndicator: 501,
  delaysAndCancellations: 502,
  inFlightServices: 503,
  secureFlight: 504,
  electronicTicketing: 505,
  restrictionAtBoardPoint: 710,
  restrictionAtOffPoint: 711,
  restrictionAtBothPoints: 712,
} as const;

/** Elements that are in use but not interpreted: their data is stored with the itinerary as filed. */
const uninterpreted = [2, 3, 4, 5, 6, 7, 9, 11, 97, 104, 105, 122, 301, 302, 303, 507];
const inUse: ReadonlySet<number> = new Set([...Object.values(dataElements), ...uninterpreted]);

/** Returns whether an element is in industry use. 713-799 carry free text about traffic restrictions. */
export const isKnownElement = (dei: number): boolean => inUse.has(dei) || (dei >= 713 && dei <= 799);

/** Returns whether an element is for bilateral agreements (800-899) or internal use (900-999) and must not be published. */
export const isPrivateElement = (dei: number): boolean => dei >= 800;
