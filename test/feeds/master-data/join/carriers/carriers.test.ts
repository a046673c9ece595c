import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLoadReport } from '#feeds/load-report.ts';
import { readAirlines, readOperators, type Airline } from '#feeds/master-data/sources/airlines.ts';
import { joinVersions } from '#feeds/master-data/join/carriers/join-versions.ts';
import { rankCarriers } from '#feeds/master-data/join/carriers/rank-carriers.ts';
import { buildAirline } from './build-airline.ts';
import { createFeedFile } from '#test/feeds/master-data/feed-file.ts';

/** Ranks carriers; `carriers` has them as `LH/DLH Lufthansa 1`, with their rank. */
const rank = (airlines: readonly Airline[], operators: readonly Airline[] = []) => {
  const report = createLoadReport('test');
  const ranked = rankCarriers(airlines, operators, report);
  const carriers = ranked.map((carrier) => `${carrier.iata}/${carrier.icao} ${carrier.name} ${carrier.rank}`);
  return { ranked, carriers, entries: report.entries };
};

/** Builds the row of a current carrier from a text such as `LH/DLH Lufthansa`. */
const current = (text: string, fields: Partial<Airline> = {}): Airline => {
  const [, iata = '', icao = '', name = ''] = /^(\w*)\/(\w*) ?(.*)$/.exec(text) ?? [];
  return buildAirline({ iata, icao, name, ...fields });
};
const listCurrent = (...texts: readonly string[]) => texts.map((text) => current(text));
const former = (text: string, endedOn = '', fields: Partial<Airline> = {}): Airline =>
  current(text, { isCurrent: false, endedOn, ...fields });

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
  const lufthansa = { company: 'lh', flights: 338012, startedOn: '1955-01-01', alliance: 'Star Alliance' };
  expect(await readAirlines(file, createLoadReport('test'))).toEqual([
    current('LH/DLH Lufthansa', { ...lufthansa, bases: ['FRA', 'MUC'] }),
    former('AB/BER Air Berlin', '2017-10-28', { company: 'ab', startedOn: '1979-01-01', bases: ['TXL'] }),
    former('9Z/XYZ Renamed', '', { company: 'nine' }),
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
  const [buzz, medView] = [{ company: 'buzz' }, { company: 'mv', bases: ['LOS'] }];
  const expected = [current('RR/RYS Buzz', buzz), former('VL/MEV Med-View Airline', '', medView)];
  expect(await readAirlines(file, report)).toEqual(expected);
  const remarks = report.entries.map(({ severity, line, field, value, reason, message }) =>
    [severity, line, field, value, reason, message].join('|'),
  );
  expect(remarks).toEqual([
    'corrected|2|alliance_code|2018-01-02|not-an-alliance|The alliance of Buzz is not an alliance name and was ignored.',
    'corrected|3|validity_to|1989-12-31|dates-out-of-order|Med-View Airline has an end date, 1989-12-31, before its start date, 2007-01-01; both dates were ignored.',
  ]);
});

test('a row of the list of operators has a name and codes', async () => {
  const rows = ['AHK,Air Hong Kong,AHK,LD,,', '1B,Abacus,,1B,,'];
  const file = createFeedFile('operators.csv', '\uFEFFCode,Name,ICAO,IATA,X,Y', ...rows);
  const expected = [current('LD/AHK Air Hong Kong'), current('1B/ Abacus')];
  expect(await readOperators(file, createLoadReport('test'))).toEqual(expected);
});

test('the owners of one IATA code are ranked: current ones by their flights, then former ones, the last to end first, then operators', () => {
  const gone = [former('LH/OLD Long gone', '1999-01-01'), former('LH/NEW Just gone', '2020-01-01')];
  const present = [current('LH/GEC Lufthansa Cargo'), current('LH/DLH Lufthansa', { flights: 338012 })];
  const ranking = ['LH/DLH Lufthansa 1', 'LH/GEC Lufthansa Cargo 2', 'LH/NEW Just gone 3', 'LH/OLD Long gone 4'];
  const { carriers } = rank([...gone, ...present], [current('LH/ZZZ Operator')]);
  expect(carriers).toEqual([...ranking, 'LH/ZZZ Operator 5']);
});

