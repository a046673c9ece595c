import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLoadReport } from '../../../../../src/feeds/load-report.ts';
import { readAirlines, readOperators, type Airline } from '../../../../../src/feeds/master-data/sources/airlines.ts';
import { joinVersions } from '../../../../../src/feeds/master-data/join/carriers/join-versions.ts';
import { rankCarriers } from '../../../../../src/feeds/master-data/join/carriers/rank-carriers.ts';
import { buildAirline } from './build-airline.ts';
import { createFeedFile } from '../../feed-file.ts';

const rank = (airlines: readonly Airline[], operators: readonly Airline[] = []) => {
  const report = createLoadReport('test');
  const ranked = rankCarriers(airlines, operators, report);
  const carriers = ranked.map((carrier) => ({
    iata: carrier.iata,
    icao: carrier.icao,
    name: carrier.name,
    rank: carrier.rank,
  }));
  return { ranked, carriers, entries: report.entries };
};

const header =
  'pk^env_id^validity_from^validity_to^3char_code^2char_code^num_code^name^alliance_code^type^flt_freq^bases^key';

test('a row of the list of carriers is current unless it ended or is historical; alliances and systems are not carriers', async () => {
  const file = createFeedFile(
    'airlines.csv',
    header,
    'a^^1955-01-01^^DLH^LH^220^Lufthansa^Star Alliance^P^338012^FRA=MUC^lh',
    'b^1^1979-01-01^2017-10-28^BER^AB^745^Air Berlin^^^^TXL^ab',
    'c^1^^^XYZ^9Z^1^Renamed^^^^^nine',
    'd^^^^^*A^0^Star Alliance^^^^^star',
    'e^^^^^W1^0^WorldTicket^^G^^^gds',
    'f^^^^^12^0^Two digits^^^^^twelve',
  );
  expect(await readAirlines(file, createLoadReport('test'))).toEqual([
    buildAirline({
      company: 'lh',
      iata: 'LH',
      icao: 'DLH',
      name: 'Lufthansa',
      flights: 338012,
      startedOn: '1955-01-01',
      alliance: 'Star Alliance',
      bases: ['FRA', 'MUC'],
    }),
    buildAirline({
      company: 'ab',
      iata: 'AB',
      icao: 'BER',
      name: 'Air Berlin',
      isCurrent: false,
      startedOn: '1979-01-01',
      endedOn: '2017-10-28',
      bases: ['TXL'],
    }),
    buildAirline({ company: 'nine', iata: '9Z', icao: 'XYZ', name: 'Renamed', isCurrent: false }),
  ]);
});

test('ignores a date as an alliance, a name as a base and dates that end before they begin', async () => {
  const report = createLoadReport('test');
  const file = createFeedFile(
    'airlines.csv',
    header,
    'a^^^^RYS^RR^0^Buzz^2018-01-02^^^^buzz',
    'b^^2007-01-01^1989-12-31^MEV^VL^0^Med-View Airline^^^^LOS=en|Med-View^mv',
  );
  expect(await readAirlines(file, report)).toEqual([
    buildAirline({ company: 'buzz', iata: 'RR', icao: 'RYS', name: 'Buzz' }),
    buildAirline({
      company: 'mv',
      iata: 'VL',
      icao: 'MEV',
      name: 'Med-View Airline',
      isCurrent: false,
      bases: ['LOS'],
    }),
  ]);
  expect(report.entries).toEqual([
    {
      severity: 'corrected',
      line: 2,
      field: 'alliance_code',
      value: '2018-01-02',
      reason: 'not-an-alliance',
      message: 'The alliance of Buzz is not the name of one and is not taken.',
    },
    {
      severity: 'corrected',
      line: 3,
      field: 'validity_to',
      value: '1989-12-31',
      reason: 'dates-out-of-order',
      message: 'Med-View Airline would have ended on 1989-12-31, before it began on 2007-01-01: neither is taken.',
    },
  ]);
});

test('a row of the list of operators has a name and codes', async () => {
  const file = createFeedFile(
    'operators.csv',
    '\uFEFFCode,Name,ICAO,IATA,X,Y',
    'AHK,Air Hong Kong,AHK,LD,,',
    '1B,Abacus,,1B,,',
  );
  expect(await readOperators(file, createLoadReport('test'))).toEqual([
    buildAirline({ iata: 'LD', icao: 'AHK', name: 'Air Hong Kong' }),
    buildAirline({ iata: '1B', name: 'Abacus' }),
  ]);
});

