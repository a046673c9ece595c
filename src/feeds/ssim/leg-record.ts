import { operatesOn } from '../../domain/time/period.ts';
import type { Company, LegEnd, ScheduleLeg } from '../../domain/schedule/schedule.ts';
import { passengerMinutesOf } from '../../domain/schedule/passenger-minutes.ts';
import { trafficRestrictionOf } from '../../domain/schedule/traffic-restrictions.ts';
import type { ReportEntry } from '../load-report.ts';
import type { CarrierRecord } from './carrier-record.ts';
import { FeedError } from '../feed-error.ts';
import { readText, readValue, type Columns, type FieldFormat } from '../text/fixed-width.ts';
import * as formats from './field-formats.ts';
import { parseLegPeriod, resolveDateVariations } from './leg-dates.ts';
import type { RecordKey } from './record-key.ts';

/** A leg as read, before its place among the legs of its flight is known. */
export type LegDraft = {
  readonly leg: ScheduleLeg;
  /** The record names no date variation at all: the leg may still turn out to depart after the flight's origin date. */
  readonly isUndated: boolean;
};

export type LegContext = {
  readonly carrier: CarrierRecord;
  readonly line: number;
  /** Told of what was mended or is odd; the leg stands. */
  readonly remark: (entry: ReportEntry) => void;
};

/** Descriptive fields: a value of another shape is left out and reported, and the leg stands without it. */
const descriptiveFields = {
  bookingClasses: { columns: [76, 95], pattern: /^[A-Z]*$/ },
  bookingModifiers: { columns: [96, 100], pattern: /^[A-Z ]*$/ },
  meals: { columns: [101, 110], pattern: /^[A-Z ]*$/ },
  secureFlight: { columns: [122, 122], pattern: /^[A-Z]?$/ },
  aircraftOwner: { columns: [129, 131], pattern: /^(?:X|(?=.*[A-Z])[A-Z0-9]{2,3})?$/ },
  cockpitCrew: { columns: [132, 134], pattern: /^(?:X|[A-Z0-9]{1,3})?$/ },
  cabinCrew: { columns: [135, 137], pattern: /^(?:X|[A-Z0-9]{1,3})?$/ },
} as const;

const isRestriction = (letter: string): boolean => letter === ' ' || trafficRestrictionOf(letter) !== undefined;

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

/** Most legs name no company; they share this one, as they share the texts below, so that a large file stays small in memory. */
const noCompany: Company = { code: '', name: '' };
const noCodes: readonly string[] = [];

const toCompany = (code: string): Company => (code === '' ? noCompany : { code, name: '' });

const isAcrossMidnight = (end: LegEnd): boolean => passengerMinutesOf(end) !== end.passengerMinutes;