test('the owners of one IATA code are reported when several are current', () => {
  const rows = [current('1I/EJA One'), current('1I/NJE Two'), current('AB/BNZ Now'), former('AB/BER Then')];
  const message = 'Current carriers share the IATA code 1I: One, Two. The first one is returned first.';
  const entry = { severity: 'notice', field: 'iata', value: '1I', reason: 'shared-iata-code', message };
  expect(rank(rows).entries).toEqual([entry]);
});

const history = (airlines: readonly Airline[]) =>
  rank(airlines).ranked.map(({ name, startedOn, endedOn, formerNames, rank }) => [
    `${rank} ${name} ${startedOn}..${endedOn}`,
    ...formerNames.map((former) => `${former.name} ${former.from}..${former.to}`),
  ]);

test('rows with the same two codes are one carrier under its present name when one follows the other without a gap', () => {
  const now = current('VB/VIV New name', { company: 'v', startedOn: '2025-10-01' });
  const rows = [former('VB/VIV Old name', '2025-09-30', { company: 'a' }), now];
  expect(history(rows)).toEqual([['1 New name ..', 'Old name ..2025-09-30']]);
});

test('rows with the same two codes are one carrier when they are about one company in the same years', () => {
  const startedOn = '1993-01-01';
  const rows = [
    current('W4/LCB LC Perú', { company: 'a', startedOn, endedOn: '2018-12-31' }),
    current('W4/LCB LC Péru', { company: 'b', startedOn, endedOn: '2018-12-12' }),
  ];
  expect(history(rows)).toEqual([['1 LC Perú 1993-01-01..2018-12-31']]);
});

test('rows with the same two codes are separate carriers when the company was inactive for a time, or when they are two companies', () => {
  const rows = [
    former('2Q/SNC Back again', '2003-12-31', { company: 'a' }),
    current('2Q/SNC Back again', { company: 'a', startedOn: '2015-01-01' }),
    former('2Q/ETS Between', '2010-12-31'),
    former('2Q/SNC Stranger', '1990-12-31', { company: 'b' }),
  ];
  const expected = '1 Back again 2015-01-01..|2 Between ..2010-12-31|3 Back again ..2003-12-31|4 Stranger ..1990-12-31';
  expect(history(rows)).toEqual(expected.split('|').map((text) => [text]));
});

const dates = ['2001-01-01', '2002-12-31', '2003-01-01', '2004-06-15', '2006-12-31', '2007-01-01', '2010-01-01'];
const days = [...dates, '2000-01-01', '2001-06-01', '2005-01-01', '2008-01-01', '2020-01-01'];
const rowOfHistory = fc
  .record({
    company: fc.constantFrom('a', 'b'),
    ends: fc.uniqueArray(fc.constantFrom(...dates), { minLength: 2, maxLength: 2 }),
    isCurrent: fc.boolean(),
    flights: fc.nat(3),
  })
  .map(({ company, ends, isCurrent, flights }) => {
    const [startedOn = '', endedOn = ''] = ends.toSorted();
    const fields = { company, isCurrent, flights, startedOn, endedOn: isCurrent ? '' : endedOn };
    return current(`QQ/QQQ ${company} ${startedOn}`, fields);
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
  const then = former('XC/KDC KD Air', '2013-09-30', { company: 'kd' });
  const now = current('/KDC KD Air', { company: 'kd', startedOn: '2013-10-01' });
  expect(rank([then, now]).carriers).toEqual(['/KDC KD Air 1', 'XC/KDC KD Air 1']);
});

