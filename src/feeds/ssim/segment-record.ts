import { dataElements, isKnownElement, isPrivateElement } from '../../domain/schedule/data-elements.ts';
import { readFlightReferences } from '../../domain/schedule/flight-references.ts';
import type { SegmentData } from '../../domain/schedule/schedule.ts';
import { FeedError } from '../feed-error.ts';
import type { ReportEntry } from '../load-report.ts';
import * as kinds from './field-formats.ts';

type Remark = (entry: ReportEntry) => void;

/** Point indicators: A is the first station of the flight, B the second. `XX` leaves both open. */
const readIndicators = (record: string): readonly [number, number] => {
  const text = kinds.textAt(record, [29, 30]);
  if (text === 'XX') return [-1, -1];
  const board = text.charCodeAt(0) - 65;
  const off = text.charCodeAt(1) - 65;
  if (/^[A-Z]{2}$/.test(text) && board < off) return [board, off];
  const message = `'${text}' is no pair of point indicators (two letters in order, or XX).`;
  throw new FeedError(message, { bytes: [29, 30], value: text, reason: 'bad-indicator' });
};

const readStation = (record: string, columns: kinds.Columns): string => {
  const station = kinds.valueAt(record, columns, kinds.station);
  return station === 'QQQ' ? '' : station;
};

const checkReferences = ({ dei, data }: SegmentData): void => {
  if (dei !== dataElements.marketingFlights && dei !== dataElements.operatingFlight) return;
  if (readFlightReferences(data) !== undefined) return;
  throw new FeedError('The flights listed cannot be read.', {
    bytes: [40, 194],
    value: data,
    reason: 'bad-flight-reference',
  });
};

/**
 * Reads a record 4 of 200 bytes whose key is read already. Undefined when the element is private to the parties of the feed.
 * Throws a FeedError.
 */
export const readSegmentData = (record: string, line: number, remark: Remark): SegmentData | undefined => {
  const dei = kinds.valueAt(record, [31, 33], kinds.dataElement);
  if (isPrivateElement(dei)) return undefined;
  const [boardIndex, offIndex] = readIndicators(record);
  const boardStation = readStation(record, [34, 36]);
  const offStation = readStation(record, [37, 39]);
  const data: SegmentData = {
    dei,
    boardStation,
    offStation,
    boardIndex,
    offIndex,
    data: kinds.textAt(record, [40, 194]).trimEnd(),
    line,
  };
  checkReferences(data);
  if (!isKnownElement(dei)) {
    const value = kinds.textAt(record, [31, 33]);
    remark({
      severity: 'notice',
      line,
      bytes: [31, 33],
      value,
      reason: 'unknown-data-element',
      message: 'The data element is not in use; its data is kept as filed.',
    });
  }
  if (boardIndex === -1)
    remark({
      severity: 'notice',
      line,
      bytes: [29, 30],
      value: 'XX',
      reason: 'open-indicators',
      message: 'The points are told by station only.',
    });
  if (boardStation === '' || offStation === '') {
    const value = kinds.textAt(record, [34, 39]);
    remark({
      severity: 'notice',
      line,
      bytes: [34, 39],
      value,
      reason: 'open-station',
      message: 'QQQ stands for any station.',
    });
  }
  return data;
};
