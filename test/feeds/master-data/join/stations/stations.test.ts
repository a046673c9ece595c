import { expect, test } from 'vitest';
import { createLoadReport } from '#feeds/load-report.ts';
import { readAirports } from '#feeds/master-data/sources/airports.ts';
import { readPublicPoints, readReferencePoints } from '#feeds/master-data/sources/reference-points.ts';
import { readCountries } from '#feeds/master-data/sources/countries.ts';
import { readStationSnapshot } from '#feeds/master-data/sources/former-stations.ts';
import { readWithdrawnCodes } from '#feeds/master-data/sources/former-stations.ts';
import { readMetropolitanAreas } from '#feeds/master-data/sources/metropolitan-areas.ts';
import { createFeedFile } from '#test/feeds/master-data/feed-file.ts';
import { at, unknownStation } from './station-lists.ts';

const report = createLoadReport('test');
const airportsHeader = '"icao","iata","name","city","subd","country","elevation","lat","lon","tz","lid"';
const airports = (...rows: readonly string[]) => createFeedFile('airports.csv', airportsHeader, ...rows);

test('the list of airports gives an airport with its codes, position and zone', async () => {
  const report = createLoadReport('test');
  const file = airports(
    '"EGLL","LHR","London Heathrow Airport","London","England","GB",80,51.4706,-0.46194,"Europe/London",""',
    '"KBWI","BWI","Baltimore","Baltimore","Maryland","US",146,39.17,-76.66,"America/New_York","BWI"',
  );
  const heathrow = {
    iata: 'LHR',
    icao: 'EGLL',
    name: 'London Heathrow Airport',
    countryCode: 'GB',
    cityName: 'London',
  };
  const baltimore = { iata: 'BWI', icao: 'KBWI', faa: 'BWI', countryCode: 'US', zone: 'America/New_York' };
  const england = { zone: 'Europe/London', region: { code: '', name: 'England' } };
  const maryland = { name: 'Baltimore', cityName: 'Baltimore', region: { code: '', name: 'Maryland' } };
  expect(await readAirports(file, report)).toEqual([
    { ...unknownStation, ...heathrow, ...at(51.4706, -0.46194), ...england },
    { ...unknownStation, ...baltimore, ...at(39.17, -76.66), ...maryland },
  ]);
  expect(report.entries).toEqual([]);
});

test('the list of airports keeps a field under its FAA identifier, drops one without any code, and reports their numbers', async () => {
  const report = createLoadReport('test');
  const file = airports(
    '"00AA","","Aero B Ranch","Leoti","Kansas","US",3435,38.7,-101.47,"America/Chicago","00AA"',
    '"CBT7","","A strip","Nowhere","Ontario","CA",1,50,-80,"America/Toronto",""',
    '"CAD4","YZZ","Trail","Trail","British Columbia","CA",1,49,-117,"America/Vancouver",""',
  );
  const codes = (await readAirports(file, report)).map(({ iata, icao, faa }) => [iata, icao, faa]);
  expect(codes.map(String)).toEqual([',,00AA', 'YZZ,,']);
  expect(report.entries.map(({ severity, reason, value }) => [severity, reason, value])).toEqual([
    ['notice', 'not-an-icao-code', '3'],
    ['notice', 'field-without-code', '1'],
  ]);
});

test('the list of airports places Puerto Rico and the Virgin Islands in their own countries', async () => {
  const file = airports(
    '"TJSJ","SJU","San Juan","San Juan","Puerto Rico","US",1,18.43,-66,"America/Puerto_Rico","SJU"',
    '"TIST","STT","Cyril E King","Charlotte Amalie","Virgin Islands","US",1,18.33,-64.97,"America/St_Thomas","STT"',
  );
  const stations = await readAirports(file, report);
  const places = stations.map(({ countryCode, faa, region }) => `${countryCode} ${faa} ${region.name}`);
  expect(places).toEqual(['PR SJU ', 'VI STT ']);
});

