import type { LocalDate } from '../../../../../src/domain/time/dates.ts';
import {
  mctStatuses,
  type MctFile,
  type MctPartners,
  type MctRecord,
  type MctSide,
} from '../../../../../src/domain/connections/mct/mct-record.ts';
import type { Itinerary } from '../../../../../src/domain/schedule/schedule.ts';
import type { SeededRandom } from '../../../../lib/seeded-random.ts';
import { equipmentTypes } from './codes.ts';
import type { Setting } from './setting.ts';
import { allStations } from './themes.ts';

const minuteChoices = [0, 15, 20, 25, 30, 35, 40, 45, 50, 60, 75, 90, 105, 120, 150, 180, 240, 300, 1500];

const regionChoices = ['EUR', 'SCH', 'SCH', 'EUR', 'NOA', 'SWP', 'TC1', 'TC2', 'TC3'] as const;

const stateOf = (code: string): string => allStations.find(({ iata }) => iata === code)?.stateCode || 'NJ';
const countryOf = (code: string): string => allStations.find(({ iata }) => iata === code)?.countryCode || 'US';

/** `share` of the usual number of fields is filled, in a hundred. */
const sideOf = ({ codes, carriers, chance }: Setting, itineraries: readonly Itinerary[], share: number): MctSide => {
  const filled = (chances: number): boolean => chance.chance((chances * share) / 100);
  const hasCarrier = filled(40);
  const isCodeshare = hasCarrier ? chance.chance(50) : filled(4);
  const sold = chance.pick(itineraries);
  const number = chance.pick(itineraries).legs[0].flightNumber;
  const place = chance.pick(codes);
  return {
    carrier: hasCarrier ? (isCodeshare ? sold.legs[0].carrier : chance.pick(carriers)) : '',
    isCodeshare,
    operator: chance.chance(isCodeshare ? 60 : share / 15) ? chance.pick(carriers) : '',
    flights: chance.chance(hasCarrier ? 35 : share / 20)
      ? { from: Math.max(1, number - chance.integer(0, 8)), to: number + chance.integer(0, 8) }
      : undefined,
    terminal: filled(20) ? chance.pick(['1', '2', 'A']) : '',
    station: filled(15) ? place : '',
    stateCode: filled(9) ? stateOf(place) : '',
    countryCode: filled(12) ? countryOf(place) : '',
    region: filled(12) ? chance.pick(regionChoices) : '',
    equipment: filled(15) ? chance.pick(equipmentTypes) : '',
    body: filled(12) ? chance.pick(['W', 'N'] as const) : '',
  };
};

const stationsOf = ({ codes, hubs, chance }: Setting): readonly [string, string] => {
  const one = chance.chance(80) ? chance.pick(hubs) : chance.pick(codes);
  const how = chance.integer(1, 100);
  if (how <= 55) return [one, one];
  if (how <= 65) return [one, ''];
  if (how <= 75) return ['', one];
  return how <= 92 ? [one, chance.chance(70) ? chance.pick(hubs) : chance.pick(codes)] : ['', ''];
};

const recordOf = (line: number, setting: Setting, itineraries: readonly Itinerary[]): MctRecord => {
  const { theme, chance } = setting;
  const share = chance.pick([10, 30, 60, 100, 160]);
  const suppression = chance.chance(14) ? chance.pick(['Y', 'Y', 'N'] as const) : '';
  // Suppressions are often of no station, and hold in a whole region or everywhere.
  const [arrivalStation, departureStation] = suppression !== '' && chance.chance(40) ? ['', ''] : stationsOf(setting);
  const date = (from: number, to: number): LocalDate | undefined =>
    chance.chance(18) ? ((theme.day + chance.integer(from, to)) as LocalDate) : undefined;
  const place = (chances: number): boolean => suppression !== '' && chance.chance(chances);
  return {
    line,
    status: chance.pick(mctStatuses),
    arrivalStation,
    departureStation,
    arrival: sideOf(setting, itineraries, share),
    departure: sideOf(setting, itineraries, share),
    from: date(-8, 3),
    to: date(-3, 9),
    suppression,
    suppressionStateCode: place(15) ? stateOf(chance.pick(setting.hubs)) : '',
    suppressionCountryCode: place(25) ? countryOf(chance.pick(setting.hubs)) : '',
    suppressionRegion: place(15) ? chance.pick(regionChoices) : '',
    minutes: suppression === '' || (suppression === 'N' && chance.chance(50)) ? chance.pick(minuteChoices) : undefined,
    submittedBy: '',
  };
};

/** A record that differs from another in little, so that the order of weights has something to decide. */
const varied = (record: MctRecord, other: MctRecord, line: number, chance: SeededRandom): MctRecord => {
  // Some of the fields of another record; the carrier, its flag, its operator and its numbers belong together.
  const mixSide = (one: MctSide, two: MctSide): MctSide => {
    const who = chance.chance(15) ? two : one;
    const from = (): MctSide => (chance.chance(15) ? two : one);
    return {
      carrier: who.carrier,
      isCodeshare: who.isCodeshare,
      operator: who.operator,
      flights: who.flights,
      terminal: from().terminal,
      station: from().station,
      stateCode: from().stateCode,
      countryCode: from().countryCode,
      region: from().region,
      equipment: from().equipment,
      body: from().body,
    };
  };
  return {
    ...record,
    line,
    arrival: mixSide(record.arrival, other.arrival),
    departure: mixSide(record.departure, other.departure),
    minutes: record.suppression === '' ? chance.pick(minuteChoices) : undefined,
    suppression: record.suppression === '' ? '' : chance.pick(['Y', 'N'] as const),
  };
};

const partnersOf = ({ carriers, chance }: Setting): readonly MctPartners[] =>
  chance.chance(40)
    ? chance.sample(carriers, chance.integer(1, carriers.length)).map((carrier, index) => ({
        line: 1000 + index,
        carrier,
        partners: carriers.filter((other) => other !== carrier && chance.chance(60)),
      }))
    : [];

/** Standards and exceptions of the stations, carriers and numbers of a world. */
export const mctFileOf = (setting: Setting, itineraries: readonly Itinerary[]): MctFile => {
  const { chance } = setting;
  const records: MctRecord[] = [];
  const count = chance.pick([0, 8, 20, 50, 100]);
  while (records.length < count) {
    const line = records.length + 2;
    records.push(
      records.length > 2 && chance.chance(40)
        ? varied(chance.pick(records), chance.pick(records), line, chance)
        : recordOf(line, setting, itineraries),
    );
  }
  return { records, partners: partnersOf(setting) };
};
