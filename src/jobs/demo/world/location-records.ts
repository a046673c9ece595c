import type { City, Provenance } from '../../../domain/master-data/master-data-facts.ts';
import type { Location } from '../../../domain/master-data/master-data.ts';
import type { LocationRecord } from '../../../store/master-data/locations.ts';
import { airports } from './airports.ts';

/** City and region of each place: its code, the city, and the region by ISO 3166-2 where the place has one. */
const whereabouts = `
LHR London GB-ENG England
LGW London GB-ENG England
DUB Dublin IE-L Leinster
CDG Paris FR-IDF Île-de-France
ORY Paris FR-IDF Île-de-France
AMS Amsterdam NL-NH North Holland
FRA Frankfurt DE-HE Hesse
MAD Madrid ES-MD Madrid
LIS Lisbon PT-11 Lisbon
OPO Porto PT-13 Porto
FCO Rome IT-62 Lazio
ATH Athens GR-I Attica
IST Istanbul TR-34 Istanbul
CPH Copenhagen DK-84 Capital Region
ARN Stockholm SE-AB Stockholm County
OSL Oslo NO-32 Akershus
HEL Helsinki FI-18 Uusimaa
KEF Reykjavik IS-2 Southern Peninsula
CMN Casablanca MA-06 Casablanca-Settat
CAI Cairo EG-C Cairo
NBO Nairobi KE-30 Nairobi
JNB Johannesburg ZA-GP Gauteng
DOH Doha QA-DA Doha
DEL Delhi IN-DL Delhi
KTM Kathmandu NP-P3 Bagmati
BKK Bangkok TH-11 Samut Prakan
SIN Singapore
HKG Hong Kong
PVG Shanghai CN-SH Shanghai
ICN Seoul KR-28 Incheon
HND Tokyo JP-13 Tokyo
NRT Tokyo JP-12 Chiba
SYD Sydney AU-NSW New South Wales
MEL Melbourne AU-VIC Victoria
ADL Adelaide AU-SA South Australia
DRW Darwin AU-NT Northern Territory
LDH Lord Howe Island AU-NSW New South Wales
AKL Auckland NZ-AUK Auckland
CHT Chatham Islands NZ-CIT Chatham Islands
APW Apia WS-AA A'ana
PPG Pago Pago
GUM Guam
SPN Saipan
HNL Honolulu US-HI Hawaii
JFK New York US-NY New York
EWR New York US-NJ New Jersey
LGA New York US-NY New York
BOS Boston US-MA Massachusetts
DCA Washington US-VA Virginia
MIA Miami US-FL Florida
ORD Chicago US-IL Illinois
DEN Denver US-CO Colorado
PHX Phoenix US-AZ Arizona
LAX Los Angeles US-CA California
SFO San Francisco US-CA California
SEA Seattle US-WA Washington
ANC Anchorage US-AK Alaska
SJU San Juan
YYZ Toronto CA-ON Ontario
YVR Vancouver CA-BC British Columbia
YYT St. John's CA-NL Newfoundland and Labrador
MEX Mexico City MX-CMX Mexico City
BOG Bogota CO-DC Bogota
LIM Lima PE-CAL Callao
GRU Sao Paulo BR-SP São Paulo
SCL Santiago CL-RM Santiago Metropolitan
PUQ Punta Arenas CL-MA Magallanes
TNM King George Island
1C5 Bolingbrook US-IL Illinois
N07 Lincoln Park US-NJ New Jersey
Z08 Ofu
`;

const facts = new Map(
  whereabouts
    .trim()
    .split('\n')
    .map((line) => {
      const [, code = '', city = '', regionCode = '', regionName = ''] =
        /^(\w+) (.+?)(?: ([A-Z]{2}-\w{1,3}) (.+))?$/.exec(line) ?? [];
      return [code, { cityName: city, region: { code: regionCode, name: regionName } }];
    }),
);

const nothing = { cityName: '', region: { code: '', name: '' } };

