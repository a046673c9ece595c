import type {
  MctRecord as WireRecord,
  MctSide as WireSide,
  MinimumConnectingTime,
} from '#generated/connections/v1/types.gen.ts';
import type { MctRecord, MctSide, MctStatus } from '#domain/connections/mct/mct-record.ts';
import { formatDate } from '#domain/time/dates.ts';

/** Returns a member with a text, or no member: absent criteria are not sent. */
const optionalText = <Name extends string>(name: Name, text: string): { readonly [N in Name]?: string } =>
  text === '' ? {} : ({ [name]: text } as { readonly [N in Name]?: string });

const toMctSide = (side: MctSide): WireSide => ({
  ...optionalText('carrier', side.carrier),
  ...((side.carrier !== '' || side.isCodeshare) && { codeshare: side.isCodeshare }),
  ...optionalText('operator', side.operator),
  ...(side.flights && { firstFlightNumber: side.flights.from, lastFlightNumber: side.flights.to }),
  ...optionalText('terminal', side.terminal),
  ...optionalText('station', side.station),
  ...optionalText('state', side.stateCode),
  ...optionalText('country', side.countryCode),
  ...optionalText('region', side.region),
  ...optionalText('aircraftType', side.equipment),
  ...(side.body !== '' && { aircraftBody: side.body }),
});

const hasNoCriteria = (side: MctSide): boolean => Object.keys(toMctSide(side)).length === 0;

/** Returns the wire form of an MCT record with all its criteria. */
export const toMctRecord = (record: MctRecord): WireRecord => ({
  line: record.line,
  ...optionalText('submittedBy', record.submittedBy),
  ...optionalText('arrivalStation', record.arrivalStation),
  ...optionalText('departureStation', record.departureStation),
  ...(!hasNoCriteria(record.arrival) && { arrival: toMctSide(record.arrival) }),
  ...(!hasNoCriteria(record.departure) && { departure: toMctSide(record.departure) }),
  ...(record.from !== undefined && { startDate: formatDate(record.from) }),
  ...(record.to !== undefined && { endDate: formatDate(record.to) }),
  ...optionalText('suppressionState', record.suppressionStateCode),
  ...optionalText('suppressionCountry', record.suppressionCountryCode),
  ...optionalText('suppressionRegion', record.suppressionRegion),
});

const toSource = (record: MctRecord | undefined): MinimumConnectingTime['source'] => {
  if (!record) return 'Default';
  const namesStation = record.arrivalStation !== '' || record.departureStation !== '';
  return namesStation && hasNoCriteria(record.arrival) && hasNoCriteria(record.departure)
    ? 'StationStandard'
    : 'Exception';
};

/** A minimum connecting time and the record it comes from; undefined for the default. */
export type Minimum = {
  readonly minutes: number;
  readonly status: MctStatus;
  readonly record: MctRecord | undefined;
};

/** Returns the wire form of a minimum connecting time. */
export const toMinimumConnectingTime = ({ minutes, status, record }: Minimum): MinimumConnectingTime => ({
  minutes,
  status,
  source: toSource(record),
  ...(record && { record: toMctRecord(record) }),
});
