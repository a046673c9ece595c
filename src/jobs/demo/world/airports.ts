import type { Location } from '../../../domain/master-data/master-data.ts';

/** Passenger terminals: each airline's own, and that of all others under `rest`. Places not named here have one or none. */
const terminals: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  LHR: { L0: '5', D1: '4', M1: '2', H0: '2', rest: '3' },
  LGW: { W0: 'N', rest: 'S' },
  CDG: { L0: '2A', D1: '1', rest: '2E' },
  ORY: { rest: '4' },
  FRA: { L0: '2', rest: '1' },
  MAD: { L0: '4S', W0: '1', rest: '4' },
  LIS: { W0: '2', rest: '1' },
  FCO: { W0: '1', rest: '3' },
  DUB: { W0: '1', rest: '2' },
  CPH: { W0: '2', rest: '3' },
  ARN: { N1: '4', rest: '5' },
  DEL: { rest: '3' },
  SIN: { M1: '3', L0: '1', rest: '2' },
  HKG: { rest: '1' },
  PVG: { H0: '2', rest: '1' },
  ICN: { H0: '1', rest: '2' },
  HND: { rest: '3' },
  NRT: { H0: '1', rest: '2' },
  SYD: { X2: '2', rest: '1' },
  MEL: { X2: '3', rest: '2' },
  AKL: { rest: 'I' },
  JFK: { K1: '8', L0: '8', H0: '7', rest: '4' },
  EWR: { K1: 'A', rest: 'B' },
  LGA: { K0: 'B', rest: 'C' },
  BOS: { K0: 'B', L0: 'E', rest: 'C' },
  DCA: { rest: '2' },
  ORD: { K1: '1', K0: '2', rest: '5' },
  LAX: { K1: '7', rest: 'B' },
  SFO: { K1: '3', rest: 'I' },
  MIA: { K1: 'N', rest: 'S' },
  YYZ: { K1: '1', K0: '1', rest: '3' },
  MEX: { YF: '2', rest: '1' },
  GRU: { rest: '3' },
  SCL: { rest: '2' },
};

/** The terminal an airline uses at a place, '' where there is nothing to tell. */
export const findTerminal = (station: string, carrier: string): string =>
  terminals[station]?.[carrier] ?? terminals[station]?.['rest'] ?? '';

type Row = readonly [
  iata: string,
  icao: string,
  faa: string,
  name: string,
  cityCode: string,
  countryCode: string,
  latitude: number,
  longitude: number,
  zone: string,
];