test('the list of airports recognizes heliports and seaplane bases by their names, because the type of nearly every field is airport', async () => {
  const types = {
    'Muir Army Heliport Airport': 'Heliport',
    'Craig Seaplane Base': 'SeaplaneBase',
    'Lac-a-la-Tortue (Water Aerodrome) Airport': 'SeaplaneBase',
    'Float Plane Base and Airport': '',
    'Heliopolis Airport': '',
    'Blue Ridge Skyport Airport': '',
  };
  const rows = Object.keys(types).map((name) => `"EGLL","LHR","${name}","","","GB",80,51,-0.46,"Europe/London",""`);
  const stations = await readAirports(airports(...rows), report);
  expect(Object.fromEntries(stations.map(({ name, type }) => [name, type]))).toEqual(types);
});

test('the list of airports has no zone unknown to the runtime, and no position off the globe', async () => {
  const report = createLoadReport('test');
  const file = airports('"EGLL","LHR","Heathrow","London","England","GB",80,91,-0.46,"Europe/Nowhere",""');
  const [station] = await readAirports(file, report);
  expect([station?.zone, station?.latitude, station?.longitude]).toEqual([undefined, undefined, undefined]);
  const message = 'The time zone of LHR is not in the time zone database of this runtime and was ignored.';
  const entry = { severity: 'notice', line: 2, field: 'tz', value: 'Europe/Nowhere' };
  expect(report.entries).toEqual([{ ...entry, reason: 'unknown-zone', message }]);
});

test('the older list of stations gives one station a code: a large airport rather than a closed one', async () => {
  const file = createFeedFile(
    'snapshot.csv',
    'id,ident,type,name,latitude_deg,longitude_deg,elevation_ft,continent,iso_country,iso_region,municipality,scheduled_service,gps_code,iata_code,local_code',
    '1,US-0099,closed,Old field,10,20,0,NA,US,US-ND,Williston,no,,ISN,',
    '2,KISN,closed,"Sloulin Field, Williston",48.178,-103.642,1982,NA,US,US-ND,Williston,no,KISN,ISX,ISN',
    '3,EDDT,large_airport,Berlin-Tegel,52.56,13.288,122,EU,DE,DE-BE,Berlin,yes,EDDT,ISN,',
    '4,SDVS,small_airport,Fazenda,-22,-48,0,SA,BR,BR-SP,X,no,SDVS,0,SDVS',
    '5,AYM,seaplane_base,Yas Island,24.4,54.6,0,AS,AE,AE-AZ,Abu Dhabi,no,,AYM,',
    '6,X,closed,Town Heliport,50,6,0,EU,DE,DE-U-A,Town,no,,XHE,',
  );
  const stations = await readStationSnapshot(file, report);
  const texts = stations.map(({ iata, icao, faa, name, type, countryCode, cityName, region, zone, source }) =>
    [iata, icao, faa, name, type, countryCode, cityName, region.code, zone, source].join('|'),
  );
  expect(texts).toEqual([
    'ISN|EDDT||Berlin-Tegel|Airport|DE|Berlin|DE-BE||ourairports',
    'ISX|KISN|ISN|Sloulin Field, Williston||US|Williston|US-ND||ourairports',
    'AYM|||Yas Island|SeaplaneBase|AE|Abu Dhabi|AE-AZ||ourairports',
    'XHE|||Town Heliport|Heliport|DE|Town|DE-U-A||ourairports',
  ]);
});

const DETAILS = 'city_detail_list|country_code|state_code';
const withdrawn = (...rows: readonly string[]) =>
  createFeedFile(
    'withdrawn.csv',
    `iata_code^icao_code^faa_code^name^latitude^longitude^fcode^date_from^date_until^country_code^timezone^city_code_list^${DETAILS}^location_type^adm1_code`,
    ...rows,
  );

