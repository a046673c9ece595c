import { localDate } from '#domain/time/dates.ts';
import { EVERY_DAY } from '#domain/time/period.ts';
import type { LegEnd, ScheduleLeg } from '#domain/schedule/schedule.ts';

const end: LegEnd = {
  station: 'SYD',
  passengerMinutes: 600,
  aircraftMinutes: 600,
  utcVariationMinutes: 0,
  dateVariation: 0,
  terminal: '',
  mctStatus: '',
};
const noCompany = { code: '', name: '' };

/** XX 301 from SYD to SIN, daily in June 2026, 10:00 to 12:00; blank where a value is optional. */
export const sampleLeg: ScheduleLeg = {
  carrier: 'XX',
  flightNumber: 301,
  suffix: '',
  line: 1,
  itinerary: 1,
  sequence: 1,
  serviceType: 'J',
  timeMode: 'local',
  period: { from: localDate('2026-06-01'), to: localDate('2026-06-30'), days: EVERY_DAY, everyWeeks: 1 },
  departure: end,
  arrival: { ...end, station: 'SIN', passengerMinutes: 720, aircraftMinutes: 720 },
  equipment: '789',
  bookingClasses: '',
  bookingModifiers: '',
  meals: '',
  jointOperators: [],
  secureFlight: '',
  aircraftOwner: noCompany,
  cockpitCrew: noCompany,
  cabinCrew: noCompany,
  disclosure: '',
  trafficRestrictions: '',
  configuration: '',
  electronicTicketing: undefined,
  inFlightServices: [],
};
