import type { Reasons } from './coverage-table.ts';

const noNumber = 'no format that is read files a number with a company';
const onlyTelegrams = 'only telegrams are left out by type';
const computedIds = 'the IDs of telegrams and AIDX are computed from their content';
const noClockChange = 'only on a date on which a clock skips the time, and no clock changes on the days of the test';
const presentOrAbsent = 'present and true, or absent';

/** Properties and values that no response can have, with the reason, by document. */
const reasonsByDocument: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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
    'FlightInstance.departure.isEstimated = false': presentOrAbsent,
    'FlightInstance.arrival.isEstimated = false': presentOrAbsent,
    'FlightInstance.departure.time.filed': noClockChange,
    'FlightInstance.arrival.time.filed': noClockChange,
  },
  'status-feed/v1': {
    'post /status-messages.leftOut': onlyTelegrams,
    'post /status-messages.results[].result = leftOut': onlyTelegrams,
    'post /status-messages.remarks[].severity = notice': 'status messages give no notices',
    'post /movement-telegrams.conflicts': computedIds,
    'post /movement-telegrams.results[].result = conflict': computedIds,
    'post /aidx.conflicts': computedIds,
    'post /aidx.results[].result = conflict': computedIds,
    'post /aidx.leftOut': onlyTelegrams,
    'post /aidx.results[].result = leftOut': onlyTelegrams,
  },
  'schedules/v1': {
    'Schedule.automatedCheckIn = false': 'that check-in is not automated cannot be filed',
    'Schedule.codeshare.operatingAirlineDisclosure.number': noNumber,
    'Schedule.codeshare.cockpitCrewEmployer.number': noNumber,
    'Schedule.codeshare.cabinCrewEmployer.number': noNumber,
    'Schedule.codeshare.jointOperationAirlineDesignators[].number': noNumber,
  },
};

/** Headers that no response has here: the fault tests kill a primary, test/faults/database/reads-without-primary.test.ts. */
const headerReasons: Reasons = {
  'header Age': 'only without the primary database',
  'header Data-As-Of': 'only without the primary database',
};

export const unobservableReasons: Reasons = {
  ...headerReasons,
  ...Object.fromEntries(
    Object.entries(reasonsByDocument).flatMap(([document, reasons]) =>
      Object.entries(reasons).map(([path, reason]) => [`${document} ${path}`, reason]),
    ),
  ),
};