test('the list of withdrawn codes gives stations with their zone and the dates of their code, and cities as names alone', async () => {
  const file = withdrawn(
    'TSE^^^Nur-Sultan^51.18^71.44^PPLC^^2020-05-31^KZ^Asia/Almaty^NQZ^NQZ|1|Nur-Sultan|Nur-Sultan|KZ|^C^',
    'TSE^UACC^^Astana^51.02^71.46^AIRP^^2020-05-31^KZ^Asia/Almaty^NQZ,TSE^NQZ|1|Nur-Sultan|x|KZ|=TSE|1|Astana|Astana|KZ|^A^',
    'XII^^^Prescott^44.7^-75.5^RSTN^2001-01-01^2099-12-31^CA^America/Nowhere^XII^^CR^08',
    '^WRLM^^Malinau^3.5^116.6^AIRP^^2018-08-31^ID^Asia/Makassar^LNU^^A^42',
  );
  const { stations, cityNames } = await readWithdrawnCodes(file, report);
  const astana = { iata: 'TSE', icao: 'UACC', name: 'Astana', cityCode: 'NQZ', countryCode: 'KZ' };
  const prescott = { iata: 'XII', name: 'Prescott', cityCode: 'XII', countryCode: 'CA' };
  expect(stations).toEqual([
    {
      ...unknownStation,
      ...astana,
      ...at(51.02, 71.46),
      zone: 'Asia/Almaty',
      type: 'Airport',
      cityName: 'Nur-Sultan',
      validity: { from: '', to: '2020-05-31' },
      source: 'optd-por',
    },
    {
      ...unknownStation,
      ...prescott,
      ...at(44.7, -75.5),
      type: 'RailwayStation',
      // An end in the year 2099 is no end.
      validity: { from: '2001-01-01', to: '' },
      source: 'optd-por',
    },
  ]);
  expect(Object.fromEntries(cityNames)).toEqual({ NQZ: 'Nur-Sultan', TSE: 'Astana' });
});

test('the list of withdrawn codes classifies a location by its feature code first, then by its letters, a heliport by its letter', async () => {
  const rows = [
    ['AIRP', 'R', 'Airport'],
    ['AIRP', 'H', 'Heliport'],
    ['BUSTN', 'B', 'BusStation'],
    ['BAY', 'P', 'Port'],
    ['PPL', 'O', 'OffPoint'],
    ['AIRS', 'A', 'SeaplaneBase'],
    ['PPLA', 'CA', 'Airport'],
  ];
  const lines = rows.map(
    ([feature, letters], index) =>
      `AA${'ABCDEFG'[index]}^^^Place^${index}^0^${feature}^^^GB^Europe/London^^^${letters}^`,
  );
  const { stations } = await readWithdrawnCodes(withdrawn(...lines), report);
  expect(stations.map(({ type }) => type)).toEqual(rows.map(([, , type]) => type));
});

test('the list of withdrawn codes has successive locations of one code, and one of several rows of one location', async () => {
  const file = withdrawn(
    'ISL^^^Isabel Pass^63.2^-145.5^AIRP^^2014-09-01^US^America/Anchorage^^^A^AK',
    'ISL^LTFM^^Istanbul^41.26^28.74^AIRP^2018-10-29^2019-04-05^TR^Europe/Istanbul^IST^^A^34',
    'GLJ^^^La Jagua^2.1^-75.5^PPL^2001-01-01^2011-12-31^CO^America/Bogota^^^O^',
    'GLJ^SKGZ^^Garzón^2.1^-75.5^AIRP^^2012-12-31^CO^America/Bogota^^^A^',
  );
  const { stations } = await readWithdrawnCodes(file, report);
  expect(stations.map(({ iata, name, validity }) => [iata, name, validity.from, validity.to])).toEqual([
    ['ISL', 'Isabel Pass', '', '2014-09-01'],
    ['ISL', 'Istanbul', '2018-10-29', '2019-04-05'],
    ['GLJ', 'Garzón', '', '2012-12-31'],
  ]);
});

