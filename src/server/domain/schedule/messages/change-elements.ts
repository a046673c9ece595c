import { dataElements as dei } from '../data-elements.ts';
import type { Company, Itinerary, ScheduleLeg, SegmentData } from '../schedule.ts';
import { parseCompany } from '../segment-data.ts';
import { formatMealNote } from '../segments.ts';
import { AmendmentError } from './amendment-error.ts';
import type { Variation } from './flight-schedule.ts';
import type { MessageElement } from './schedule-message.ts';

type Content = Pick<Variation, 'legs' | 'segmentData'>;

const noCompany: Company = { code: '', name: '' };

/** X is a company without a designator: elements 113 to 115 and 127 have its name. */
const UNNAMED_COMPANY = 'X';
const toCompany = (text: string | undefined): Company =>
  text === undefined || text.trim() === UNNAMED_COMPANY ? noCompany : parseCompany(text);

type LegPatch = (leg: ScheduleLeg, value: string | undefined) => ScheduleLeg;

const splitCodes = (value: string | undefined): readonly string[] =>
  (value ?? '')
    .split('/')
    .map((code) => code.trim())
    .filter((code) => code !== '');

const setTerminal = (leg: ScheduleLeg, end: 'departure' | 'arrival', value: string | undefined): ScheduleLeg => ({
  ...leg,
  [end]: { ...leg[end], terminal: value === undefined || value.trim() === '0' ? '' : value.trim() },
});

/** The elements that are fields of a leg. All others are stored as segment data. */
const legElements: Readonly<Record<number, LegPatch>> = {
  1: (leg, value) => ({ ...leg, jointOperators: splitCodes(value) }),
  2: (leg, value) => ({ ...leg, disclosure: value === undefined ? '' : 'Z' }),
  3: (leg, value) => ({ ...leg, aircraftOwner: toCompany(value) }),
  4: (leg, value) => ({ ...leg, cockpitCrew: toCompany(value) }),
  5: (leg, value) => ({ ...leg, cabinCrew: toCompany(value) }),
  7: (leg, value) => ({ ...leg, meals: value === undefined ? '' : formatMealNote(value, leg.bookingClasses) }),
  9: (leg, value) => ({ ...leg, disclosure: value === undefined ? '' : 'X' }),
  [dei.aircraftOwner]: (leg, value) => ({ ...leg, aircraftOwner: toCompany(value) }),
  [dei.cockpitCrew]: (leg, value) => ({ ...leg, cockpitCrew: toCompany(value) }),
  [dei.cabinCrew]: (leg, value) => ({ ...leg, cabinCrew: toCompany(value) }),
  [dei.arrivalTerminal]: (leg, value) => setTerminal(leg, 'arrival', value),
  [dei.departureTerminal]: (leg, value) => setTerminal(leg, 'departure', value),
  [dei.electronicTicketing]: (leg, value) => ({
    ...leg,
    electronicTicketing: value === 'ET' ? true : value === 'EN' ? false : undefined,
  }),
  [dei.inFlightServices]: (leg, value) => ({ ...leg, inFlightServices: splitCodes(value) }),
  [dei.secureFlight]: (leg, value) => ({ ...leg, secureFlight: value?.trim() ?? '' }),
};

/** The operator of elements 2 and 9 is in element 127 of a schedule record. */
const disclosureElements: ReadonlySet<number> = new Set([2, 9]);

const setSegmentData = (all: readonly SegmentData[], element: MessageElement): readonly SegmentData[] => {
  const { dei: number, value, boardStation, offStation } = element;
  const kept = all.filter(
    (data) =>
      data.dei !== number ||
      (boardStation !== '' && data.boardStation !== boardStation) ||
      (offStation !== '' && data.offStation !== offStation),
  );
  if (value === undefined) return kept;
  return [...kept, { dei: number, boardStation, offStation, boardIndex: -1, offIndex: -1, data: value, line: 0 }];
};

const assertPair = (legs: Itinerary['legs'], { boardStation, offStation, dei: number }: MessageElement): void => {
  const board = legs.findIndex(({ departure }) => boardStation === '' || departure.station === boardStation);
  const off = legs.findLastIndex(({ arrival }) => offStation === '' || arrival.station === offStation);
  if (board >= 0 && off >= board) return;
  throw new AmendmentError('The flight has no such pair of stations.', {
    reason: 'no-such-segment',
    field: `element ${number}`,
    value: `${boardStation}${offStation}`,
  });
};

const setElement = ({ legs, segmentData }: Content, element: MessageElement): Content => {
  assertPair(legs, element);
  const { dei: number, value, boardStation, offStation } = element;
  const patch = legElements[number];
  const applies = ({ departure, arrival }: ScheduleLeg): boolean =>
    (boardStation === '' || departure.station === boardStation) &&
    (offStation === '' || arrival.station === offStation);
  if (!patch || !legs.some(applies)) return { legs, segmentData: setSegmentData(segmentData, element) };
  const [first, ...rest] = legs.map((leg) => (applies(leg) ? patch(leg, value) : leg));
  if (!first) return { legs, segmentData };
  const operatorCode = value === UNNAMED_COMPANY ? undefined : value;
  const operator = disclosureElements.has(number)
    ? { ...element, dei: dei.operatingAirline, value: operatorCode }
    : undefined;
  // Older data of the same element would override the field.
  const without = setSegmentData(segmentData, { ...element, value: undefined });
  return { legs: [first, ...rest], segmentData: operator ? setSegmentData(without, operator) : without };
};

/** Sets and deletes data elements. Throws an AmendmentError for a pair of stations that the flight does not have. */
export const changeElements = (content: Content, elements: readonly MessageElement[]): Content =>
  elements.reduce(setElement, content);
