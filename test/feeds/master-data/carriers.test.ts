import { describe, expect, test } from 'vitest';
import { newLoadReport } from '../../../src/feeds/load-report.ts';
import { readAirlines, readOperators, type Airline } from '../../../src/feeds/master-data/airlines.ts';
import { rankCarriers } from '../../../src/feeds/master-data/rank-carriers.ts';
import { fileOf } from './feed-file.ts';

const airline = (given: Partial<Airline>): Airline => ({
  iata: '',
  icao: '',
  name: '',
  current: true,
  flights: 0,
  endedOn: '',
  ...given,
});

const rank = (airlines: readonly Airline[], operators: readonly Airline[] = []) => {
  const report = newLoadReport('test');
  const carriers = rankCarriers(airlines, operators, report);
  return { carriers, entries: report.entries };
};

test('a row of the list of carriers is current unless it ended or is kept for history; alliances and systems are no carriers', async () => {
  const file = fileOf(
    'airlines.csv',
    'pk^env_id^validity_from^validity_to^3char_code^2char_code^num_code^name^type^flt_freq',
    'a^^1955-01-01^^DLH^LH^220^Lufthansa^P^338012',
    'b^1^1979-01-01^2017-10-28^BER^AB^745^Air Berlin^^',
    'c^1^^^XYZ^9Z^1^Renamed^^',
    'd^^^^^*A^0^Star Alliance^^',
    'e^^^^^W1^0^WorldTicket^G^',
    'f^^^^^12^0^Two digits^^',
  );
  expect(await readAirlines(file, newLoadReport('test'))).toEqual([
    { iata: 'LH', icao: 'DLH', name: 'Lufthansa', current: true, flights: 338012, endedOn: '' },
    { iata: 'AB', icao: 'BER', name: 'Air Berlin', current: false, flights: 0, endedOn: '2017-10-28' },
    { iata: '9Z', icao: 'XYZ', name: 'Renamed', current: false, flights: 0, endedOn: '' },
  ]);
});

test('a row of the list of operators has a name and codes', async () => {
  const file = fileOf(
    'operators.csv',
    '\uFEFFCode,Name,ICAO,IATA,X,Y',
    'AHK,Air Hong Kong,AHK,LD,,',
    '1B,Abacus,,1B,,',
  );
  expect(await readOperators(file, newLoadReport('test'))).toEqual([
    airline({ iata: 'LD', icao: 'AHK', name: 'Air Hong Kong' }),
    airline({ iata: '1B', name: 'Abacus' }),
  ]);
});

describe('the owners of one IATA code', () => {
  test('answer in order: current ones by their flights, then former ones, the last to end first, then operators', () => {
    const { carriers } = rank(
      [
        airline({ iata: 'LH', icao: 'OLD', name: 'Long gone', current: false, endedOn: '1999-01-01' }),
        airline({ iata: 'LH', icao: 'GEC', name: 'Lufthansa Cargo' }),
        airline({ iata: 'LH', icao: 'NEW', name: 'Just gone', current: false, endedOn: '2020-01-01' }),
        airline({ iata: 'LH', icao: 'DLH', name: 'Lufthansa', flights: 338012 }),
      ],
      [airline({ iata: 'LH', icao: 'ZZZ', name: 'Operator' })],
    );
    expect(carriers).toEqual([
      { iata: 'LH', icao: 'DLH', name: 'Lufthansa', rank: 1 },
      { iata: 'LH', icao: 'GEC', name: 'Lufthansa Cargo', rank: 2 },
      { iata: 'LH', icao: 'NEW', name: 'Just gone', rank: 3 },
      { iata: 'LH', icao: 'OLD', name: 'Long gone', rank: 4 },
      { iata: 'LH', icao: 'ZZZ', name: 'Operator', rank: 5 },
    ]);
  });

  test('are reported when several are current', () => {
    const { entries } = rank([
      airline({ iata: '1I', icao: 'EJA', name: 'One' }),
      airline({ iata: '1I', icao: 'NJE', name: 'Two' }),
      airline({ iata: 'AB', icao: 'BNZ', name: 'Now' }),
      airline({ iata: 'AB', icao: 'BER', name: 'Then', current: false }),
    ]);
    expect(entries).toEqual([
      {
        severity: 'notice',
        field: 'iata',
        value: '1I',
        reason: 'shared-iata-code',
        message: 'Current carriers share the IATA code 1I: One, Two. The first answers first.',
      },
    ]);
  });
});

