/**
 * Cities of airports that the points of reference count to a larger city far away, by the IATA code of the airport: each has a
 * code for its own city.
 */
export const ownCityCodes: ReadonlyMap<string, string> = new Map(
  ['ONT', 'PAE', 'PSM', 'RFD', 'YKF', 'YXX'].map((code) => [code, code]),
);