test('a carrier that is only claimed to have the code of another is marked as that', () => {
  const airlines = [current('JM/JMA Jambojet'), former('JM/OLD Ended some day'), former('ZV/AMW Ended', '2008-06-30')];
  const operators = listCurrent('JM/AJM Air Jamaica', 'ZV/ZZV At some time', 'ZX/ZZX Alone', '/LXJ Flexjet');
  const { ranked } = rank(airlines, operators);
  expect(ranked.filter(({ isCodeClaimed }) => isCodeClaimed).map(({ icao }) => icao)).toEqual(['OLD', 'AJM', 'ZZV']);
});

test('a row with one code only is dropped when a row with both has that code and name, and kept under another name', () => {
  const single = [former('ZU/ ZU AIR'), former('/ABC Zu air'), former('ZU/ Zulu')];
  const { carriers } = rank([current('ZU/ABC Zu Air'), ...single]);
  expect(carriers).toEqual(['ZU/ABC Zu Air 1', 'ZU/ Zulu 2']);
});

test('an operator is added only when its ICAO code is new, or its IATA code when it has no other', () => {
  const operators = listCurrent('A1/AAL Same ICAO code', 'AA/ Same IATA code', 'LD/AHK Air Hong Kong', '/LXJ Flexjet');
  const { carriers } = rank([current('AA/AAL American')], operators);
  expect(carriers).toEqual(['AA/AAL American 1', 'LD/AHK Air Hong Kong 1', '/LXJ Flexjet 1']);
});

test('an operator with an override has its code, before former carriers and those of which only the code is known', () => {
  const flying = current('K4/QZB Flying', { flights: 5 });
  const airlines = [current('K4/ Some name'), former('K4/QZA Former', '2009-12-31'), flying];
  const { ranked } = rank(airlines, [current('K4/QZC Unheard of'), current('K4/CKS Kalitta')]);
  expect(ranked.map(({ name, isCodeClaimed }) => [name, isCodeClaimed])).toEqual([
    ['Flying', false],
    ['Kalitta', false],
    ['Some name', false],
    ['Former', false],
    ['Unheard of', true],
  ]);
});

test('a former carrier that the list has as current ends on the day of the correction, which is reported', () => {
  const usAirways = current('US/AWE US Airways', { startedOn: '1939-01-01' });
  const { ranked, entries } = rank([usAirways, current('US/QZA Another')]);
  expect(ranked.map(({ name, isCurrent, startedOn, endedOn }) => [name, isCurrent, startedOn, endedOn])).toEqual([
    ['Another', true, '', ''],
    ['US Airways', false, '1939-01-01', '2015-10-16'],
  ]);
  const message = 'US Airways (US) ended on 2015-10-16, but the list of carriers contains it as current.';
  const entry = { severity: 'corrected', field: 'validity_to', value: '', reason: 'carrier-ended', message };
  expect(entries).toEqual([entry]);
});

test('a former carrier that the list has as current is only claimed to have the code of a current one when its end date is unknown', () => {
  const grozny = current('ZG/GOZ Groznyy Avia', { flights: 434 });
  const { ranked, entries } = rank([grozny], [current('ZG/TZP ZIPAIR Tokyo')]);
  const carriers = ranked.map(({ name, rank, isCodeClaimed }) => `${name} ${rank} ${isCodeClaimed}`);
  expect(carriers).toEqual(['ZIPAIR Tokyo 1 false', 'Groznyy Avia 2 true']);
  expect(entries.map(({ message }) => message)).toEqual([
    'Groznyy Avia (ZG) ended on an unknown date, but the list of carriers contains it as current.',
  ]);
});

test('a former carrier that the list has as current keeps the day that the list has for its end', () => {
  const { ranked, entries } = rank([former('US/AWE US Airways', '2015-10-17')]);
  expect([ranked[0]?.endedOn, entries]).toEqual(['2015-10-17', []]);
});