/** Plain facts of real places. The last three have no IATA code here: no scheduled flight calls there, general aviation does. */
const rows: readonly Row[] = [
  // Europe.
  ['LHR', 'EGLL', '', 'London Heathrow', 'LON', 'GB', 51.471, -0.462, 'Europe/London'],
  ['LGW', 'EGKK', '', 'London Gatwick', 'LON', 'GB', 51.148, -0.19, 'Europe/London'],
  ['DUB', 'EIDW', '', 'Dublin', 'DUB', 'IE', 53.421, -6.27, 'Europe/Dublin'],
  ['CDG', 'LFPG', '', 'Paris Charles de Gaulle', 'PAR', 'FR', 49.013, 2.55, 'Europe/Paris'],
  ['ORY', 'LFPO', '', 'Paris Orly', 'PAR', 'FR', 48.725, 2.359, 'Europe/Paris'],
  ['AMS', 'EHAM', '', 'Amsterdam Schiphol', 'AMS', 'NL', 52.309, 4.764, 'Europe/Amsterdam'],
  ['FRA', 'EDDF', '', 'Frankfurt', 'FRA', 'DE', 50.026, 8.543, 'Europe/Berlin'],
  ['MAD', 'LEMD', '', 'Madrid Barajas', 'MAD', 'ES', 40.494, -3.567, 'Europe/Madrid'],
  ['LIS', 'LPPT', '', 'Lisbon', 'LIS', 'PT', 38.781, -9.136, 'Europe/Lisbon'],
  ['OPO', 'LPPR', '', 'Porto', 'OPO', 'PT', 41.248, -8.681, 'Europe/Lisbon'],
  ['FCO', 'LIRF', '', 'Rome Fiumicino', 'ROM', 'IT', 41.804, 12.251, 'Europe/Rome'],
  ['ATH', 'LGAV', '', 'Athens', 'ATH', 'GR', 37.936, 23.945, 'Europe/Athens'],
  ['IST', 'LTFM', '', 'Istanbul', 'IST', 'TR', 41.275, 28.752, 'Europe/Istanbul'],
  ['CPH', 'EKCH', '', 'Copenhagen', 'CPH', 'DK', 55.618, 12.656, 'Europe/Copenhagen'],
  ['ARN', 'ESSA', '', 'Stockholm Arlanda', 'STO', 'SE', 59.652, 17.919, 'Europe/Stockholm'],
  ['OSL', 'ENGM', '', 'Oslo Gardermoen', 'OSL', 'NO', 60.194, 11.1, 'Europe/Oslo'],
  ['HEL', 'EFHK', '', 'Helsinki', 'HEL', 'FI', 60.317, 24.963, 'Europe/Helsinki'],
  ['KEF', 'BIKF', '', 'Reykjavik Keflavik', 'REK', 'IS', 63.985, -22.606, 'Atlantic/Reykjavik'],
  // Africa and the Middle East.
  ['CMN', 'GMMN', '', 'Casablanca Mohammed V', 'CAS', 'MA', 33.367, -7.59, 'Africa/Casablanca'],
  ['CAI', 'HECA', '', 'Cairo', 'CAI', 'EG', 30.122, 31.406, 'Africa/Cairo'],
  ['NBO', 'HKJK', '', 'Nairobi Jomo Kenyatta', 'NBO', 'KE', -1.319, 36.928, 'Africa/Nairobi'],
  ['JNB', 'FAOR', '', 'Johannesburg O. R. Tambo', 'JNB', 'ZA', -26.134, 28.242, 'Africa/Johannesburg'],
  ['DOH', 'OTHH', '', 'Doha Hamad', 'DOH', 'QA', 25.261, 51.614, 'Asia/Qatar'],
  // Asia.
  ['DEL', 'VIDP', '', 'Delhi Indira Gandhi', 'DEL', 'IN', 28.567, 77.103, 'Asia/Kolkata'],
  ['KTM', 'VNKT', '', 'Kathmandu Tribhuvan', 'KTM', 'NP', 27.697, 85.359, 'Asia/Kathmandu'],
  ['BKK', 'VTBS', '', 'Bangkok Suvarnabhumi', 'BKK', 'TH', 13.681, 100.747, 'Asia/Bangkok'],
  ['SIN', 'WSSS', '', 'Singapore Changi', 'SIN', 'SG', 1.35, 103.994, 'Asia/Singapore'],
  ['HKG', 'VHHH', '', 'Hong Kong', 'HKG', 'HK', 22.309, 113.915, 'Asia/Hong_Kong'],
  ['PVG', 'ZSPD', '', 'Shanghai Pudong', 'SHA', 'CN', 31.143, 121.805, 'Asia/Shanghai'],
  ['ICN', 'RKSI', '', 'Seoul Incheon', 'SEL', 'KR', 37.469, 126.451, 'Asia/Seoul'],
  ['HND', 'RJTT', '', 'Tokyo Haneda', 'TYO', 'JP', 35.552, 139.78, 'Asia/Tokyo'],
  ['NRT', 'RJAA', '', 'Tokyo Narita', 'TYO', 'JP', 35.765, 140.386, 'Asia/Tokyo'],
  // Australia and the Pacific, on both sides of the date line.
  ['SYD', 'YSSY', '', 'Sydney Kingsford Smith', 'SYD', 'AU', -33.946, 151.177, 'Australia/Sydney'],
  ['MEL', 'YMML', '', 'Melbourne Tullamarine', 'MEL', 'AU', -37.673, 144.843, 'Australia/Melbourne'],
  ['ADL', 'YPAD', '', 'Adelaide', 'ADL', 'AU', -34.945, 138.531, 'Australia/Adelaide'],
  ['DRW', 'YPDN', '', 'Darwin', 'DRW', 'AU', -12.415, 130.877, 'Australia/Darwin'],
  ['LDH', 'YLHI', '', 'Lord Howe Island', 'LDH', 'AU', -31.538, 159.077, 'Australia/Lord_Howe'],
  ['AKL', 'NZAA', '', 'Auckland', 'AKL', 'NZ', -37.008, 174.792, 'Pacific/Auckland'],
  ['CHT', 'NZCI', '', 'Chatham Islands', 'CHT', 'NZ', -43.81, -176.457, 'Pacific/Chatham'],
  ['APW', 'NSFA', '', 'Apia Faleolo', 'APW', 'WS', -13.83, -172.008, 'Pacific/Apia'],
  ['PPG', 'NSTU', 'PPG', 'Pago Pago', 'PPG', 'AS', -14.332, -170.712, 'Pacific/Pago_Pago'],
  ['GUM', 'PGUM', 'GUM', 'Guam', 'GUM', 'GU', 13.484, 144.797, 'Pacific/Guam'],
  ['SPN', 'PGSN', 'GSN', 'Saipan', 'SPN', 'MP', 15.12, 145.73, 'Pacific/Saipan'],
  ['HNL', 'PHNL', 'HNL', 'Honolulu', 'HNL', 'US', 21.318, -157.92, 'Pacific/Honolulu'],
  // North America.
  ['JFK', 'KJFK', 'JFK', 'New York John F. Kennedy', 'NYC', 'US', 40.64, -73.779, 'America/New_York'],
  ['EWR', 'KEWR', 'EWR', 'Newark Liberty', 'NYC', 'US', 40.692, -74.169, 'America/New_York'],
  ['LGA', 'KLGA', 'LGA', 'New York LaGuardia', 'NYC', 'US', 40.777, -73.873, 'America/New_York'],
  ['BOS', 'KBOS', 'BOS', 'Boston Logan', 'BOS', 'US', 42.363, -71.006, 'America/New_York'],
  ['DCA', 'KDCA', 'DCA', 'Washington Reagan National', 'WAS', 'US', 38.851, -77.038, 'America/New_York'],
  ['MIA', 'KMIA', 'MIA', 'Miami', 'MIA', 'US', 25.795, -80.29, 'America/New_York'],
  ['ORD', 'KORD', 'ORD', "Chicago O'Hare", 'CHI', 'US', 41.977, -87.908, 'America/Chicago'],
  ['DEN', 'KDEN', 'DEN', 'Denver', 'DEN', 'US', 39.862, -104.673, 'America/Denver'],
  ['PHX', 'KPHX', 'PHX', 'Phoenix Sky Harbor', 'PHX', 'US', 33.434, -112.012, 'America/Phoenix'],
  ['LAX', 'KLAX', 'LAX', 'Los Angeles', 'LAX', 'US', 33.942, -118.408, 'America/Los_Angeles'],
  ['SFO', 'KSFO', 'SFO', 'San Francisco', 'SFO', 'US', 37.619, -122.375, 'America/Los_Angeles'],
  ['SEA', 'KSEA', 'SEA', 'Seattle-Tacoma', 'SEA', 'US', 47.45, -122.312, 'America/Los_Angeles'],
  ['ANC', 'PANC', 'ANC', 'Anchorage Ted Stevens', 'ANC', 'US', 61.174, -149.998, 'America/Anchorage'],
  ['SJU', 'TJSJ', 'SJU', 'San Juan Luis Munoz Marin', 'SJU', 'US', 18.439, -66.002, 'America/Puerto_Rico'],
  ['YYZ', 'CYYZ', '', 'Toronto Pearson', 'YTO', 'CA', 43.677, -79.631, 'America/Toronto'],
  ['YVR', 'CYVR', '', 'Vancouver', 'YVR', 'CA', 49.194, -123.184, 'America/Vancouver'],
  ['YYT', 'CYYT', '', "St. John's", 'YYT', 'CA', 47.619, -52.752, 'America/St_Johns'],
  ['MEX', 'MMMX', '', 'Mexico City Benito Juarez', 'MEX', 'MX', 19.436, -99.072, 'America/Mexico_City'],
  // South America and Antarctica.
  ['BOG', 'SKBO', '', 'Bogota El Dorado', 'BOG', 'CO', 4.702, -74.147, 'America/Bogota'],
  ['LIM', 'SPJC', '', 'Lima Jorge Chavez', 'LIM', 'PE', -12.022, -77.114, 'America/Lima'],
  ['GRU', 'SBGR', '', 'Sao Paulo Guarulhos', 'SAO', 'BR', -23.436, -46.473, 'America/Sao_Paulo'],
  ['SCL', 'SCEL', '', 'Santiago Arturo Merino Benitez', 'SCL', 'CL', -33.393, -70.786, 'America/Santiago'],
  ['PUQ', 'SCCI', '', 'Punta Arenas', 'PUQ', 'CL', -53.003, -70.855, 'America/Punta_Arenas'],
  ['TNM', 'SCRM', '', 'King George Island Teniente Marsh', 'TNM', 'AQ', -62.191, -58.987, 'Antarctica/Palmer'],
  // Airfields.
  ['', '', '1C5', 'Clow International', '', 'US', 41.696, -88.129, 'America/Chicago'],
  ['', '', 'N07', 'Lincoln Park', '', 'US', 40.948, -74.315, 'America/New_York'],
  ['', 'NSAS', 'Z08', 'Ofu', '', 'AS', -14.184, -169.67, 'Pacific/Pago_Pago'],
];

/** The places of the demo world, numbered from 1. */
export const airports: readonly Location[] = rows.map(
  ([iata, icao, faa, name, cityCode, countryCode, latitude, longitude, zone], index) => ({
    id: index + 1,
    iata,
    icao,
    faa,
    name,
    cityCode,
    countryCode,
    latitude,
    longitude,
    zone,
  }),
);

const byCode = new Map(airports.filter(({ iata }) => iata !== '').map((airport) => [airport.iata, airport]));

/** What a flight must know of a place; throws RangeError for a code that the demo world does not have. */
export const getAirport = (iata: string) => {
  const { latitude, longitude, zone, countryCode } = byCode.get(iata) ?? {};
  if (latitude === undefined || longitude === undefined || zone === undefined || countryCode === undefined)
    throw new RangeError(`not an airport of the demo world: '${iata}'`);
  return { latitude, longitude, zone, countryCode };
};
