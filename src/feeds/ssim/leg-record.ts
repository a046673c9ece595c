import { operatesOn } from '../../domain/time/period.ts';
import type { Company, LegEnd, ScheduleLeg } from '../../domain/schedule/schedule.ts';
import { passengerMinutesOf } from '../../domain/schedule/passenger-minutes.ts';
import { trafficRestrictionOf } from '../../domain/schedule/traffic-restrictions.ts';
import type { ReportEntry } from '../load-report.ts';
import type { CarrierRecord } from './carrier-record.ts';
import { FeedError } from '../feed-error.ts';
import * as kinds from './field-formats.ts';
import { readLegPeriod, resolveDateVariations } from './leg-dates.ts';
import type { RecordKey } from './record-key.ts';

/** A leg as read, before its place among the legs of its flight is known. */
export type LegDraft = {
  readonly leg: ScheduleLeg;
  /** The record names no date variation at all: the leg may still turn out to depart after the flight's origin date. */
  readonly undated: boolean;
};

export type LegContext = {
  readonly carrier: CarrierRecord;
  readonly line: number;
  /** Told of what was mended or is odd; the leg stands. */
  readonly remark: (entry: ReportEntry) => void;
};

/** Descriptive fields: a value of another shape is left out and reported, and the leg stands without it. */
const descriptive = {
  bookingClasses: { columns: [76, 95], pattern: /^[A-Z]*$/ },
  bookingModifiers: { columns: [96, 100], pattern: /^[A-Z ]*$/ },
  meals: { columns: [101, 110], pattern: /^[A-Z ]*$/ },
  secureFlight: { columns: [122, 122], pattern: /^[A-Z]?$/ },
  aircraftOwner: { columns: [129, 131], pattern: /^(?:X|(?=.*[A-Z])[A-Z0-9]{2,3})?$/ },
  cockpitCrew: { columns: [132, 134], pattern: /^(?:X|[A-Z0-9]{1,3})?$/ },
  cabinCrew: { columns: [135, 137], pattern: /^(?:X|[A-Z0-9]{1,3})?$/ },
} as const;

const isRestriction = (letter: string): boolean => letter === ' ' || trafficRestrictionOf(letter) !== undefined;

const disclosure: kinds.Kind<ScheduleLeg['disclosure']> = {
  reason: 'bad-disclosure',
  is: 'an operating airline disclosure (L, S, X, Z or blank)',
  read: (text) => (text === ' ' ? '' : text === 'L' || text === 'S' || text === 'X' || text === 'Z' ? text : undefined),
};

const mctStatus = (letter: string): LegEnd['mctStatus'] | undefined =>
  letter === ' ' ? '' : letter === 'D' || letter === 'I' ? letter : undefined;

const terminalAt = (record: string, columns: kinds.Columns): string => {
  const text = kinds.textAt(record, columns).trim();
  return text === '0' ? '' : text;
};

/** Most legs name no company; they share this one, as they share the texts below, so that a large file stays small in memory. */
const nobody: Company = { code: '', name: '' };
const nothing: readonly string[] = [];

const companyOf = (code: string): Company => (code === '' ? nobody : { code, name: '' });

const straddlesMidnight = (end: LegEnd): boolean => passengerMinutesOf(end) !== end.passengerMinutes;

/** Reads a record 3 of 200 bytes whose key is read already. Throws a FeedError when the leg cannot be taken. */
export const readLeg = (record: string, key: RecordKey, { carrier, line, remark }: LegContext): LegDraft => {
  if (key.carrier !== carrier.carrier) {
    const message = `The leg of '${key.carrier}' stands among the legs of '${carrier.carrier}'.`;
    throw new FeedError(message, { bytes: [3, 5], value: key.carrier, reason: 'other-carrier' });
  }
  const period = readLegPeriod(record, carrier);
  const ends = {
    departure: {
      station: kinds.valueAt(record, [37, 39], kinds.station),
      passengerMinutes: kinds.valueAt(record, [40, 43], kinds.departureTime),
      aircraftMinutes: kinds.valueAt(record, [44, 47], kinds.departureTime),
      utcVariationMinutes: kinds.valueAt(record, [48, 52], kinds.utcVariation),
    },
    arrival: {
      station: kinds.valueAt(record, [55, 57], kinds.station),
      aircraftMinutes: kinds.valueAt(record, [58, 61], kinds.arrivalTime),
      passengerMinutes: kinds.valueAt(record, [62, 65], kinds.arrivalTime),
      utcVariationMinutes: kinds.valueAt(record, [66, 70], kinds.utcVariation),
    },
  };
  const equipment = kinds.valueAt(record, [73, 75], kinds.equipment);
  const disclosed = kinds.valueAt(record, [149, 149], disclosure);
  const dates = resolveDateVariations(record, { ...ends, timeMode: carrier.timeMode, sequence: key.sequence });

  const say = (
    severity: ReportEntry['severity'],
    columns: kinds.Columns,
    [reason, message]: readonly [string, string],
  ): void => remark({ severity, line, bytes: columns, value: kinds.textAt(record, columns), reason, message });
  const describe = (field: keyof typeof descriptive): string => {
    const { columns, pattern } = descriptive[field];
    const text = kinds.textAt(record, columns).trimEnd();
    if (pattern.test(text)) return text;
    say('corrected', columns, [`unreadable-${field}`, 'The value cannot be read and is left out.']);
    return '';
  };
  const mct = (column: number): LegEnd['mctStatus'] => {
    const status = mctStatus(kinds.textAt(record, [column, column]));
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
    terminal: terminalAt(record, [53, 54]),
    mctStatus: mct(120),
  };
  const arrival: LegEnd = {
    ...ends.arrival,
    dateVariation: dates.arrival,
    terminal: terminalAt(record, [71, 72]),
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
  if (straddlesMidnight(departure))
    say('notice', [40, 47], ['passenger-time-another-day', 'Passengers and aircraft depart on two sides of midnight.']);
  if (straddlesMidnight(arrival))
    say('notice', [58, 65], ['passenger-time-another-day', 'Passengers and aircraft arrive on two sides of midnight.']);

  const trafficRestrictions = kinds.textAt(record, [150, 160]).trimEnd();
  if (![...trafficRestrictions].every(isRestriction))
    say(
      'notice',
      [150, 160],
      ['unknown-restriction', 'A traffic restriction code is not in use; it is kept as filed.'],
    );
  const joint = [111, 114, 117]
    .map((from) => kinds.textAt(record, [from, from + 2]).trim())
    .filter((code) => code !== '');
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
    jointOperators: jointOperators.length === 0 ? nothing : jointOperators,
    secureFlight: describe('secureFlight'),
    aircraftOwner: companyOf(describe('aircraftOwner')),
    cockpitCrew: companyOf(describe('cockpitCrew')),
    cabinCrew: companyOf(describe('cabinCrew')),
    disclosure: disclosed,
    trafficRestrictions,
    configuration: kinds.textAt(record, [173, 192]).trim(),
    electronicTicketing: carrier.electronicTicketing,
    inFlightServices: carrier.inFlightServices,
  };
  return { leg, undated: dates.undated };
};
