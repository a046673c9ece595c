import type { LocalDate } from '#domain/time/dates.ts';
import { mctStatuses } from '#domain/connections/mct/mct-record.ts';
import type { MctFile, MctPartners, MctRecord, MctSide } from '#domain/connections/mct/mct-record.ts';
import type { Itinerary } from '#domain/schedule/schedule.ts';
import type { SeededRandom } from '#test/lib/seeded-random.ts';
import { equipmentTypes, findStation, type WorldSetting } from './setting.ts';

const minuteChoices = [0, 15, 20, 25, 30, 35, 40, 45, 50, 60, 75, 90, 105, 120, 150, 180, 240, 300, 1500];

const regionChoices = ['EUR', 'SCH', 'SCH', 'EUR', 'NOA', 'SWP', 'TC1', 'TC2', 'TC3'] as const;

const stateOf = (code: string): string => findStation(code)?.stateCode || 'NJ';
const countryOf = (code: string): string => findStation(code)?.countryCode || 'US';

/** `share` is a percentage of the usual number of filled fields. */
type Itineraries = readonly Itinerary[];
const sideOf = ({ codes, carriers, random }: WorldSetting, itineraries: Itineraries, share: number): MctSide => {
  const filled = (chances: number): boolean => random.chance((chances * share) / 100);
  const hasCarrier = filled(40);
  const isCodeshare = hasCarrier ? random.chance(50) : filled(4);
  const sold = random.pick(itineraries);
  const number = random.pick(itineraries).legs[0].flightNumber;
  const code = random.pick(codes);
  return {
    carrier: hasCarrier ? (isCodeshare ? sold.legs[0].carrier : random.pick(carriers)) : '',
    isCodeshare,
    operator: random.chance(isCodeshare ? 60 : share / 15) ? random.pick(carriers) : '',
    flights: random.chance(hasCarrier ? 35 : share / 20)
      ? { from: Math.max(1, number - random.integer(0, 8)), to: number + random.integer(0, 8) }
      : undefined,
    terminal: filled(20) ? random.pick(['1', '2', 'A']) : '',
    station: filled(15) ? code : '',
    stateCode: filled(9) ? stateOf(code) : '',
    countryCode: filled(12) ? countryOf(code) : '',
    region: filled(12) ? random.pick(regionChoices) : '',
    equipment: filled(15) ? random.pick(equipmentTypes) : '',
    body: filled(12) ? random.pick(['W', 'N'] as const) : '',
  };
};

const stationsOf = ({ codes, hubs, random }: WorldSetting): readonly [string, string] => {
  const one = random.chance(80) ? random.pick(hubs) : random.pick(codes);
  const how = random.integer(1, 100);
  if (how <= 55) return [one, one];
  if (how <= 65) return [one, ''];
  if (how <= 75) return ['', one];
  return how <= 92 ? [one, random.chance(70) ? random.pick(hubs) : random.pick(codes)] : ['', ''];
};

const recordOf = (line: number, setting: WorldSetting, itineraries: readonly Itinerary[]): MctRecord => {
  const { theme, random } = setting;
  const share = random.pick([10, 30, 60, 100, 160]);
  const suppression = random.chance(14) ? random.pick(['Y', 'Y', 'N'] as const) : '';
  // Suppressions are often without a station, and apply to a whole region or everywhere.
  const [arrivalStation, departureStation] = suppression !== '' && random.chance(40) ? ['', ''] : stationsOf(setting);
  const date = (from: number, to: number): LocalDate | undefined =>
    random.chance(18) ? ((theme.day + random.integer(from, to)) as LocalDate) : undefined;
  const isLimited = (chances: number): boolean => suppression !== '' && random.chance(chances);
  return {
    line,
    status: random.pick(mctStatuses),
    arrivalStation,
    departureStation,
    arrival: sideOf(setting, itineraries, share),
    departure: sideOf(setting, itineraries, share),
    from: date(-8, 3),
    to: date(-3, 9),
    suppression,
    suppressionStateCode: isLimited(15) ? stateOf(random.pick(setting.hubs)) : '',
    suppressionCountryCode: isLimited(25) ? countryOf(random.pick(setting.hubs)) : '',
    suppressionRegion: isLimited(15) ? random.pick(regionChoices) : '',
    minutes: suppression === '' || (suppression === 'N' && random.chance(50)) ? random.pick(minuteChoices) : undefined,
    submittedBy: '',
  };
};

/** Creates a record that differs slightly from another, so that precedence matters. */
const varied = (record: MctRecord, other: MctRecord, line: number, random: SeededRandom): MctRecord => {
  // Some of the fields of another record; the carrier, its flag, its operator and its numbers belong together.
  const mixSide = (one: MctSide, two: MctSide): MctSide => {
    const { carrier, isCodeshare, operator, flights } = random.chance(15) ? two : one;
    const mixed = Object.keys(one).map((name) => [name, Reflect.get(random.chance(15) ? two : one, name)] as const);
    return { ...one, ...Object.fromEntries(mixed), carrier, isCodeshare, operator, flights };
  };
  return {
    ...record,
    line,
    arrival: mixSide(record.arrival, other.arrival),
    departure: mixSide(record.departure, other.departure),
    minutes: record.suppression === '' ? random.pick(minuteChoices) : undefined,
    suppression: record.suppression === '' ? '' : random.pick(['Y', 'N'] as const),
  };
};

const partnersOf = ({ carriers, random }: WorldSetting): readonly MctPartners[] =>
  random.chance(40)
    ? random.sample(carriers, random.integer(1, carriers.length)).map((carrier, index) => ({
        line: 1000 + index,
        carrier,
        partners: carriers.filter((other) => other !== carrier && random.chance(60)),
      }))
    : [];

/** Standards and exceptions of the stations, carriers and numbers of a world. */
export const createMctFile = (setting: WorldSetting, itineraries: readonly Itinerary[]): MctFile => {
  const { random } = setting;
  const records: MctRecord[] = [];
  const count = random.pick([0, 8, 20, 50, 100]);
  while (records.length < count) {
    const line = records.length + 2;
    records.push(
      records.length > 2 && random.chance(40)
        ? varied(random.pick(records), random.pick(records), line, random)
        : recordOf(line, setting, itineraries),
    );
  }
  return { records, partners: partnersOf(setting) };
};
