import { operatesOn } from '#domain/time/period.ts';
import type { Company, LegEnd, ScheduleLeg } from '#domain/schedule/schedule.ts';
import { toPassengerMinutes } from '#domain/schedule/instances.ts';
import { findTrafficRestriction } from '#domain/schedule/traffic-restrictions.ts';
import type { ReportEntry } from '../load-report.ts';
import type { CarrierRecord } from './carrier-record.ts';
import { FeedError } from '../feed-error.ts';
import { readText, readValue, type Columns, type FieldFormat } from '../text/fixed-width.ts';
import * as formats from './field-formats.ts';
import { parseLegPeriod, resolveDateVariations } from './leg-dates.ts';
import type { RecordKey } from './record-key.ts';

/** A leg record, before its position among the legs of its flight is known. */
export type LegDraft = {
  readonly leg: ScheduleLeg;
  /** True when both date variations are blank: the leg may depart after the flight's origin date. */
  readonly isUndated: boolean;
};

export type LegContext = {
  readonly carrier: CarrierRecord;
  readonly line: number;
  /** Called for corrections and notices of a leg that is accepted. */
  readonly addRemark: (entry: ReportEntry) => void;
};

/** Adds a remark on the text in some columns of the record. */
type AddColumnRemark = (
  severity: ReportEntry['severity'],
  columns: Columns,
  [reason, message]: readonly [reason: string, message: string],
) => void;

/** Descriptive fields. An invalid value is left out and reported, and the leg is accepted without it. */
const descriptiveFields = {
  bookingClasses: { columns: [76, 95], pattern: /^[A-Z]*$/ },
  bookingModifiers: { columns: [96, 100], pattern: /^[A-Z ]*$/ },
  meals: { columns: [101, 110], pattern: /^[A-Z ]*$/ },
  secureFlight: { columns: [122, 122], pattern: /^[A-Z]?$/ },
  aircraftOwner: { columns: [129, 131], pattern: /^(?:X|(?=.*[A-Z])[A-Z0-9]{2,3})?$/ },
  cockpitCrew: { columns: [132, 134], pattern: /^(?:X|[A-Z0-9]{1,3})?$/ },
  cabinCrew: { columns: [135, 137], pattern: /^(?:X|[A-Z0-9]{1,3})?$/ },
} as const;

const isRestriction = (letter: string): boolean => letter === ' ' || findTrafficRestriction(letter) !== undefined;

const disclosureFormat: FieldFormat<ScheduleLeg['disclosure']> = {
  reason: 'bad-disclosure',
  description: 'an operating airline disclosure (L, S, X, Z or blank)',
  parse: (text) =>
    text === ' ' ? '' : text === 'L' || text === 'S' || text === 'X' || text === 'Z' ? text : undefined,
};

const parseMctStatus = (letter: string): LegEnd['mctStatus'] | undefined =>
  letter === ' ' ? '' : letter === 'D' || letter === 'I' ? letter : undefined;

const readTerminal = (record: string, columns: Columns): string => {
  const text = readText(record, columns).trim();
  return text === '0' ? '' : text;
};

/** Most legs name no company. Sharing these constants keeps the memory of large files small. */
const noCompany: Company = { code: '', name: '' };
const noCodes: readonly string[] = [];

const toCompany = (code: string): Company => (code === '' ? noCompany : { code, name: '' });

const isAcrossMidnight = (end: LegEnd): boolean => toPassengerMinutes(end) !== end.passengerMinutes;

const readDescriptive = (record: string, field: keyof typeof descriptiveFields, addRemark: AddColumnRemark): string => {
  const { columns, pattern } = descriptiveFields[field];
  const text = readText(record, columns).trimEnd();
  if (pattern.test(text)) return text;
  addRemark('corrected', columns, [`unreadable-${field}`, 'The value is invalid and was ignored.']);
  return '';
};

const readMctStatus = (record: string, column: number, addRemark: AddColumnRemark): LegEnd['mctStatus'] => {
  const status = parseMctStatus(readText(record, [column, column]));
  if (status !== undefined) return status;
  addRemark('corrected', [column, column], ['unreadable-mctStatus', 'The status is neither D nor I and was ignored.']);
  return '';
};

const readTrafficRestrictions = (record: string, addRemark: AddColumnRemark): string => {
  const restrictions = readText(record, [150, 160]).trimEnd();
  if (![...restrictions].every(isRestriction)) {
    const message = 'Unknown traffic restriction code; it was kept as filed.';
    addRemark('notice', [150, 160], ['unknown-restriction', message]);
  }
  return restrictions;
};

const readJointOperators = (record: string, addRemark: AddColumnRemark): readonly string[] => {
  const codes = [111, 114, 117].map((from) => readText(record, [from, from + 2]).trim()).filter((code) => code !== '');
  const operators = codes.filter((code) => /^[A-Z0-9]{2,3}$/.test(code));
  if (operators.length < codes.length) {
    const message = 'An airline designator is invalid and was ignored.';
    addRemark('corrected', [111, 119], ['unreadable-jointOperators', message]);
  }
  return operators.length === 0 ? noCodes : operators;
};

