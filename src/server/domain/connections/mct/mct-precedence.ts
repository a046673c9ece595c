import type { MctRecord, MctSide } from './mct-record.ts';
import { SCHENGEN } from './region-countries.ts';

/** The criteria of a record, the most specific first (SSIM chapter 8; docs/reference/connection-rules.md). */
const precedenceSteps: readonly ((record: MctRecord) => boolean)[] = [
  ({ departure }) => departure.isCodeshare,
  ({ departure }) => departure.carrier !== '',
  ({ departure }) => departure.operator !== '',
  ({ arrival }) => arrival.isCodeshare,
  ({ arrival }) => arrival.carrier !== '',
  ({ arrival }) => arrival.operator !== '',
  ({ departure }) => departure.flights !== undefined,
  ({ arrival }) => arrival.flights !== undefined,
  ({ departure }) => departure.terminal !== '',
  ({ arrival }) => arrival.terminal !== '',
  ({ departure }) => departure.station !== '',
  ({ arrival }) => arrival.station !== '',
  ({ departure }) => departure.stateCode !== '',
  ({ arrival }) => arrival.stateCode !== '',
  ({ departure }) => departure.countryCode !== '',
  ({ arrival }) => arrival.countryCode !== '',
  ({ departure }) => departure.region !== '',
  ({ arrival }) => arrival.region !== '',
  ({ departure }) => departure.equipment !== '',
  ({ arrival }) => arrival.equipment !== '',
  ({ departure }) => departure.body !== '',
  ({ arrival }) => arrival.body !== '',
  ({ from }) => from !== undefined,
  ({ to }) => to !== undefined,
  ({ departureStation }) => departureStation !== '',
  ({ arrivalStation }) => arrivalStation !== '',
  ({ suppressionStateCode }) => suppressionStateCode !== '',
  ({ suppressionCountryCode }) => suppressionCountryCode !== '',
  ({ suppressionRegion }) => suppressionRegion !== '',
];

/** The specificity of a record: one bit for each of 29 criteria; the greater number wins. */
const computeSpecificity = (record: MctRecord): number => {
  let bits = 0;
  for (const isSet of precedenceSteps) bits = bits * 2 + (isSet(record) ? 1 : 0);
  return bits;
};

const computeRangeWidth = ({ flights }: MctSide): number => (flights === undefined ? 0 : flights.to - flights.from);

/** One bit for each Schengen region: of the next station, the previous station, the suppression. */
const encodeSchengen = ({ departure, arrival, suppressionRegion }: MctRecord): number =>
  (departure.region === SCHENGEN ? 4 : 0) +
  (arrival.region === SCHENGEN ? 2 : 0) +
  (suppressionRegion === SCHENGEN ? 1 : 0);

/** Sorts records by precedence, the winning one first; only records of equal line are equal. */
export const sortByPrecedence = (records: readonly MctRecord[]): readonly MctRecord[] =>
  records
    .map((record) => ({
      record,
      specificity: computeSpecificity(record),
      departureWidth: computeRangeWidth(record.departure),
      arrivalWidth: computeRangeWidth(record.arrival),
      schengen: encodeSchengen(record),
    }))
    .toSorted(
      (one, other) =>
        other.specificity - one.specificity ||
        one.departureWidth - other.departureWidth ||
        one.arrivalWidth - other.arrivalWidth ||
        other.schengen - one.schengen ||
        other.record.line - one.record.line,
    )
    .map(({ record }) => record);