test('the points of reference give stations with their type, city and date, and cities with their position', async () => {
  const file = createFeedFile(
    'best-known.csv',
    'pk^iata_code^latitude^longitude^city_code^date_from',
    'BDL-C-1^BDL^41.7^-72.5^XXX^',
    'BDL-A-5282636^BDL^41.9^-72.6^HFD,BDL,SFY^2019-02-01',
    'AAA-CA-7^AAA^-17^-145^AAA^',
    'AAA-R-8^AAA^1^1^BBB^',
    'QKL-R-9^QKL^50.94^6.96^CGN^soon',
    'ZZZ-C-1^ZZZ^1^1^ZZZ^2020-06-01',
    'ZZZ-C-2^ZZZ^2^2^ZZZ^',
    'NQZ-C-1^NQZ^3^3^NQZ^2020-06-01',
    'BSL-A-6^BSL^47.6^7.5^EAP,BSL^',
    'EAP-A-6^EAP^47.6^7.5^EAP,BSL,MLH^',
    'DFW-A-7^DFW^32.9^-97^DFW,FTW^',
    'FTW-A-8^FTW^32.8^-97.4^FTW,DFW^',
  );
  const { stations, cities } = await readReferencePoints(file, report);
  const found = [...stations.values()];
  expect(found.map((one) => [one.iata, one.type, one.cityCode, one.latitude, one.validity.from])).toEqual([
    ['BDL', 'Airport', 'HFD', 41.9, '2019-02-01'],
    ['AAA', 'Airport', 'AAA', -17, ''],
    ['QKL', 'RailwayStation', 'CGN', 50.94, ''],
    // A location under several codes is one airport under each except that of their area.
    ['BSL', 'Airport', 'EAP', 47.6, ''],
    ['DFW', 'Airport', 'DFW', 32.9, ''],
    ['FTW', 'Airport', 'FTW', 32.8, ''],
  ]);
  expect([...cities.values()]).toEqual([
    { code: 'BDL', latitude: 41.7, longitude: -72.5, since: '' },
    { code: 'AAA', latitude: -17, longitude: -145, since: '' },
    { code: 'ZZZ', latitude: 1, longitude: 1, since: '' },
    { code: 'NQZ', latitude: 3, longitude: 3, since: '2020-06-01' },
  ]);
});

test('the published points of reference also give the names and time zones of stations', async () => {
  const file = createFeedFile(
    'public.csv',
    'iata_code^name^envelope_id^latitude^longitude^timezone^date_from^population^city_code_list^location_type',
    'QKL^Köln Hauptbahnhof^^50.94^6.96^Europe/Berlin^^0^CGN^R',
    'CGN^Cologne^^50.93^6.95^Europe/Berlin^^1000^CGN^C',
    'BDL^^^41.9^-72.6^America/Nowhere^^0^HFD^A',
  );
  const { stations } = await readPublicPoints(file, report);
  expect([...stations.values()].map(({ iata, name, type, zone }) => [iata, name, type, zone])).toEqual([
    ['BDL', '', 'Airport', undefined],
    ['QKL', 'Köln Hauptbahnhof', 'RailwayStation', 'Europe/Berlin'],
  ]);
});

test('reads metropolitan areas and countries', async () => {
  const areasHeader = '"Country","City Code","City Name","Airport Code","Airport Name"';
  const areas = createFeedFile('macs.csv', areasHeader, '"GB","LON","London","LHR","Heathrow"');
  const london = { code: 'LON', name: 'London', countryCode: 'GB' };
  expect([...(await readMetropolitanAreas(areas, report))]).toEqual([['LHR', london]]);
  const rows = ['1,"GB","United Kingdom"', '2,"XK","Kosovo"', '3,"none",""'];
  const countries = createFeedFile('countries.csv', '"id","code","name"', ...rows);
  expect(Object.fromEntries(await readCountries(countries, report))).toEqual({ GB: 'United Kingdom', XK: 'Kosovo' });
});
