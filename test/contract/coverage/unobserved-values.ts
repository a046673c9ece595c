import type { Reasons } from './coverage-table.ts';

const noNumber = 'no format that is read files a number with a company';
const presentOrAbsent = 'present and true, or absent';

/** The properties and values that no answer has, and why, by document. */
const places: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'flight-info/v1': {
    'FlightInstance.codeshare.operatingAirlineDisclosure.number': noNumber,
    'FlightInstance.codeshare.cockpitCrewEmployer.number': noNumber,
    'FlightInstance.codeshare.jointOperationAirlineDesignators[].number': noNumber,
    'FlightInstance.statusDetails[].correction = false': presentOrAbsent,
  },
  'flight-info/v2': {
    'FlightInstance.codeshare.operatingAirlineDisclosure.number': noNumber,
    'FlightInstance.codeshare.cockpitCrewEmployer.number': noNumber,
    'FlightInstance.codeshare.cabinCrewEmployer.number': noNumber,
    'FlightInstance.codeshare.jointOperationAirlineDesignators[].number': noNumber,
    'FlightInstance.statusDetails[].correction = false': presentOrAbsent,
  },
  'schedules/v1': {
    'Schedule.automatedCheckIn = false': 'that check-in is not automated cannot be filed',
    'Schedule.codeshare.operatingAirlineDisclosure.number': noNumber,
    'Schedule.codeshare.cockpitCrewEmployer.number': noNumber,
    'Schedule.codeshare.cabinCrewEmployer.number': noNumber,
    'Schedule.codeshare.jointOperationAirlineDesignators[].number': noNumber,
    'Schedule.premiumContent.seatingCapacity.economyPlusClass': 'a configuration has no letter for it',
  },
};

/** The places of a document that no answer has, in the order of the alphabet. */
export const listUnobservable = (document: string): readonly string[] => Object.keys(places[document] ?? {}).toSorted();

/** What documents declare and no answer has, and why. */
export const unobservableReasons: Reasons = Object.fromEntries(
  Object.entries(places).flatMap(([document, reasons]) =>
    Object.entries(reasons).map(([place, reason]) => [`${document} ${place}`, reason]),
  ),
);