test('former owners of a code precede a current one up to the last day on which one of them had it, whenever that company began', () => {
  const midwest = former('YX/MEP Midwest', '2011-12-31');
  const earlier = former('YX/QZA Earlier', '1970-12-31');
  const until = (startedOn: string, ...owners: readonly Airline[]) =>
    rank([current('YX/RPA Republic', { startedOn }), ...owners]).ranked.map(({ precededUntil }) => precededUntil)[0];
  expect(until('1998-01-01', midwest, earlier)).toBe('2011-12-31');
  expect(until('2012-01-01', midwest, earlier)).toBe('');
  expect(until('', earlier)).toBe('1970-12-31');
  expect(until('', { ...midwest, icao: 'RPA' })).toBe('');
  const { ranked } = rank([current('/RPA Republic'), { ...midwest, iata: '' }]);
  expect(ranked[0]?.precededUntil).toBe('');
});

test('a carrier has the former names from the corrections beside those of the list, by start date', () => {
  const then = former('JJ/TAM TAM Marília', '1976-07-11', { company: 'tam' });
  const now = current('JJ/TAM LATAM Brasil', { company: 'tam', startedOn: '1976-07-12' });
  const { ranked } = rank([then, now]);
  const formerNames = [
    { name: 'TAM Marília', from: '', to: '1976-07-11' },
    { name: 'TAM Linhas Aéreas', from: '', to: '2016-05-04' },
  ];
  expect(ranked).toMatchObject([{ name: 'LATAM Brasil', formerNames }]);
});

test.each([
  ['has none', 'Air Canada Rouge', '', 'Air Canada rouge', 'ROU'],
  ['has a wrong one', 'Frontier Airlines', 'FTT', 'FRONTIER', 'FFT'],
  ['writes its name in another way', "Air Côte D'Ivoire", '', 'Air Cote d Ivoire', 'VRE'],
  ['writes the form of the company too', 'Frontier Airlines GmbH', 'VIM', 'Frontier Airlines', 'LHX'],
])(
  'a current carrier without its true ICAO code that %s gets that of the operator with its IATA code and name, which is reported',
  (...names) => {
    const [, name, icao, operator, truth] = names;
    const operators = listCurrent('F9/OTH Other', `F9/ ${operator}`, `F9/${truth} ${operator}`, `ZZ/NOT ${operator}`);
    const { carriers, entries } = rank([current(`F9/${icao} ${name}`, { flights: 5 })], operators);
    expect(carriers[0]).toBe(`F9/${truth} ${name} 1`);
    expect(carriers.filter((carrier) => carrier.includes(`/${truth} `))).toHaveLength(1);
    const message = `The ICAO code of ${name} (F9) is ${truth}; the list of carriers contains ${icao === '' ? 'none' : icao}.`;
    const entry = { severity: 'corrected', field: '3char_code', value: icao, reason: 'carrier-icao-code', message };
    expect(entries).toEqual([entry]);
  },
);

test('a current carrier without its true ICAO code gets that of the own list, or loses that of another company', () => {
  const { carriers } = rank([current("BU/FPY Compagnie Africaine d'Aviation"), current('RI/MDL Air Costa Rica')]);
  expect(carriers).toEqual(["BU/DBP Compagnie Africaine d'Aviation 1", 'RI/ Air Costa Rica 1']);
});

test('a current carrier without its true ICAO code keeps its code when operators disagree, when it is a former one, and when its name is only a word for airline', () => {
  const operators = listCurrent('ZY/CCO China Air Cargo', 'ZY/CHY China Air Cargo', 'AB/BER Air Berlin', 'AX/QXB Air');
  const airlines = [current('ZY/ China Air Cargo'), former('AB/OLD Berlin'), current('AX/AXA Airways')];
  const { carriers, entries } = rank(airlines, operators);
  expect(carriers).toEqual([
    'AX/AXA Airways 1',
    'AB/BER Air Berlin 1',
    'ZY/ China Air Cargo 1',
    'AB/OLD Berlin 2',
    'ZY/CCO China Air Cargo 2',
    'ZY/CHY China Air Cargo 3',
    'AX/QXB Air 2',
  ]);
  expect(entries).toEqual([]);
});
