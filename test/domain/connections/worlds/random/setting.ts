import { localDate } from '#domain/time/dates.ts';
import type { SeededRandom } from '#test/lib/seeded-random.ts';
import type { Station } from '../oracle/world.ts';

export const equipmentTypes = ['789', '77W', '320', '73H', 'AT7', 'ZZZ'] as const;

/** One letter each: most flights carry passengers, some cargo, both or neither. */
export const serviceTypes = `${'J'.repeat(30)}SUFVMQQQGBARRCOHLLPTKDEWXINYZ`;

/** All codes, and an unused one. */
export const restrictionCodes = 'ABCDEFGHIKMNOQTVWXYZP';

type Row = readonly [codes: string, latitude: number | undefined, longitude: number | undefined, zone?: string];

const rows: readonly Row[] = [
  ['LHR LON GB', 51.4706, -0.4619, 'Europe/London'],
  ['LGW LON GB', 51.1481, -0.1903, 'Europe/London'],
  ['MAN MAN GB', 53.3537, -2.275, 'Europe/London'],
  ['DUB DUB IE', 53.4213, -6.2701, 'Europe/Dublin'],
  ['CDG PAR FR', 49.0128, 2.55, 'Europe/Paris'],
  ['ORY PAR FR', 48.7233, 2.3794, 'Europe/Paris'],
  ['FRA FRA DE', 50.0333, 8.5706, 'Europe/Berlin'],
  ['JFK NYC US NY', 40.6398, -73.7789, 'America/New_York'],
  ['EWR NYC US NJ', 40.6925, -74.1687, 'America/New_York'],
  ['ORD CHI US IL', 41.9786, -87.9048, 'America/Chicago'],
  ['LAX LAX US CA', 33.9425, -118.4081, 'America/Los_Angeles'],
  ['HNL HNL US HI', 21.3187, -157.922, 'Pacific/Honolulu'],
  ['YYZ YTO CA ON', 43.6772, -79.6306, 'America/Toronto'],
  ['SYD SYD AU NS', -33.9461, 151.1772, 'Australia/Sydney'],
  ['LDH LDH AU NS', -31.5383, 159.077, 'Australia/Lord_Howe'],
  ['AKL AKL NZ', -37.0081, 174.792, 'Pacific/Auckland'],
  ['APW APW WS', -13.83, -172.008, 'Pacific/Apia'],
  ['FGI APW WS', -13.85, -171.741, 'Pacific/Apia'],
  ['PPG PPG AS', -14.331, -170.71, 'Pacific/Pago_Pago'],
  ['SIN SIN SG', 1.3502, 103.994, 'Asia/Singapore'],
  // Clocks that change at unusual times, by unusual steps, or never.
  ['CMN CAS MA', 33.3675, -7.5898, 'Africa/Casablanca'],
  ['CAI CAI EG', 30.1219, 31.4056, 'Africa/Cairo'],
  ['SCL SCL CL', -33.3929, -70.7858, 'America/Santiago'],
  ['CHT CHT NZ', -43.81, -176.457, 'Pacific/Chatham'],
  ['CXI CXI KI', 1.9862, -157.35, 'Pacific/Kiritimati'],
  ['TLL TLL AQ', -72.0114, 2.535, 'Antarctica/Troll'],
  // A location of a city without a country, one without a position, and one without city and zone.
  ['XNC LON', 51.6, 0.3, 'Europe/London'],
  ['XNP NYC US NY', undefined, undefined, 'America/New_York'],
  ['XNZ - FR', 47.1, 3.2],
];

export const allStations: readonly Station[] = rows.map(([codes, latitude, longitude, zone]) => {
  const [iata = '', city = '', countryCode = '', stateCode = ''] = codes.split(' ');
  return { iata, cityCode: city === '-' ? '' : city, countryCode, stateCode, latitude, longitude, zone };
});

export const findStation = (code: string): Station | undefined => allStations.find(({ iata }) => iata === code);

/** Stations of schedules that are not in master data: one of those that carry UTC dates, and an error. */
export const unknownStations = ['QZX', 'XXQ'] as const;

/** The airports of flights, and an instant: a date and a minute of it, UTC. */
type Theme = { readonly codes: readonly string[]; readonly day: number; readonly minute: number };

const europe = 'LHR LGW MAN DUB CDG ORY FRA JFK EWR XNC XNZ';
const america = 'JFK EWR ORD LAX YYZ HNL LHR LGW XNP';
const pacific = 'SYD LDH AKL APW FGI PPG HNL LAX SIN';
const unusual = 'CMN CAI SCL CHT CXI TLL DUB LDH';
const everywhere = allStations.map(({ iata }) => iata).join(' ');

/** The instants of clock changes, most of them at night, and some ordinary days. */
export const themes: readonly Theme[] = [
  [europe, '2026-03-29 01:00'],
  [europe, '2026-10-25 01:00'],
  [america, '2026-03-08 07:00'],
  [america, '2026-11-01 06:00'],
  [america, '2026-03-08 10:00'],
  [pacific, '2026-04-04 15:00'],
  [pacific, '2026-10-03 15:30'],
  [pacific, '2026-09-26 14:00'],
  [pacific, '2026-06-14 10:00'],
  [unusual, '2026-04-04 14:00'],
  [unusual, '2026-09-06 04:00'],
  [europe, '2026-12-30 18:00'],
  [everywhere, '2026-03-29 06:00'],
].map(([codes = '', instant = '']) => {
  const [hours = 0, minutes = 0] = instant.slice(11).split(':').map(Number);
  return { codes: codes.split(' '), day: localDate(instant.slice(0, 10)), minute: hours * 60 + minutes };
});

/** The common properties of the flights of a world. */
export type WorldSetting = {
  readonly theme: Theme;
  /** Stations, the hubs first. */
  readonly codes: readonly string[];
  readonly hubs: readonly string[];
  readonly carriers: readonly string[];
  /** Percentage of flights that stay at their stops for days. */
  readonly slowPercent: number;
  /** Maximum length of their periods, days. */
  readonly maxDays: number;
  readonly random: SeededRandom;
};
