import type { TelegramLine } from '../text/split-telegrams.ts';

/** One element of a telegram: its identifier, its text, and its line. */
export type TelegramElement = { readonly identifier: string; readonly value: string; readonly line: number };

/**
 * The start of an element within a line. Some identifiers are also airport codes (DLA, EDL, FLD, MAP, TOF, TOW), which follow a time
 * in EA; these count only directly before a value. Delay codes are two digits or two letters.
 */
const elementStart =
  /(?<=^| )(?:(?:AD|AA|ED|EO|EA|EB|NI|RR|FR|PX|DR|RC)(?=[\d/ ]|$)|E?DL(?=\d|[A-Z0-9]{2}(?:[/ ]|$))|(?:DLA|TOF|TOW|ZFW|CRT|MAP|FLD)(?=\d)|(?:CONT|TERM|SI)(?= |$))/g;

/** Supplementary information is prose. Only a line that consists of the outcome of a diversion is parsed. */
const diversionOutcome = /^(?:SI )?(CONT|TERM)( [A-Z]{3,4})?$/;

const parseElementLine = ({ number, text }: TelegramLine): readonly TelegramElement[] => {
  const starts = [...text.matchAll(elementStart)];
  const first = starts[0]?.index ?? text.length;
  const unknown = { identifier: '', value: text.slice(0, first).trim(), line: number };
  const elements = starts.map((match, index) => {
    const end = starts[index + 1]?.index ?? text.length;
    const value = text.slice(match.index + match[0].length, end).trim();
    return { identifier: match[0], value, line: number };
  });
  return first === 0 ? elements : [unknown, ...elements];
};

/**
 * Parses the elements below the flight line, in their order. Text without a known identifier has ''. Supplementary information (SI)
 * is last and extends to the end of the telegram, so nothing after it is an element.
 */
export const parseElements = (lines: readonly TelegramLine[]): readonly TelegramElement[] => {
  const elements: TelegramElement[] = [];
  let isProse = false;
  for (const line of lines) {
    const outcome = diversionOutcome.exec(line.text);
    if (outcome) elements.push({ identifier: outcome[1] ?? '', value: outcome[2]?.trim() ?? '', line: line.number });
    isProse ||= line.text.startsWith('SI ') || line.text === 'SI';
    if (outcome || isProse) continue;
    const ofLine = parseElementLine(line);
    const proseIndex = ofLine.findIndex(({ identifier }) => identifier === 'SI');
    isProse = proseIndex >= 0;
    elements.push(...(isProse ? ofLine.slice(0, proseIndex) : ofLine));
  }
  return elements;
};
