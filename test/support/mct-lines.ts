import { blankMctRecord, blankMctSide } from '#domain/connections/mct/mct-record.ts';
import type { MctFile, MctPartners, MctRecord, MctSide } from '#domain/connections/mct/mct-record.ts';
import { formatDate, type LocalDate } from '#domain/time/dates.ts';

/** Byte columns by first position: `{ 14: 'XX' }` puts XX at bytes 14-15. */
export type MctFields = Readonly<Record<number, string>>;

/** Formats the first 194 bytes of a record; the file adds the serial number. */
export const formatRecord = (...layers: readonly MctFields[]): string => {
  const bytes = Array.from({ length: 194 }, () => ' ');
  for (const layer of layers)
    for (const [from, text] of Object.entries(layer))
      for (let index = 0; index < text.length; index += 1) bytes[Number(from) - 1 + index] = text[index] ?? ' ';
  return bytes.join('');
};

export const formatHeader = formatRecord({ 1: '1MINIMUM CONNECT TIME DATA SET', 32: 'TEST', 67: '01JAN261200F' });
export const formatTrailer = formatRecord({ 1: '4', 194: 'E' });

const fileOf = (records: readonly string[]): string => {
  const numbered = [formatHeader, ...records].map((text, index) => text + String(index + 1).padStart(6, '0'));
  return `${[...numbered, formatTrailer + String(numbered.length).padStart(6, '0')].join('\n')}\n`;
};

/** Formats a file with these records between header and trailer, numbered from 000001. */
export const formatMctFile = (...records: readonly string[]): string => fileOf(records);

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

const dateText = (date: LocalDate | undefined): string => {
  if (date === undefined) return '';
  const [year = '', month = '', day = ''] = formatDate(date).split('-');
  return `${day}${months[Number(month) - 1]}${year.slice(2)}`;
};

const timeText = (minutes: number | undefined): string =>
  minutes === undefined
    ? ''
    : `${String(Math.floor(minutes / 60)).padStart(2, '0')}${String(minutes % 60).padStart(2, '0')}`;

const flightText = (flight: number | undefined): string =>
  flight === undefined ? '' : String(flight).padStart(4, '0');

/** First byte positions of carrier, flag, operator, type, body, terminal, country, station, first and last flight, state, region. */
const columns = {
  arrival: [14, 16, 17, 24, 27, 32, 36, 38, 46, 50, 62, 66],
  departure: [19, 21, 22, 28, 31, 34, 41, 43, 54, 58, 64, 69],
} as const;

const sideBytes = (side: MctSide, at: readonly number[]): MctFields => {
  const texts = [
    side.carrier,
    side.isCodeshare ? 'Y' : '',
    side.operator,
    side.equipment,
    side.body,
    side.terminal,
    side.countryCode,
    side.station,
    flightText(side.flights?.from),
    flightText(side.flights?.to),
    side.stateCode,
    side.region,
  ];
  return Object.fromEntries(texts.map((text, index) => [at[index], text]));
};

export const formatMctLine = (mct: MctRecord): string =>
  formatRecord(
    { 1: '2', 2: mct.arrivalStation, 5: timeText(mct.minutes), 9: mct.status, 11: mct.departureStation },
    sideBytes(mct.arrival, columns.arrival),
    sideBytes(mct.departure, columns.departure),
    { 72: dateText(mct.from), 79: dateText(mct.to), 87: mct.suppression, 88: mct.suppressionRegion },
    { 91: mct.suppressionCountryCode, 93: mct.suppressionStateCode, 95: mct.submittedBy },
  );

const PARTNERS_A_RECORD = 95;

export const formatPartnerLines = ({ carrier, partners }: Omit<MctPartners, 'line'>): readonly string[] =>
  Array.from({ length: Math.max(1, Math.ceil(partners.length / PARTNERS_A_RECORD)) }, (_, index) =>
    formatRecord({
      1: '3',
      2: carrier,
      5: partners.slice(index * PARTNERS_A_RECORD, (index + 1) * PARTNERS_A_RECORD).join(''),
    }),
  );

/** Formats a whole file: the records in order, then the partner lists; remarks refer to lines of this text. */
export const formatMctText = ({ records, partners }: MctFile): string =>
  fileOf([...records.map(formatMctLine), ...partners.flatMap(formatPartnerLines)]);

export const side = (overrides: Partial<MctSide> = {}): MctSide => ({ ...blankMctSide, ...overrides });

/** Creates a station standard of 60 minutes at LHR, II, on line 2, unless overridden. */
export const mct = (overrides: Partial<MctRecord> = {}): MctRecord => ({
  line: 2,
  status: 'II',
  ...blankMctRecord,
  arrivalStation: 'LHR',
  departureStation: 'LHR',
  minutes: 60,
  ...overrides,
});
