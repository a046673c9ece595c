import { dataElements, isKnownElement, isPrivateElement } from '#domain/schedule/data-elements.ts';
import { parseFlightReferences } from '#domain/schedule/designators.ts';
import type { SegmentData } from '#domain/schedule/schedule.ts';
import { FeedError } from '../feed-error.ts';
import type { ReportEntry } from '../load-report.ts';
import { readText, readValue, type Columns } from '../text/fixed-width.ts';
import * as formats from './field-formats.ts';

/** Parses the point indicators: A is the first station of the flight, B the second. `XX` leaves both open. */
const parseIndicators = (record: string): readonly [number, number] => {
  const text = readText(record, [29, 30]);
  if (text === 'XX') return [-1, -1];
  const board = text.charCodeAt(0) - 65;
  const off = text.charCodeAt(1) - 65;
  if (/^[A-Z]{2}$/.test(text) && board < off) return [board, off];
  const message = `'${text}' must be a pair of point indicators: two letters in order, or XX.`;
  throw new FeedError(message, { bytes: [29, 30], value: text, reason: 'bad-indicator' });
};

const parseStation = (record: string, columns: Columns): string => {
  const station = readValue(record, columns, formats.stationFormat);
  return station === 'QQQ' ? '' : station;
};

const assertFlightReferences = ({ dei, data }: SegmentData): void => {
  if (dei !== dataElements.marketingFlights && dei !== dataElements.operatingFlight) return;
  if (parseFlightReferences(data) !== undefined) return;
  throw new FeedError('The list of flights is invalid.', {
    bytes: [40, 194],
    value: data,
    reason: 'bad-flight-reference',
  });
};

/**
 * Parses a record 4 of 200 bytes whose key is already parsed. Returns undefined when the element is private to the parties of the
 * feed. Throws a FeedError.
 */
export const parseSegmentRecord = (
  record: string,
  line: number,
  addRemark: (entry: ReportEntry) => void,
): SegmentData | undefined => {
  const dei = readValue(record, [31, 33], formats.dataElementFormat);
  if (isPrivateElement(dei)) return undefined;
  const [boardIndex, offIndex] = parseIndicators(record);
  const boardStation = parseStation(record, [34, 36]);
  const offStation = parseStation(record, [37, 39]);
  const data: SegmentData = {
    dei,
    boardStation,
    offStation,
    boardIndex,
    offIndex,
    data: readText(record, [40, 194]).trimEnd(),
    line,
  };
  assertFlightReferences(data);
  if (!isKnownElement(dei)) {
    const value = readText(record, [31, 33]);
    addRemark({
      severity: 'notice',
      line,
      bytes: [31, 33],
      value,
      reason: 'unknown-data-element',
      message: 'Unknown data element; its data were kept as filed.',
    });
  }
  if (boardIndex === -1)
    addRemark({
      severity: 'notice',
      line,
      bytes: [29, 30],
      value: 'XX',
      reason: 'open-indicators',
      message: 'The points are given by station only.',
    });
  if (boardStation === '' || offStation === '') {
    const value = readText(record, [34, 39]);
    addRemark({
      severity: 'notice',
      line,
      bytes: [34, 39],
      value,
      reason: 'open-station',
      message: 'QQQ means any station.',
    });
  }
  return data;
};