const provenanceOf = (location: Omit<Location, 'id'>, cityName: string, regionCode: string) => {
  const fields = {
    'code.iata': location.iata,
    'code.icao': location.icao,
    'code.faa': location.faa,
    type: 'Airport',
    name: location.name,
    'place.city.code': location.cityCode,
    'place.city.name': cityName,
    'place.region.code': regionCode,
    'place.region.name': regionCode,
    'place.country.code': location.countryCode,
    'place.country.name': location.countryCode,
    'place.latitude.decimalDegrees': 'known',
    'place.longitude.decimalDegrees': 'known',
    'timezone.name': 'known',
  };
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== '')
      .map(([field]) => [field, 'own']),
  );
};

const describe = ({ id: _, ...location }: Location): LocationRecord => {
  const { cityName, region } = facts.get(location.iata || location.faa) ?? nothing;
  // Istanbul's airports changed places on that day.
  const validity = location.iata === 'IST' ? { from: '2019-04-06', to: '' } : { from: '', to: '' };
  const dated: Provenance = validity.from === '' ? {} : { 'validity.from': 'own' };
  const provenance = { ...provenanceOf(location, cityName, region.code), ...dated };
  return { ...location, rank: 1, facts: { type: 'Airport', cityName, region, validity, provenance } };
};

const present = airports.map(describe);

/** What had the code of Istanbul before: to be seen by asking for a day of that time. */
const former = present
  .filter(({ iata }) => iata === 'IST')
  .map(({ facts: now, ...istanbul }): LocationRecord => {
    const { 'validity.from': _from, ...provenance } = now?.provenance ?? {};
    const validity = { from: '', to: '2019-04-05' };
    const known = now && { ...now, validity, provenance: { ...provenance, 'validity.to': 'own' } };
    return {
      ...istanbul,
      icao: 'LTBA',
      name: 'Istanbul Atatürk',
      latitude: 40.977,
      longitude: 28.815,
      rank: 2,
      facts: known,
    };
  });

/** The places of the demo world with all that is known of them, those with a code today first. */
export const demoLocations: readonly LocationRecord[] = [...present, ...former];

/** Centres of the cities whose airports have other codes than they. */
const centres: Readonly<Record<string, readonly [latitude: number, longitude: number]>> = {
  CAS: [33.573, -7.59],
  CHI: [41.878, -87.63],
  LON: [51.507, -0.128],
  NYC: [40.713, -74.006],
  PAR: [48.857, 2.352],
  REK: [64.147, -21.942],
  ROM: [41.893, 12.483],
  SAO: [-23.551, -46.633],
  SEL: [37.567, 126.978],
  SHA: [31.23, 121.474],
  STO: [59.329, 18.069],
  TYO: [35.69, 139.692],
  WAS: [38.895, -77.036],
  YTO: [43.653, -79.383],
};

/** The cities of the demo world, under the codes that its places name. */
export const demoCities: readonly City[] = [...Map.groupBy(present, ({ cityCode }) => cityCode)]
  .filter(([code]) => code !== '')
  .map(([code, [place]]) => {
    const [latitude, longitude] = centres[code] ?? [place?.latitude, place?.longitude];
    return {
      code,
      name: place?.facts?.cityName ?? '',
      countryCode: place?.countryCode ?? '',
      latitude,
      longitude,
      zone: place?.zone,
      provenance: Object.fromEntries(
        [
          'code.iata',
          'name',
          'place.country.code',
          'place.latitude.decimalDegrees',
          'place.longitude.decimalDegrees',
          'timezone.name',
        ].map((field) => [field, 'own']),
      ),
    };
  });

const englishName = new Intl.DisplayNames('en', { type: 'region' });

/** Names of the countries of the demo world by their codes. */
export const demoCountries: ReadonlyMap<string, string> = new Map(
  airports.map(({ countryCode }) => [countryCode, englishName.of(countryCode) ?? countryCode]),
);
