import type {
  MctRecord as WireRecord,
  MctSide as WireSide,
  MinimumConnectingTime,
} from '../../../../generated/connections/v1/types.gen.ts';
import type { MctRecord, MctSide, MctStatus } from '../../../domain/connections/mct/mct-record.ts';
import { formatDate } from '../../../domain/time/dates.ts';

/** A text under its name, and nothing where there is none: what is not asked for is absent on this wire. */
const told = <Name extends string>(name: Name, text: string): { readonly [N in Name]?: string } =>
  text === '' ? {} : ({ [name]: text } as { readonly [N in Name]?: string });

const showSide = (side: MctSide): WireSide => ({
  ...(side.carrier !== '' && { carrier: side.carrier, codeshare: side.isCodeshare }),
  ...told('operator', side.operator),
  ...(side.flights && { firstFlightNumber: side.flights.from, lastFlightNumber: side.flights.to }),
  ...told('terminal', side.terminal),
  ...told('station', side.station),
  ...told('state', side.stateCode),
  ...told('country', side.countryCode),
  ...told('region', side.region),
  ...told('aircraftType', side.equipment),
  ...(side.body !== '' && { aircraftBody: side.body }),
});

const asksNothing = (side: MctSide): boolean => Object.keys(showSide(side)).length === 0;

/** A record of the file with everything it asks for. */
export const showMctRecord = (record: MctRecord): WireRecord => ({
  line: record.line,
  ...told('submittedBy', record.submittedBy),
  ...told('arrivalStation', record.arrivalStation),
  ...told('departureStation', record.departureStation),
  ...(!asksNothing(record.arrival) && { arrival: showSide(record.arrival) }),
  ...(!asksNothing(record.departure) && { departure: showSide(record.departure) }),
  ...(record.from !== undefined && { startDate: formatDate(record.from) }),
  ...(record.to !== undefined && { endDate: formatDate(record.to) }),
  ...told('suppressionState', record.suppressionStateCode),
  ...told('suppressionCountry', record.suppressionCountryCode),
  ...told('suppressionRegion', record.suppressionRegion),
});

const sourceOf = (record: MctRecord | undefined): MinimumConnectingTime['source'] => {
  if (!record) return 'Default';
  const namesStation = record.arrivalStation !== '' || record.departureStation !== '';
  return namesStation && asksNothing(record.arrival) && asksNothing(record.departure) ? 'StationStandard' : 'Exception';
};

/** Where the minutes come from, and how many they are. */
export type Minimum = {
  readonly minutes: number;
  readonly status: MctStatus;
  readonly record: MctRecord | undefined;
};

/** The minimum connecting time of a pair of flights. */
export const showMinimum = ({ minutes, status, record }: Minimum): MinimumConnectingTime => ({
  minutes,
  status,
  source: sourceOf(record),
  ...(record && { record: showMctRecord(record) }),
});
