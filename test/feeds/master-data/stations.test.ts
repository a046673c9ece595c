import { describe, expect, test } from 'vitest';
import { newLoadReport } from '../../../src/feeds/load-report.ts';
import { readAirports } from '../../../src/feeds/master-data/airports.ts';
import { readCityCodes, readMetropolitanAreas } from '../../../src/feeds/master-data/city-codes.ts';
import { readCountries } from '../../../src/feeds/master-data/countries.ts';
import { readRetiredStations, readStationSnapshot } from '../../../src/feeds/master-data/former-stations.ts';
import { fileOf } from './feed-file.ts';

const airports = (...rows: readonly string[]) =>
  fileOf('airports.csv', '"icao","iata","name","city","subd","country","elevation","lat","lon","tz","lid"', ...rows);

describe('the list of airports', () => {
  test('gives an airport with its codes, place and zone', async () => {
    const report = newLoadReport('test');
    const file = airports(
      '"EGLL","LHR","London Heathrow Airport","London","England","GB",80,51.4706,-0.46194,"Europe/London",""',
      '"KBWI","BWI","Baltimore","Baltimore","Maryland","US",146,39.17,-76.66,"America/New_York","BWI"',
    );
    expect(await readAirports(file, report)).toEqual([
      {
        iata: 'LHR',
        icao: 'EGLL',
        faa: '',
        name: 'London Heathrow Airport',
        cityCode: '',
        countryCode: 'GB',
        latitude: 51.4706,
        longitude: -0.46194,
        zone: 'Europe/London',
      },
      {
        iata: 'BWI',
        icao: 'KBWI',
        faa: 'BWI',
        name: 'Baltimore',
        cityCode: '',
        countryCode: 'US',
        latitude: 39.17,
        longitude: -76.66,
        zone: 'America/New_York',
      },
    ]);
    expect(report.entries).toEqual([]);
  });

  test('keeps a field under its FAA identifier, drops one without any code, and tells how many of each', async () => {
    const report = newLoadReport('test');
    const file = airports(
      '"00AA","","Aero B Ranch","Leoti","Kansas","US",3435,38.7,-101.47,"America/Chicago","00AA"',
      '"CBT7","","A strip","Nowhere","Ontario","CA",1,50,-80,"America/Toronto",""',
      '"CAD4","YZZ","Trail","Trail","British Columbia","CA",1,49,-117,"America/Vancouver",""',
    );
    const codes = (await readAirports(file, report)).map(({ iata, icao, faa }) => [iata, icao, faa]);
    expect(codes).toEqual([
      ['', '', '00AA'],
      ['YZZ', '', ''],
    ]);
    expect(report.entries.map(({ severity, reason, value }) => [severity, reason, value])).toEqual([
      ['notice', 'not-an-icao-code', '3'],
      ['notice', 'field-without-code', '1'],
    ]);
  });

  test('places Puerto Rico and the Virgin Islands in their own countries', async () => {
    const file = airports(
      '"TJSJ","SJU","San Juan","San Juan","Puerto Rico","US",1,18.43,-66,"America/Puerto_Rico","SJU"',
      '"TIST","STT","Cyril E King","Charlotte Amalie","Virgin Islands","US",1,18.33,-64.97,"America/St_Thomas","STT"',
    );
    const stations = await readAirports(file, newLoadReport('test'));
    expect(stations.map(({ countryCode, faa }) => [countryCode, faa])).toEqual([
      ['PR', 'SJU'],
      ['VI', 'STT'],
    ]);
  });

  test('has no zone that the runtime does not know, nor a position off the globe', async () => {
    const report = newLoadReport('test');
    const file = airports('"EGLL","LHR","Heathrow","London","England","GB",80,91,-0.46,"Europe/Nowhere",""');
    const [station] = await readAirports(file, report);
    expect([station?.zone, station?.latitude, station?.longitude]).toEqual([undefined, undefined, undefined]);
    expect(report.entries).toEqual([
      {
        severity: 'notice',
        line: 2,
        field: 'tz',
        value: 'Europe/Nowhere',
        reason: 'unknown-zone',
        message: 'The time zone of LHR is not in the tz database of this runtime.',
      },
    ]);
  });
});