describe('the owners of one IATA code', () => {
  test('are ranked: current ones by their flights, then former ones, the last to end first, then operators', () => {
    const { carriers } = rank(
      [
        buildAirline({ iata: 'LH', icao: 'OLD', name: 'Long gone', isCurrent: false, endedOn: '1999-01-01' }),
        buildAirline({ iata: 'LH', icao: 'GEC', name: 'Lufthansa Cargo' }),
        buildAirline({ iata: 'LH', icao: 'NEW', name: 'Just gone', isCurrent: false, endedOn: '2020-01-01' }),
        buildAirline({ iata: 'LH', icao: 'DLH', name: 'Lufthansa', flights: 338012 }),
      ],
      [buildAirline({ iata: 'LH', icao: 'ZZZ', name: 'Operator' })],
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
      buildAirline({ iata: '1I', icao: 'EJA', name: 'One' }),
      buildAirline({ iata: '1I', icao: 'NJE', name: 'Two' }),
      buildAirline({ iata: 'AB', icao: 'BNZ', name: 'Now' }),
      buildAirline({ iata: 'AB', icao: 'BER', name: 'Then', isCurrent: false }),
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

describe('rows with the same two codes', () => {
  const history = (airlines: readonly Airline[]) =>
    rank(airlines).ranked.map(({ name, startedOn, endedOn, formerNames, rank }) => ({
      name,
      startedOn,
      endedOn,
      formerNames,
      place: rank,
    }));

  test('are one carrier under its present name when one follows the other without a gap', () => {
    const codes = { iata: 'VB', icao: 'VIV' };
    expect(
      history([
        buildAirline({ ...codes, company: 'a', name: 'Old name', isCurrent: false, endedOn: '2025-09-30' }),
        buildAirline({ ...codes, company: 'v', name: 'New name', startedOn: '2025-10-01' }),
      ]),
    ).toEqual([
      {
        name: 'New name',
        startedOn: '',
        endedOn: '',
        formerNames: [{ name: 'Old name', from: '', to: '2025-09-30' }],
        place: 1,
      },
    ]);
  });

  test('are one carrier when they are about one company in the same years', () => {
    const codes = { iata: 'W4', icao: 'LCB', current: false, startedOn: '1993-01-01' };
    expect(
      history([
        buildAirline({ ...codes, company: 'a', name: 'LC Perú', endedOn: '2018-12-31' }),
        buildAirline({ ...codes, company: 'b', name: 'LC Péru', endedOn: '2018-12-12' }),
      ]),
    ).toEqual([{ name: 'LC Perú', startedOn: '1993-01-01', endedOn: '2018-12-31', formerNames: [], place: 1 }]);
  });

  test('are separate carriers when the company was inactive for a time, or when they are two companies', () => {
    const codes = { iata: '2Q', icao: 'SNC' };
    const then = buildAirline({ ...codes, company: 'a', name: 'Back again', isCurrent: false, endedOn: '2003-12-31' });
    expect(
      history([
        then,
        buildAirline({ ...codes, company: 'a', name: 'Back again', startedOn: '2015-01-01' }),
        buildAirline({ iata: '2Q', icao: 'ETS', name: 'Between', isCurrent: false, endedOn: '2010-12-31' }),
        buildAirline({ ...codes, company: 'b', name: 'Stranger', isCurrent: false, endedOn: '1990-12-31' }),
      ]),
    ).toEqual([
      { name: 'Back again', startedOn: '2015-01-01', endedOn: '', formerNames: [], place: 1 },
      { name: 'Between', startedOn: '', endedOn: '2010-12-31', formerNames: [], place: 2 },
      { name: 'Back again', startedOn: '', endedOn: '2003-12-31', formerNames: [], place: 3 },
      { name: 'Stranger', startedOn: '', endedOn: '1990-12-31', formerNames: [], place: 4 },
    ]);
  });
});

const dates = ['2001-01-01', '2002-12-31', '2003-01-01', '2004-06-15', '2006-12-31', '2007-01-01', '2010-01-01'];
const days = [...dates, '2000-01-01', '2001-06-01', '2005-01-01', '2008-01-01', '2020-01-01'];
const rowOfHistory = fc
  .record({
    company: fc.constantFrom('a', 'b'),
    ends: fc.uniqueArray(fc.constantFrom(...dates), { minLength: 2, maxLength: 2 }),
    current: fc.boolean(),
    flights: fc.nat(3),
  })
  .map(({ company, ends, current, flights }) => {
    const [startedOn = '', endedOn = ''] = ends.toSorted();
    const name = `${company} ${startedOn}`;
    return buildAirline({
      company,
      iata: 'QQ',
      icao: 'QQQ',
      name,
      isCurrent: current,
      flights,
      startedOn,
      endedOn: current ? '' : endedOn,
    });
  });

test('joined or not, on each day the codes belong to the carriers in the rows, under a name from the rows', () => {
  const covers = (day: string) => (row: Pick<Airline, 'startedOn' | 'endedOn'>) =>
    row.startedOn <= day && (row.endedOn === '' || day <= row.endedOn);
  fc.assert(
    fc.property(fc.array(rowOfHistory, { minLength: 1, maxLength: 6 }), (rows) => {
      const carriers = joinVersions(rows);
      for (const day of days) {
        const names = rows.filter(covers(day)).map(({ name }) => name);
        const valid = carriers.filter(covers(day));
        const named = valid.map(
          ({ name, formerNames }) => formerNames.find(({ from, to }) => from <= day && day <= to)?.name ?? name,
        );
        expect(valid.length > 0).toBe(names.length > 0);
        expect(named.filter((name) => !names.includes(name))).toEqual([]);
      }
    }),
  );
});

test('a company that gave up one of its codes has a row for each time', () => {
  const { carriers } = rank([
    buildAirline({ company: 'kd', iata: 'XC', icao: 'KDC', name: 'KD Air', isCurrent: false, endedOn: '2013-09-30' }),
    buildAirline({ company: 'kd', icao: 'KDC', name: 'KD Air', startedOn: '2013-10-01' }),
  ]);
  expect(carriers).toEqual([
    { iata: '', icao: 'KDC', name: 'KD Air', rank: 1 },
    { iata: 'XC', icao: 'KDC', name: 'KD Air', rank: 1 },
  ]);
});

test('a carrier that is only claimed to have the code of another is marked as that', () => {
  const { ranked } = rank(
    [
      buildAirline({ iata: 'JM', icao: 'JMA', name: 'Jambojet' }),
      buildAirline({ iata: 'JM', icao: 'OLD', name: 'Ended some day', isCurrent: false }),
      buildAirline({ iata: 'ZV', icao: 'AMW', name: 'Ended', isCurrent: false, endedOn: '2008-06-30' }),
    ],
    [
      buildAirline({ iata: 'JM', icao: 'AJM', name: 'Air Jamaica' }),
      buildAirline({ iata: 'ZV', icao: 'ZZV', name: 'At some time' }),
      buildAirline({ iata: 'ZX', icao: 'ZZX', name: 'Alone' }),
      buildAirline({ icao: 'LXJ', name: 'Flexjet' }),
    ],
  );
  expect(ranked.filter(({ isCodeClaimed }) => isCodeClaimed).map(({ icao }) => icao)).toEqual(['OLD', 'AJM', 'ZZV']);
});

test('a row with one code only is dropped when a row with both has that code and name, and kept under another name', () => {
  const { carriers } = rank([
    buildAirline({ iata: 'ZU', icao: 'ABC', name: 'Zu Air' }),
    buildAirline({ iata: 'ZU', name: 'ZU AIR', isCurrent: false }),
    buildAirline({ icao: 'ABC', name: 'Zu air', isCurrent: false }),
    buildAirline({ iata: 'ZU', name: 'Zulu', isCurrent: false }),
  ]);
  expect(carriers).toEqual([
    { iata: 'ZU', icao: 'ABC', name: 'Zu Air', rank: 1 },
    { iata: 'ZU', icao: '', name: 'Zulu', rank: 2 },
  ]);
});

test('an operator is added only when its ICAO code is new, or its IATA code when it has no other', () => {
  const { carriers } = rank(
    [buildAirline({ iata: 'AA', icao: 'AAL', name: 'American' })],
    [
      buildAirline({ iata: 'A1', icao: 'AAL', name: 'Same ICAO code' }),
      buildAirline({ iata: 'AA', name: 'Same IATA code' }),
      buildAirline({ iata: 'LD', icao: 'AHK', name: 'Air Hong Kong' }),
      buildAirline({ icao: 'LXJ', name: 'Flexjet' }),
    ],
  );
  expect(carriers).toEqual([
    { iata: 'AA', icao: 'AAL', name: 'American', rank: 1 },
    { iata: 'LD', icao: 'AHK', name: 'Air Hong Kong', rank: 1 },
    { iata: '', icao: 'LXJ', name: 'Flexjet', rank: 1 },
  ]);
});

describe('an operator with an override', () => {
  const order = (airlines: readonly Airline[], operators: readonly Airline[]) =>
    rank(airlines, operators).ranked.map(({ name, isCodeClaimed }) => [name, isCodeClaimed]);

  test('has its code, before former carriers and those of which only the code is known', () => {
    expect(
      order(
        [
          buildAirline({ iata: 'K4', name: 'Some name' }),
          buildAirline({ iata: 'K4', icao: 'QZA', name: 'Former', isCurrent: false, endedOn: '2009-12-31' }),
          buildAirline({ iata: 'K4', icao: 'QZB', name: 'Flying', flights: 5 }),
        ],
        [
          buildAirline({ iata: 'K4', icao: 'QZC', name: 'Unheard of' }),
          buildAirline({ iata: 'K4', icao: 'CKS', name: 'Kalitta' }),
        ],
      ),
    ).toEqual([
      ['Flying', false],
      ['Kalitta', false],
      ['Some name', false],
      ['Former', false],
      ['Unheard of', true],
    ]);
  });
});

describe('a former carrier that the list has as current', () => {
  test('ends on the day of the correction, which is reported', () => {
    const { ranked, entries } = rank([
      buildAirline({ iata: 'US', icao: 'AWE', name: 'US Airways', startedOn: '1939-01-01' }),
      buildAirline({ iata: 'US', icao: 'QZA', name: 'Another' }),
    ]);
    expect(ranked.map(({ name, isCurrent, startedOn, endedOn }) => [name, isCurrent, startedOn, endedOn])).toEqual([
      ['Another', true, '', ''],
      ['US Airways', false, '1939-01-01', '2015-10-16'],
    ]);
    expect(entries).toEqual([
      {
        severity: 'corrected',
        field: 'validity_to',
        value: '',
        reason: 'carrier-ended',
        message: 'US Airways (US) ended on 2015-10-16; the list of carriers has it as current.',
      },
    ]);
  });

  test('is only claimed to have the code of a current one when its end date is unknown', () => {
    const { ranked, entries } = rank(
      [buildAirline({ iata: 'ZG', icao: 'GOZ', name: 'Groznyy Avia', flights: 434 })],
      [buildAirline({ iata: 'ZG', icao: 'TZP', name: 'ZIPAIR Tokyo' })],
    );
    expect(ranked.map(({ name, rank, isCodeClaimed }) => [name, rank, isCodeClaimed])).toEqual([
      ['ZIPAIR Tokyo', 1, false],
      ['Groznyy Avia', 2, true],
    ]);
    expect(entries.map(({ message }) => message)).toEqual([
      'Groznyy Avia (ZG) ended on a day that is not known; the list of carriers has it as current.',
    ]);
  });

  test('keeps the day that the list has for its end', () => {
    const { ranked, entries } = rank([
      buildAirline({ iata: 'US', icao: 'AWE', name: 'US Airways', isCurrent: false, endedOn: '2015-10-17' }),
    ]);
    expect([ranked[0]?.endedOn, entries]).toEqual(['2015-10-17', []]);
  });
});

test('former owners of a code precede a current one up to the last day on which one of them had it, whenever that company began', () => {
  const codes = { iata: 'YX', icao: 'RPA', name: 'Republic' };
  const midwest = buildAirline({ iata: 'YX', icao: 'MEP', name: 'Midwest', isCurrent: false, endedOn: '2011-12-31' });
  const earlier = buildAirline({ iata: 'YX', icao: 'QZA', name: 'Earlier', isCurrent: false, endedOn: '1970-12-31' });
  const until = (present: Airline, former: readonly Airline[]) =>
    rank([present, ...former]).ranked.map(({ precededUntil }) => precededUntil)[0];
  expect(until(buildAirline({ ...codes, startedOn: '1998-01-01' }), [midwest, earlier])).toBe('2011-12-31');
  expect(until(buildAirline({ ...codes, startedOn: '2012-01-01' }), [midwest, earlier])).toBe('');
  expect(until(buildAirline(codes), [earlier])).toBe('1970-12-31');
  expect(until(buildAirline(codes), [{ ...midwest, icao: 'RPA' }])).toBe('');
  expect(until(buildAirline({ ...codes, iata: '' }), [{ ...midwest, iata: '' }])).toBe('');
});

test('a carrier has the former names from the corrections beside those of the list, by start date', () => {
  const codes = { iata: 'JJ', icao: 'TAM' };
  const { ranked } = rank([
    buildAirline({ ...codes, company: 'tam', name: 'TAM Marília', isCurrent: false, endedOn: '1976-07-11' }),
    buildAirline({ ...codes, company: 'tam', name: 'LATAM Brasil', startedOn: '1976-07-12' }),
  ]);
  expect(ranked.map(({ name, formerNames }) => ({ name, formerNames }))).toEqual([
    {
      name: 'LATAM Brasil',
      formerNames: [
        { name: 'TAM Marília', from: '', to: '1976-07-11' },
        { name: 'TAM Linhas Aéreas', from: '', to: '2016-05-04' },
      ],
    },
  ]);
});

describe('a current carrier without its true ICAO code', () => {
  test.each([
    ['has none', 'Air Canada Rouge', '', 'Air Canada rouge', 'ROU'],
    ['has a wrong one', 'Frontier Airlines', 'FTT', 'FRONTIER', 'FFT'],
    ['writes its name in another way', "Air Côte D'Ivoire", '', 'Air Cote d Ivoire', 'VRE'],
    ['writes the form of the company too', 'Frontier Airlines GmbH', 'VIM', 'Frontier Airlines', 'LHX'],
  ])('that %s gets that of the operator with its IATA code and name, which is reported', (...names) => {
    const [, name, icao, operator, truth] = names;
    const { carriers, entries } = rank(
      [buildAirline({ iata: 'F9', icao, name, flights: 5 })],
      [
        buildAirline({ iata: 'F9', icao: 'OTH', name: 'Other' }),
        buildAirline({ iata: 'F9', name: operator }),
        buildAirline({ iata: 'F9', icao: truth, name: operator }),
        buildAirline({ iata: 'ZZ', icao: 'NOT', name: operator }),
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

  test('gets that of the own list, or loses that of another company', () => {
    const { carriers } = rank([
      buildAirline({ iata: 'BU', icao: 'FPY', name: "Compagnie Africaine d'Aviation" }),
      buildAirline({ iata: 'RI', icao: 'MDL', name: 'Air Costa Rica' }),
    ]);
    expect(carriers.map(({ iata, icao }) => [iata, icao])).toEqual([
      ['BU', 'DBP'],
      ['RI', ''],
    ]);
  });

  test('keeps its code when operators disagree, when it is a former one, and when its name is only a word for airline', () => {
    const { carriers, entries } = rank(
      [
        buildAirline({ iata: 'ZY', name: 'China Air Cargo' }),
        buildAirline({ iata: 'AB', icao: 'OLD', name: 'Berlin', isCurrent: false }),
        buildAirline({ iata: 'AX', icao: 'AXA', name: 'Airways' }),
      ],
      [
        buildAirline({ iata: 'ZY', icao: 'CCO', name: 'China Air Cargo' }),
        buildAirline({ iata: 'ZY', icao: 'CHY', name: 'China Air Cargo' }),
        buildAirline({ iata: 'AB', icao: 'BER', name: 'Air Berlin' }),
        buildAirline({ iata: 'AX', icao: 'QXB', name: 'Air' }),
      ],
    );
    expect(
      carriers.filter(({ name }) => ['China Air Cargo', 'Berlin', 'Airways'].includes(name)).map(({ icao }) => icao),
    ).toEqual(['AXA', '', 'OLD', 'CCO', 'CHY']);
    expect(entries).toEqual([]);
  });
});
