import { expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { readMctFile, replaceMctFile } from '#store/connections/mct.ts';
import { importMct } from '#jobs/import/import-mct.ts';
import { mct, formatMctFile, formatMctLine, formatMctText, formatPartnerLines, side } from '#test/support/mct-lines.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { saveTinyMasterData } from '#test/support/tiny-world.ts';
import { db, useDatabase } from '../job-database.ts';

useDatabase({ prepare: saveTinyMasterData, reset: (sql) => sql`truncate mct_record, mct_partners, location_terminal` });
const { write } = createTemporaryFolder();
const load = (name: string, text: string) => importMct({ db, file: write(name, text) });

const full = {
  records: [
    mct({
      line: 2,
      status: 'DI',
      arrivalStation: 'LHR',
      departureStation: 'LGW',
      arrival: side({
        carrier: 'XX',
        isCodeshare: true,
        operator: 'YY',
        flights: { from: 0, to: 9999 },
        terminal: '5',
        stateCode: 'NY',
        countryCode: 'US',
        equipment: '789',
      }),
      departure: side({ region: 'SCH', body: 'N', station: '' }),
      from: localDate('2026-06-01'),
      to: localDate('2026-06-30'),
      suppression: 'N',
      suppressionStateCode: 'ON',
      suppressionCountryCode: 'CA',
      suppressionRegion: 'SCH',
      minutes: 0,
      submittedBy: 'XX',
    }),
    mct({ line: 3 }),
    mct({ line: 4, departure: side({ carrier: 'XX' }), suppression: 'Y', minutes: undefined, departureStation: '' }),
  ],
  partners: [
    { line: 5, carrier: 'XX', partners: ['YY', 'ZZ'] },
    { line: 6, carrier: 'YY', partners: [] },
  ],
};

test('reads back what was loaded, with and without optional fields; a load replaces the previous file', async () => {
  expect(await readMctFile(db)).toStrictEqual({ records: [], partners: [] });
  await load('full.mct', formatMctText(full));
  expect(await readMctFile(db)).toStrictEqual(full);
  const report = await load('next.mct', formatMctFile(formatMctLine(mct({ minutes: 75 }))));
  expect(await readMctFile(db)).toStrictEqual({ records: [mct({ minutes: 75 })], partners: [] });
  const [row] = await db<{ source: string; digest: number; report: unknown }[]>`
    select source, length(sha256) as digest, report from load where kind = 'mct' order by id desc limit 1`;
  expect(row).toStrictEqual({ source: 'next.mct', digest: 64, report });
});

/** Lists the terminals of each station: code and source. */
const listTerminals = async () => {
  const rows = await db<{ iata: string; code: string; source: string }[]>`
    select iata, code, source from location_terminal t join location l on l.id = t.location order by iata, code, source`;
  return rows.map(({ iata, code, source }) => `${iata} ${code} ${source}`);
};

test('the terminals that records name are stored in place of those of the previous file', async () => {
  const [one, other] = [side({ terminal: '5' }), side({ terminal: 'N' })];
  const records = [
    mct({ arrivalStation: 'LHR', departureStation: 'LGW', arrival: one, departure: other }),
    mct({ arrivalStation: 'QQA', departureStation: 'LHR', arrival: one, departure: one }),
    mct({ arrivalStation: '', departureStation: '', arrival: one }),
  ];
  await load('terminals.mct', formatMctFile(...records.map(formatMctLine)));
  expect(await listTerminals()).toEqual(['LGW N connecting-times', 'LHR 5 connecting-times']);
  const next = mct({ arrivalStation: 'LHR', departureStation: 'LHR', arrival: one, departure: other });
  await load('next.mct', formatMctFile(formatMctLine(next)));
  expect(await listTerminals()).toEqual(['LHR 5 connecting-times', 'LHR N connecting-times']);
  await load('none.mct', formatMctFile(formatMctLine(mct())));
  expect(await listTerminals()).toEqual([]);
});

test('a rejected file keeps the previous one', async () => {
  await load('good.mct', formatMctFile(formatMctLine(mct())));
  const loads = async () => (await db`select from load where kind = 'mct'`).length;
  const before = await loads();
  await expect(load('cut.mct', formatMctFile(formatMctLine(mct({ minutes: 75 }))).slice(0, -60))).rejects.toThrow(
    'The file ends within a record, so it is incomplete.',
  );
  expect(await readMctFile(db)).toStrictEqual({ records: [mct()], partners: [] });
  expect(await loads()).toBe(before);
});

test('a record in quarantine does not affect the others', async () => {
  const lines = [formatMctLine(mct({ status: 'DD' })), formatMctLine(mct()).replace('0100', '0160')];
  const report = await load('bad.mct', formatMctFile(...lines));
  expect(report.entries).toMatchObject([{ severity: 'quarantined', line: 3, bytes: [5, 8], value: '0160' }]);
  expect((await readMctFile(db)).records).toStrictEqual([mct({ status: 'DD' })]);
});

test('unknown stations and carriers are accepted, and reported once each', async () => {
  const records = [
    mct({ arrivalStation: 'QQA', departureStation: 'QQA' }),
    mct({ arrival: side({ carrier: 'XX', operator: 'Q8', station: 'QQB' }), suppression: 'N' }),
    mct({ status: 'DD', departure: side({ station: 'QQA' }) }),
  ];
  const partners = formatPartnerLines({ carrier: 'XX', partners: ['Q8', 'Q9'] });
  const report = await load('unknown.mct', formatMctFile(...records.map(formatMctLine), ...partners));
  const counts = { 'station standard': 2, 'carrier exception': 1, 'partner list': 1 };
  expect(report.accepted).toEqual({ header: 1, ...counts, trailer: 1 });
  const notice = (line: number, field: string, value: string) => ({
    severity: 'notice',
    line,
    field,
    value,
    reason: `${field}-unknown`,
    message: `the ${field} is not in the master data; ${value === 'QQA' || value === 'Q8' ? '2 records contain' : '1 record contains'} it, this is the first`,
  });
  expect(report.entries).toStrictEqual([
    notice(2, 'station', 'QQA'),
    notice(3, 'station', 'QQB'),
    notice(3, 'carrier', 'Q8'),
    notice(5, 'carrier', 'Q9'),
  ]);
});
test('concurrent loads run one after the other, and a reader sees one complete file', async () => {
  const [one, other] = [mct({ minutes: 40 }), mct({ minutes: 50 })];
  const files = [
    { records: [one, mct({ line: 3, status: 'DD' })], partners: [] },
    { records: [other], partners: [{ line: 3, carrier: 'XX', partners: [] }] },
  ] as const;
  const rounds = Array.from({ length: 6 }, (_, index) => files[index % 2] ?? files[0]);
  await Promise.all(rounds.map((file) => db.begin((sql) => replaceMctFile(sql, file))));
  const stored = await db.begin('isolation level repeatable read read only', (sql) => readMctFile(sql));
  expect(files).toContainEqual(stored);
});