/** Reads a record 3 of 200 bytes whose key is read already. Throws a FeedError when the leg cannot be taken. */
export const parseLegRecord = (record: string, key: RecordKey, { carrier, line, remark }: LegContext): LegDraft => {
  if (key.carrier !== carrier.carrier) {
    const message = `The leg of '${key.carrier}' stands among the legs of '${carrier.carrier}'.`;
    throw new FeedError(message, { bytes: [3, 5], value: key.carrier, reason: 'other-carrier' });
  }
  const period = parseLegPeriod(record, carrier);
  const ends = {
    departure: {
      station: readValue(record, [37, 39], formats.station),
      passengerMinutes: readValue(record, [40, 43], formats.departureTime),
      aircraftMinutes: readValue(record, [44, 47], formats.departureTime),
      utcVariationMinutes: readValue(record, [48, 52], formats.utcVariation),
    },
    arrival: {
      station: readValue(record, [55, 57], formats.station),
      aircraftMinutes: readValue(record, [58, 61], formats.arrivalTime),
      passengerMinutes: readValue(record, [62, 65], formats.arrivalTime),
      utcVariationMinutes: readValue(record, [66, 70], formats.utcVariation),
    },
  };
  const equipment = readValue(record, [73, 75], formats.equipment);
  const disclosed = readValue(record, [149, 149], disclosureFormat);
  const dates = resolveDateVariations(record, { ...ends, timeMode: carrier.timeMode, sequence: key.sequence });

  const say = (
    severity: ReportEntry['severity'],
    columns: Columns,
    [reason, message]: readonly [string, string],
  ): void => remark({ severity, line, bytes: columns, value: readText(record, columns), reason, message });
  const describe = (field: keyof typeof descriptiveFields): string => {
    const { columns, pattern } = descriptiveFields[field];
    const text = readText(record, columns).trimEnd();
    if (pattern.test(text)) return text;
    say('corrected', columns, [`unreadable-${field}`, 'The value cannot be read and is left out.']);
    return '';
  };
  const mct = (column: number): LegEnd['mctStatus'] => {
    const status = parseMctStatus(readText(record, [column, column]));
    if (status === undefined)
      say('corrected', [column, column], ['unreadable-mctStatus', 'The status is neither D nor I and is left out.']);
    return status ?? '';
  };
  if (dates.inferred)
    say(
      'corrected',
      [193, 194],
      [dates.inferred, 'The times need another day than the blank date variation tells; the one that fits is taken.'],
    );

  const departure: LegEnd = {
    ...ends.departure,
    dateVariation: dates.departure,
    terminal: readTerminal(record, [53, 54]),
    mctStatus: mct(120),
  };
  const arrival: LegEnd = {
    ...ends.arrival,
    dateVariation: dates.arrival,
    terminal: readTerminal(record, [71, 72]),
    mctStatus: mct(121),
  };
  if (period.everyWeeks === 2 && !operatesOn(period, period.from))
    say(
      'notice',
      [15, 36],
      [
        'fortnight-start',
        'The first date of an every-other-week period is no date of operation; its week is counted from all the same.',
      ],
    );
  if (ends.arrival.aircraftMinutes === 0)
    say('notice', [58, 61], ['arrival-at-0000', 'An arrival at midnight is filed as 0000 and not as 2400.']);
  if (isAcrossMidnight(departure))
    say('notice', [40, 47], ['passenger-time-another-day', 'Passengers and aircraft depart on two sides of midnight.']);
  if (isAcrossMidnight(arrival))
    say('notice', [58, 65], ['passenger-time-another-day', 'Passengers and aircraft arrive on two sides of midnight.']);

  const trafficRestrictions = readText(record, [150, 160]).trimEnd();
  if (![...trafficRestrictions].every(isRestriction))
    say(
      'notice',
      [150, 160],
      ['unknown-restriction', 'A traffic restriction code is not in use; it is kept as filed.'],
    );
  const joint = [111, 114, 117].map((from) => readText(record, [from, from + 2]).trim()).filter((code) => code !== '');
  const jointOperators = joint.filter((code) => /^[A-Z0-9]{2,3}$/.test(code));
  if (jointOperators.length < joint.length)
    say(
      'corrected',
      [111, 119],
      ['unreadable-jointOperators', 'An airline designator cannot be read and is left out.'],
    );

  const leg: ScheduleLeg = {
    carrier: key.carrier,
    flightNumber: key.flightNumber,
    suffix: key.suffix,
    line,
    itinerary: key.itinerary,
    sequence: key.sequence,
    serviceType: key.serviceType,
    timeMode: carrier.timeMode,
    period,
    departure,
    arrival,
    equipment,
    bookingClasses: describe('bookingClasses'),
    bookingModifiers: describe('bookingModifiers'),
    meals: describe('meals'),
    jointOperators: jointOperators.length === 0 ? noCodes : jointOperators,
    secureFlight: describe('secureFlight'),
    aircraftOwner: toCompany(describe('aircraftOwner')),
    cockpitCrew: toCompany(describe('cockpitCrew')),
    cabinCrew: toCompany(describe('cabinCrew')),
    disclosure: disclosed,
    trafficRestrictions,
    configuration: readText(record, [173, 192]).trim(),
    electronicTicketing: carrier.electronicTicketing,
    inFlightServices: carrier.inFlightServices,
  };
  return { leg, isUndated: dates.isUndated };
};
