import type { Airline } from '#feeds/master-data/sources/airlines.ts';
import type { RankedCarrier } from '#feeds/master-data/join/carriers/rank-carriers.ts';

export const buildAirline = (fields: Partial<Airline>): Airline => ({
  company: '',
  iata: '',
  icao: '',
  name: '',
  isCurrent: true,
  flights: 0,
  startedOn: '',
  endedOn: '',
  alliance: '',
  bases: [],
  ...fields,
});

export const buildRankedCarrier = (fields: Partial<RankedCarrier>): RankedCarrier => ({
  ...buildAirline(fields),
  formerNames: [],
  rank: 1,
  list: 'airlines',
  isCodeClaimed: false,
  precededUntil: '',
  ...fields,
});
