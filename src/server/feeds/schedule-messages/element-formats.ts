import { parseMctStatuses } from '#domain/connections/flights/connecting-records.ts';
import { dataElements, isPrivateElement } from '#domain/schedule/data-elements.ts';
import { parseFlightReferences } from '#domain/schedule/designators.ts';
import type { MessageElement } from '#domain/schedule/messages/schedule-message.ts';
import type { TelegramLine } from '../text/split-telegrams.ts';
import { rejectField } from './reject-field.ts';

/** From here on, values are free text, which can contain what looks like an element. */
const FIRST_TEXT_ELEMENT = 700;

/** Splits a line before its first data element: `XA793 2/XB 4/XB` has the text `XA793`. */
export const splitBeforeElements = (text: string): readonly [text: string, elements: string] => {
  const start = text.search(/ \d{1,3}\/(?!W\d(?: |$))/);
  return start < 0 ? [text, ''] : [text.slice(0, start), text.slice(start + 1)];
};

/** Splits data elements: numbers 1 to 999, each followed by `/`. */
const splitElements = (text: string): readonly string[] => {
  const parts = text.split(/ (?=\d{1,3}\/)/);
  const firstText = parts.findIndex((part) => Number.parseInt(part, 10) >= FIRST_TEXT_ELEMENT);
  return firstText < 0 ? parts : [...parts.slice(0, firstText), parts.slice(firstText).join(' ')];
};

/** Elements 10 and 50 list flights as `BA117/IB4217`; records have them in columns. */
const toReferenceText = (text: string): string | undefined => {
  const items = text
    .replace(/\/$/, '')
    .split('/')
    .map((item) => /^([A-Z]{3}|[A-Z][A-Z0-9]|\d[A-Z]) ?(\d{1,4})([A-Z]?)$/.exec(item.trim()));
  const padded = items.map((match) =>
    match ? `${(match[1] ?? '').padEnd(3)}${(match[2] ?? '').padStart(4, '0')}${(match[3] ?? '').padEnd(1)}` : '',
  );
  const joined = padded.join('/');
  return padded.includes('') || parseFlightReferences(joined) === undefined ? undefined : joined;
};

type Stations = Pick<MessageElement, 'boardStation' | 'offStation'>;
const allStations: Stations = { boardStation: '', offStation: '' };

/** Parses one data element such as `98/1` or `10/NIL`. Private elements (800 and above) are left out. Throws a TelegramError. */
const parseElement = (line: TelegramLine, text: string, stations: Stations): readonly MessageElement[] => {
  const [, number, value = ''] = /^(\d{1,3})\/(.*)$/.exec(text) ?? [];
  const dei = Number(number ?? 0);
  const reject = (reason: string, message: string): never => rejectField(line, 'data element', [text, reason, message]);
  if (dei === 0 || value.trim() === '')
    return reject('bad-data-element', `'${text}' is not a data element (number/value).`);
  if (isPrivateElement(dei)) return [];
  if (
    (dei === dataElements.departureTerminal || dei === dataElements.arrivalTerminal) &&
    !/^(?:NIL|[A-Z0-9]{1,2})$/.test(value)
  )
    return reject('bad-data-element', 'A terminal has one or two characters.');
  if (value === 'NIL') return [{ dei, value: undefined, ...stations }];
  if (dei === dataElements.mctStatus && parseMctStatuses(value) === undefined)
    return reject('unreadable-mctStatus', 'The status is neither D nor I.');
  if (dei !== 10 && dei !== 50) return [{ dei, value: value.trim(), ...stations }];
  return [
    {
      dei,
      value: toReferenceText(value) ?? reject('bad-flight-reference', 'The list of flights is invalid.'),
      ...stations,
    },
  ];
};

/** Parses the elements of a line, which are all of its text. Throws a TelegramError. */
export const parseElements = (
  line: TelegramLine,
  text: string,
  stations: Stations = allStations,
): readonly MessageElement[] =>
  text === '' ? [] : splitElements(text).flatMap((each) => parseElement(line, each, stations));

/** Returns whether a line consists of data elements. */
export const isElementLine = ({ text }: TelegramLine): boolean => /^\d{1,3}\//.test(text);

const segmentLine = /^([A-Z]{3}|QQ)([A-Z]{3}|QQ) (\d{1,3}\/.*)$/;

/** Returns whether a line is segment information: a pair of stations and a data element. */
export const isSegmentLine = ({ text }: TelegramLine): boolean => segmentLine.test(text);

const toStation = (text: string): string => (text === 'QQQ' || text === 'QQ' ? '' : text);

/** Parses `NSKUFA 98/1`; QQQ or QQ is any station. Throws a TelegramError. */
export const parseSegmentLine = (line: TelegramLine): readonly MessageElement[] => {
  const [, board = '', off = '', elements = ''] = segmentLine.exec(line.text) ?? [];
  return parseElements(line, elements, { boardStation: toStation(board), offStation: toStation(off) });
};

/** Elements whose values are lists: a list that is longer than a line continues in a further one. */
const separatorOfList: ReadonlyMap<number, string> = new Map([
  ...[1, 7, 10, 50, 109, 111, 125, 503].map((dei) => [dei, '/'] as const),
  ...[101, 102, 106, 107].map((dei) => [dei, ''] as const),
]);

const joinValues = (line: TelegramLine, before: MessageElement, { dei, value }: MessageElement): MessageElement => {
  const separator = dei >= FIRST_TEXT_ELEMENT ? ' ' : separatorOfList.get(dei);
  if (before.value === value) return before;
  if (separator === undefined || before.value === undefined || value === undefined)
    return rejectField(line, 'data element', [
      line.text,
      'repeated-element',
      `Element ${dei} has two values for the same stations.`,
    ]);
  return { ...before, value: `${before.value}${separator}${value}` };
};

/** Adds elements of a line to those of the lines above: lists of the same stations add up. Throws a TelegramError for a contradiction. */
export const addElements = (
  line: TelegramLine,
  elements: readonly MessageElement[],
  added: readonly MessageElement[],
): readonly MessageElement[] =>
  added.reduce((all, element) => {
    const index = all.findIndex(
      ({ dei, boardStation, offStation }) =>
        dei === element.dei && boardStation === element.boardStation && offStation === element.offStation,
    );
    const before = all[index];
    return before ? all.with(index, joinValues(line, before, element)) : [...all, element];
  }, elements);

/** Limits elements of the whole flight to pairs of stations. */
export const limitElements = (
  elements: readonly MessageElement[],
  pairs: readonly (readonly [board: string, off: string])[],
): readonly MessageElement[] =>
  elements.flatMap((element) =>
    element.boardStation === '' && element.offStation === ''
      ? pairs.map(([boardStation, offStation]) => ({ ...element, boardStation, offStation }))
      : element,
  );
