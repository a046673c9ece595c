import type { MctRecord, MctSide } from '#domain/connections/mct/mct-record.ts';
import * as ssim from '../ssim/field-formats.ts';
import { FeedError } from '../feed-error.ts';
import { readText } from '../text/fixed-width.ts';
import * as formats from './field-formats.ts';
import { readField } from './field-formats.ts';
import { parseRecordSide } from './mct-record-side.ts';

/** Byte columns of a record 2, 1-based and inclusive (SSIM chapter 8); those of its two sides are in mct-record-side.ts. */
const fields = {
  arrivalStation: { name: 'arrival station', columns: [2, 4], format: ssim.stationFormat },
  time: { name: 'time', columns: [5, 8], format: formats.timeFormat },
  status: { name: 'status', columns: [9, 10], format: formats.statusFormat },
  departureStation: { name: 'departure station', columns: [11, 13], format: ssim.stationFormat },
  from: { name: 'first date', columns: [72, 78], format: ssim.dateFormat },
  to: { name: 'last date', columns: [79, 85], format: ssim.dateFormat },
  suppression: { name: 'suppression', columns: [87, 87], format: formats.suppressionFormat },
  suppressionRegion: { name: 'suppression region', columns: [88, 90], format: formats.regionFormat },
  suppressionCountry: { name: 'suppression country', columns: [91, 92], format: formats.countryFormat },
  suppressionState: { name: 'suppression state', columns: [93, 94], format: formats.stateFormat },
  submittedBy: { name: 'submitting carrier', columns: [95, 96], format: formats.carrierFormat },
  action: { name: 'action', columns: [104, 104], format: formats.actionFormat },
} as const;

type FieldName = keyof typeof fields;

const rejectField = (record: string, field: FieldName, [reason, message]: readonly [string, string]): never => {
  const { name, columns } = fields[field];
  throw new FeedError(message, { field: name, bytes: columns, value: readText(record, columns), reason });
};

const anyStation = '***';
/** Times that meant a suppression before there was an indicator: 999 minutes, 19 hours and 59 minutes. */
const oldSuppressions: ReadonlySet<string> = new Set(['999', '0999', '1959']);

/** Rejects obsolete or nonstandard forms with messages of their own. */
const rejectObsoleteForms = (record: string): void => {
  for (const field of ['arrivalStation', 'departureStation'] as const)
    if (readText(record, fields[field].columns) === anyStation)
      rejectField(record, field, [
        'default-of-all-stations',
        "'***' means all stations: set such defaults with 'build connections --mct-defaults', they are not read from the file.",
      ]);
  const time = readText(record, fields.time.columns);
  if (oldSuppressions.has(time.trim()))
    rejectField(record, 'time', [
      'old-suppression',
      `'${time}' is an obsolete form of suppression; a suppression has the indicator Y and no time.`,
    ]);
};

const hasCarrier = ({ carrier, operator }: MctSide): boolean => carrier !== '' || operator !== '';

const assertTime = (record: string, { suppression, minutes }: MctRecord, isStandard: boolean): void => {
  if (suppression === 'Y' && minutes !== undefined)
    rejectField(record, 'time', ['time-of-suppression', 'A suppression must not have a time.']);
  if (suppression === 'Y' && isStandard)
    rejectField(record, 'suppression', ['suppression-without-carrier', 'A suppression requires a carrier.']);
  const needsTime = suppression === '' || readText(record, fields.suppression.columns) === ' ';
  if (needsTime && minutes === undefined)
    rejectField(record, 'time', ['no-time', 'A record that is not a suppression requires a time.']);
};

/**
 * Parses a record 2 of 200 bytes. A blank suppression indicator in a record of a carrier with a time means N, the default of the
 * format: the record lifts a wider suppression. Throws a FeedError.
 */
export const parseMctRecord = (record: string, line: number): MctRecord => {
  rejectObsoleteForms(record);
  const [arrival, departure] = [parseRecordSide(record, 'arrival'), parseRecordSide(record, 'departure')];
  const isStandard = !hasCarrier(arrival) && !hasCarrier(departure);
  const status = readField(record, fields.status);
  if (status === undefined)
    return rejectField(record, 'status', ['bad-status', 'A record requires a status: DD, DI, ID or II.']);
  const parsed: MctRecord = {
    line,
    status,
    arrivalStation: readField(record, fields.arrivalStation) ?? '',
    departureStation: readField(record, fields.departureStation) ?? '',
    arrival,
    departure,
    from: readField(record, fields.from),
    to: readField(record, fields.to),
    suppression: readField(record, fields.suppression) ?? (isStandard ? '' : 'N'),
    suppressionStateCode: readField(record, fields.suppressionState) ?? '',
    suppressionCountryCode: readField(record, fields.suppressionCountry) ?? '',
    suppressionRegion: readField(record, fields.suppressionRegion) ?? '',
    minutes: readField(record, fields.time),
    submittedBy: readField(record, fields.submittedBy) ?? '',
  };
  readField(record, fields.action);
  assertTime(record, parsed, isStandard);
  const { from, to } = parsed;
  if (from !== undefined && to !== undefined && to < from)
    rejectField(record, 'to', ['bad-dates', 'The last date of the record is before its first date.']);
  if (parsed.suppressionStateCode !== '' && parsed.suppressionCountryCode === '')
    rejectField(record, 'suppressionState', ['state-without-country', 'A state requires a country.']);
  return parsed;
};
