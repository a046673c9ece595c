import type { MctRecord, MctSide } from './mct-record.ts';

/** A side of a record of minimum connecting times that asks nothing of its flight. */
export const anyFlight: MctSide = {
  carrier: '',
  isCodeshare: false,
  operator: '',
  flights: undefined,
  terminal: '',
  station: '',
  stateCode: '',
  countryCode: '',
  region: '',
  equipment: '',
  body: '',
};

/** What a record that asks nothing but a status has in its other fields. */
export const anyConnection: Omit<MctRecord, 'line' | 'status'> = {
  arrivalStation: '',
  departureStation: '',
  arrival: anyFlight,
  departure: anyFlight,
  from: undefined,
  to: undefined,
  suppression: '',
  suppressionStateCode: '',
  suppressionCountryCode: '',
  suppressionRegion: '',
  minutes: undefined,
  submittedBy: '',
};