/** Reads the stations and times of both ends of a leg. */
const readTimes = (record: string) => ({
  departure: {
    station: readValue(record, [37, 39], formats.stationFormat),
    passengerMinutes: readValue(record, [40, 43], formats.departureTimeFormat),
    aircraftMinutes: readValue(record, [44, 47], formats.departureTimeFormat),
    utcVariationMinutes: readValue(record, [48, 52], formats.utcVariationFormat),
  },
  arrival: {
    station: readValue(record, [55, 57], formats.stationFormat),
    aircraftMinutes: readValue(record, [58, 61], formats.arrivalTimeFormat),
    passengerMinutes: readValue(record, [62, 65], formats.arrivalTimeFormat),
    utcVariationMinutes: readValue(record, [66, 70], formats.utcVariationFormat),
  },
});

/** Completes both ends of a leg with the dates that fit their times, and adds a remark on an inferred date. */
const completeEnds = (
  record: string,
  times: ReturnType<typeof readTimes> & Pick<ScheduleLeg, 'timeMode' | 'sequence'>,
  addRemark: AddColumnRemark,
): { readonly departure: LegEnd; readonly arrival: LegEnd; readonly isUndated: boolean } => {
  const dates = resolveDateVariations(record, times);
  if (dates.inferred) {
    const message = `Date variation is blank, but the times require another day; departure ${dates.departure} and arrival ${dates.arrival} were assumed.`;
    addRemark('corrected', [193, 194], [dates.inferred, message]);
  }
  return {
    departure: {
      ...times.departure,
      dateVariation: dates.departure,
      terminal: readTerminal(record, [53, 54]),
      mctStatus: readMctStatus(record, 120, addRemark),
    },
    arrival: {
      ...times.arrival,
      dateVariation: dates.arrival,
      terminal: readTerminal(record, [71, 72]),
      mctStatus: readMctStatus(record, 121, addRemark),
    },
    isUndated: dates.isUndated,
  };
};

/** Adds notices of unusual dates and times. */
const checkTimes = (
  { period, departure, arrival }: Pick<ScheduleLeg, 'period' | 'departure' | 'arrival'>,
  addRemark: AddColumnRemark,
): void => {
  if (period.everyWeeks === 2 && !operatesOn(period, period.from))
    addRemark(
      'notice',
      [15, 36],
      [
        'fortnight-start',
        'The first date of a period with frequency rate 2 is not a day of operation; alternate weeks were counted from it.',
      ],
    );
  if (arrival.aircraftMinutes === 0)
    addRemark('notice', [58, 61], ['arrival-at-0000', 'An arrival at midnight is filed as 0000 instead of 2400.']);
  const reason = 'passenger-time-another-day';
  if (isAcrossMidnight(departure))
    addRemark('notice', [40, 47], [reason, 'Passenger and aircraft departure times are on different days.']);
  if (isAcrossMidnight(arrival))
    addRemark('notice', [58, 65], [reason, 'Passenger and aircraft arrival times are on different days.']);
};

/** Parses a record 3 of 200 bytes whose key is already parsed. Throws a FeedError when the leg cannot be accepted. */
export const parseLegRecord = (record: string, key: RecordKey, context: LegContext): LegDraft => {
  const { carrier, line } = context;
  if (key.carrier !== carrier.carrier) {
    const message = `The leg of '${key.carrier}' is in the records of '${carrier.carrier}'.`;
    throw new FeedError(message, { bytes: [3, 5], value: key.carrier, reason: 'other-carrier' });
  }
  const addRemark: AddColumnRemark = (severity, columns, [reason, message]) =>
    context.addRemark({ severity, line, bytes: columns, value: readText(record, columns), reason, message });
  const period = parseLegPeriod(record, carrier);
  const { timeMode } = carrier;
  const times = readTimes(record);
  const equipment = readValue(record, [73, 75], formats.equipmentFormat);
  const disclosure = readValue(record, [149, 149], disclosureFormat);
  const ends = completeEnds(record, { ...times, timeMode, sequence: key.sequence }, addRemark);
  const { departure, arrival, isUndated } = ends;
  checkTimes({ period, departure, arrival }, addRemark);
  const trafficRestrictions = readTrafficRestrictions(record, addRemark);
  const jointOperators = readJointOperators(record, addRemark);
  const leg: ScheduleLeg = {
    carrier: key.carrier,
    flightNumber: key.flightNumber,
    suffix: key.suffix,
    line,
    itinerary: key.itinerary,
    sequence: key.sequence,
    serviceType: key.serviceType,
    timeMode,
    period,
    departure,
    arrival,
    equipment,
    bookingClasses: readDescriptive(record, 'bookingClasses', addRemark),
    bookingModifiers: readDescriptive(record, 'bookingModifiers', addRemark),
    meals: readDescriptive(record, 'meals', addRemark),
    jointOperators,
    secureFlight: readDescriptive(record, 'secureFlight', addRemark),
    aircraftOwner: toCompany(readDescriptive(record, 'aircraftOwner', addRemark)),
    cockpitCrew: toCompany(readDescriptive(record, 'cockpitCrew', addRemark)),
    cabinCrew: toCompany(readDescriptive(record, 'cabinCrew', addRemark)),
    disclosure,
    trafficRestrictions,
    configuration: readText(record, [173, 192]).trim(),
    electronicTicketing: carrier.electronicTicketing,
    inFlightServices: carrier.inFlightServices,
  };
  return { leg, isUndated };
};