test('versions of one carrier with the same two codes become one row under its present name, which keeps its place', () => {
  const { carriers } = rank([
    airline({ iata: 'VB', icao: 'VIV', name: 'Old name', current: false, endedOn: '2025-09-30' }),
    airline({ iata: 'VB', icao: 'OTH', name: 'Smaller', flights: 7 }),
    airline({ iata: 'VB', icao: 'VIV', name: 'New name', flights: 100117 }),
  ]);
  expect(carriers).toEqual([
    { iata: 'VB', icao: 'VIV', name: 'New name', rank: 1 },
    { iata: 'VB', icao: 'OTH', name: 'Smaller', rank: 2 },
  ]);
});

test('a row with one code only is dropped when a row with both has that code and name, and kept under another name', () => {
  const { carriers } = rank([
    airline({ iata: 'ZU', icao: 'ABC', name: 'Zu Air' }),
    airline({ iata: 'ZU', name: 'ZU AIR', current: false }),
    airline({ icao: 'ABC', name: 'Zu air', current: false }),
    airline({ iata: 'ZU', name: 'Zulu', current: false }),
  ]);
  expect(carriers).toEqual([
    { iata: 'ZU', icao: 'ABC', name: 'Zu Air', rank: 1 },
    { iata: 'ZU', icao: '', name: 'Zulu', rank: 2 },
  ]);
});

test('an operator is taken only when its ICAO code is new, or its IATA code when it has no other', () => {
  const { carriers } = rank(
    [airline({ iata: 'AA', icao: 'AAL', name: 'American' })],
    [
      airline({ iata: 'A1', icao: 'AAL', name: 'Same ICAO code' }),
      airline({ iata: 'AA', name: 'Same IATA code' }),
      airline({ iata: 'LD', icao: 'AHK', name: 'Air Hong Kong' }),
      airline({ icao: 'LXJ', name: 'Flexjet' }),
    ],
  );
  expect(carriers).toEqual([
    { iata: 'AA', icao: 'AAL', name: 'American', rank: 1 },
    { iata: 'LD', icao: 'AHK', name: 'Air Hong Kong', rank: 1 },
    { iata: '', icao: 'LXJ', name: 'Flexjet', rank: 1 },
  ]);
});

describe('a current carrier without its true ICAO code', () => {
  test.each([
    ['has none', 'Air Canada Rouge', '', 'Air Canada rouge', 'ROU'],
    ['has a wrong one', 'Frontier Airlines', 'FTT', 'FRONTIER', 'FFT'],
    ['writes its name in another way', "Air Côte D'Ivoire", '', 'Air Cote d Ivoire', 'VRE'],
  ])('that %s takes that of the operator with its IATA code and name, and the report says so', (...given) => {
    const [, name, icao, operator, truth] = given;
    const { carriers, entries } = rank(
      [airline({ iata: 'F9', icao, name, flights: 5 })],
      [
        airline({ iata: 'F9', icao: 'OTH', name: 'Other' }),
        airline({ iata: 'F9', name: operator }),
        airline({ iata: 'F9', icao: truth, name: operator }),
        airline({ iata: 'ZZ', icao: 'NOT', name: operator }),
      ],
    );
    expect(carriers[0]).toEqual({ iata: 'F9', icao: truth, name, rank: 1 });
    expect(carriers.filter((carrier) => carrier.icao === truth)).toHaveLength(1);
    expect(entries).toEqual([
      {
        severity: 'corrected',
        field: '3char_code',
        value: icao,
        reason: 'carrier-icao-code',
        message: `The ICAO code of ${name} (F9) is ${truth}; the list of carriers has ${icao === '' ? 'none' : icao}.`,
      },
    ]);
  });

  test('keeps what it has when operators disagree, when it is of the past, and when its name is but a word for airline', () => {
    const { carriers, entries } = rank(
      [
        airline({ iata: 'ZY', name: 'China Air Cargo' }),
        airline({ iata: 'AB', icao: 'OLD', name: 'Berlin', current: false }),
        airline({ iata: 'AX', icao: 'AXA', name: 'Airways' }),
      ],
      [
        airline({ iata: 'ZY', icao: 'CCO', name: 'China Air Cargo' }),
        airline({ iata: 'ZY', icao: 'CHY', name: 'China Air Cargo' }),
        airline({ iata: 'AB', icao: 'BER', name: 'Air Berlin' }),
        airline({ iata: 'AX', icao: 'AXB', name: 'Air' }),
      ],
    );
    expect(
      carriers.filter(({ name }) => ['China Air Cargo', 'Berlin', 'Airways'].includes(name)).map(({ icao }) => icao),
    ).toEqual(['', 'AXA', 'OLD', 'CCO', 'CHY']);
    expect(entries).toEqual([]);
  });
});
