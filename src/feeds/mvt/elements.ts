import type { TelegramLine } from './split-telegrams.ts';

/** One element of a telegram: its identifier, what follows it on the line, and where. */
export type TelegramElement = { readonly identifier: string; readonly value: string; readonly line: number };

/**
 * Where elements begin within a line. Some identifiers are also airport codes (DLA, EDL, FLD, MAP, TOF, TOW), which follow a time in EA; such an
 * identifier counts only with a value joined to it. Delay codes are two digits or two letters.
 */
const elementStart =
  /(?<=^| )(?:(?:AD|AA|ED|EO|EA|EB|NI|RR|FR|PX|DR|RC)(?=[\d/ ]|$)|E?DL(?=\d|[A-Z0-9]{2}(?:[/ ]|$))|(?:DLA|TOF|TOW|ZFW|CRT|MAP|FLD)(?=\d)|(?:CONT|TERM|SI)(?= |$))/g;

/** Supplementary information is prose; only a line of it that is nothing but the fate of a diverted flight is understood. */
const diversionOutcome = /^(?:SI )?(CONT|TERM)( [A-Z]{3,4})?$/;

const parseElementLine = ({ number, text }: TelegramLine): readonly TelegramElement[] => {
  const starts = [...text.matchAll(elementStart)];
  const first = starts[0]?.index ?? text.length;
  const unknown = { identifier: '', value: text.slice(0, first).trim(), line: number };
  const known = starts.map((match, index) => {
    const end = starts[index + 1]?.index ?? text.length;
    const value = text.slice(match.index + match[0].length, end).trim();
    return { identifier: match[0], value, line: number };
  });
  return first === 0 ? known : [unknown, ...known];
};

/**
 * The elements below the flight line, in their order. What begins with no known identifier has ''. Supplementary information (SI) comes
 * last in a telegram and runs to its end, over several lines where it needs them, so nothing after it is taken for an element.
 */
export const parseElements = (lines: readonly TelegramLine[]): readonly TelegramElement[] => {
  const found: TelegramElement[] = [];
  let isProse = false;
  for (const line of lines) {
    const told = diversionOutcome.exec(line.text);
    if (told) found.push({ identifier: told[1] ?? '', value: told[2]?.trim() ?? '', line: line.number });
    isProse ||= line.text.startsWith('SI ') || line.text === 'SI';
    if (told || isProse) continue;
    const elements = parseElementLine(line);
    const prose = elements.findIndex(({ identifier }) => identifier === 'SI');
    isProse = prose >= 0;
    found.push(...(isProse ? elements.slice(0, prose) : elements));
  }
  return found;
};
