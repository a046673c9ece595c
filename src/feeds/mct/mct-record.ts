import type { MctRecord, MctSide } from '../../domain/connections/mct/mct-record.ts';
import * as ssim from '../ssim/field-formats.ts';
import { readText } from '../text/fixed-width.ts';
import * as kinds from './field-formats.ts';
import { readField, RecordError } from './field-formats.ts';
import { parseRecordSide } from './mct-record-side.ts';

/** Byte columns of a record, 1-based and inclusive, and what they hold (SSIM chapter 8, record type 2); those of its sides: read-side.ts. */
const fields = {
  arrivalStation: { name: 'arrival station', columns: [2, 4], kind: ssim.station },
  time: { name: 'time', columns: [5, 8], kind: kinds.time },
  status: { name: 'status', columns: [9, 10], kind: kinds.status },
  departureStation: { name: 'departure station', columns: [11, 13], kind: ssim.station },
  from: { name: 'first date', columns: [72, 78], kind: ssim.date },
  to: { name: 'last date', columns: [79, 85], kind: ssim.date },
  suppression: { name: 'suppression', columns: [87, 87], kind: kinds.suppression },
  suppressionRegion: { name: 'suppression region', columns: [88, 90], kind: kinds.region },
  suppressionCountry: { name: 'suppression country', columns: [91, 92], kind: kinds.country },
  suppressionState: { name: 'suppression state', columns: [93, 94], kind: kinds.state },
  submittedBy: { name: 'submitting carrier', columns: [95, 96], kind: kinds.carrier },
  action: { name: 'action', columns: [104, 104], kind: kinds.action },
} as const;

type FieldName = keyof typeof fields;

const rejectField = (record: string, field: FieldName, [reason, message]: readonly [string, string]): never => {
  const { name, columns } = fields[field];
  throw new RecordError({ field: name, columns, value: readText(record, columns), reason, message });
};

const anyStation = '***';
/** How connections were forbidden before there was an indicator: 999 minutes, 19 hours and 59 minutes. */
const oldSuppressions: ReadonlySet<string> = new Set(['999', '0999', '1959']);

/** What was written otherwise in former times, or by some senders, is told apart from what is merely wrong. */
const rejectObsoleteForms = (record: string): void => {
  for (const field of ['arrivalStation', 'departureStation'] as const)
    if (readText(record, fields[field].columns) === anyStation)
      rejectField(record, field, [
        'default-of-all-stations',
        "'***' stands for all stations: such defaults are set where connections are built, not read from the file.",
      ]);
  const time = readText(record, fields.time.columns);
  if (oldSuppressions.has(time.trim()))
    rejectField(record, 'time', [
      'old-suppression',
      `'${time}' is the old way to forbid a connection: a suppression has the indicator Y and no time.`,
    ]);
};

const hasCarrier = ({ carrier, operator }: MctSide): boolean => carrier !== '' || operator !== '';

const assertTime = (record: string, { suppression, minutes }: MctRecord, isStandard: boolean): void => {
  if (suppression === 'Y' && minutes !== undefined)
    rejectField(record, 'time', ['time-of-suppression', 'A suppression has no time.']);
  if (suppression === 'Y' && isStandard)
    rejectField(record, 'suppression', ['suppression-without-carrier', 'A suppression names a carrier.']);
  const needsTime = suppression === '' || readText(record, fields.suppression.columns) === ' ';
  if (needsTime && minutes === undefined)
    rejectField(record, 'time', ['no-time', 'A record that is no suppression has a time.']);
};

/**
 * Reads a record 2 of 200 bytes. A carrier's record with a time that says neither Y nor N is one with N, the value that the format
 * takes for granted: it lifts a wider suppression. Throws a RecordError.
 */
export const parseMctRecord = (record: string, line: number): MctRecord => {
  rejectObsoleteForms(record);
  const [arrival, departure] = [parseRecordSide(record, 'arrival'), parseRecordSide(record, 'departure')];
  const isStandard = !hasCarrier(arrival) && !hasCarrier(departure);
  const status = readField(record, fields.status);
  if (status === undefined)
    return rejectField(record, 'status', ['bad-status', 'A record has a status: DD, DI, ID or II.']);
  const found: MctRecord = {
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
  assertTime(record, found, isStandard);
  const { from, to } = found;
  if (from !== undefined && to !== undefined && to < from)
    rejectField(record, 'to', ['bad-dates', 'The record ends before it begins.']);
  if (found.suppressionStateCode !== '' && found.suppressionCountryCode === '')
    rejectField(record, 'suppressionState', ['state-without-country', 'A state needs its country.']);
  return found;
};
