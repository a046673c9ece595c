import type { Airline } from '../../../../../src/feeds/master-data/sources/airlines.ts';
import type { RankedCarrier } from '../../../../../src/feeds/master-data/join/carriers/rank-carriers.ts';

/** A row of a list of carriers of which a test tells only what matters to it. */
export const airline = (given: Partial<Airline>): Airline => ({
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
  ...given,
});

/** The same, ranked. */
export const rankedCarrier = (given: Partial<RankedCarrier>): RankedCarrier => ({
  ...airline(given),
  formerNames: [],
  rank: 1,
  list: 'airlines',
  isCodeClaimed: false,
  precededUntil: '',
  ...given,
});