test('the older list of stations gives one station a code: a large airport rather than a closed one', async () => {
  const file = fileOf(
    'snapshot.csv',
    'id,ident,type,name,latitude_deg,longitude_deg,elevation_ft,continent,iso_country,iso_region,municipality,scheduled_service,gps_code,iata_code,local_code',
    '1,US-0099,closed,Old field,10,20,0,NA,US,US-ND,Williston,no,,ISN,',
    '2,KISN,closed,"Sloulin Field, Williston",48.178,-103.642,1982,NA,US,US-ND,Williston,no,KISN,ISX,ISN',
    '3,EDDT,large_airport,Berlin-Tegel,52.56,13.288,122,EU,DE,DE-BE,Berlin,yes,EDDT,ISN,',
    '4,SDVS,small_airport,Fazenda,-22,-48,0,SA,BR,BR-SP,X,no,SDVS,0,SDVS',
  );
  const stations = await readStationSnapshot(file, newLoadReport('test'));
  expect(
    stations.map(({ iata, icao, faa, name, countryCode, zone }) => [iata, icao, faa, name, countryCode, zone]),
  ).toEqual([
    ['ISN', 'EDDT', '', 'Berlin-Tegel', 'DE', undefined],
    ['ISX', 'KISN', 'ISN', 'Sloulin Field, Williston', 'US', undefined],
  ]);
});

test('the withdrawn codes give airports and railway stations with their zone, never a city', async () => {
  const file = fileOf(
    'retired.csv',
    'iata_code^icao_code^faa_code^name^latitude^longitude^country_code^timezone^city_code_list^location_type^adm1_code',
    'TSE^^^Nur-Sultan^51.18^71.44^KZ^Asia/Almaty^NQZ^C^',
    'TSE^UACC^^Astana^51.02^71.46^KZ^Asia/Almaty^NQZ,TSE^A^',
    'XII^^^Prescott^44.7^-75.5^CA^America/Nowhere^XII^CR^08',
    '^WRLM^^Malinau^3.5^116.6^ID^Asia/Makassar^LNU^A^42',
  );
  expect(await readRetiredStations(file, newLoadReport('test'))).toEqual([
    {
      iata: 'TSE',
      icao: 'UACC',
      faa: '',
      name: 'Astana',
      cityCode: 'NQZ',
      countryCode: 'KZ',
      latitude: 51.02,
      longitude: 71.46,
      zone: 'Asia/Almaty',
    },
    {
      iata: 'XII',
      icao: '',
      faa: '',
      name: 'Prescott',
      cityCode: 'XII',
      countryCode: 'CA',
      latitude: 44.7,
      longitude: -75.5,
      zone: undefined,
    },
  ]);
});

test('a station serves the first city it is filed with, told by its own row and not by that of the city', async () => {
  const file = fileOf(
    'best-known.csv',
    'pk^iata_code^latitude^longitude^city_code^date_from',
    'BDL-C-1^BDL^1^1^XXX^',
    'BDL-A-5282636^BDL^41.9^-72.6^HFD,BDL,SFY^',
    'AAA-CA-7^AAA^-17^-145^AAA^',
    'ZZZ-C-1^ZZZ^1^1^ZZZ^',
  );
  expect(await readCityCodes(file, newLoadReport('test'))).toEqual(
    new Map([
      ['BDL', 'HFD'],
      ['AAA', 'AAA'],
    ]),
  );
});

test('metropolitan areas and countries are read as they are', async () => {
  const areas = fileOf(
    'macs.csv',
    '"Country","City Code","City Name","Airport Code","Airport Name"',
    '"GB","LON","London","LHR","Heathrow"',
  );
  const countries = fileOf(
    'countries.csv',
    '"id","code","name"',
    '1,"GB","United Kingdom"',
    '2,"XK","Kosovo"',
    '3,"none",""',
  );
  expect(await readMetropolitanAreas(areas, newLoadReport('test'))).toEqual(new Map([['LHR', 'LON']]));
  expect(await readCountries(countries, newLoadReport('test'))).toEqual(new Set(['GB', 'XK']));
});
