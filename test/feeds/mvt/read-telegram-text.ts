import { expect } from 'vitest';
import { localDate } from '../../../src/domain/time/dates.ts';
import {
  parseInstant,
  truncateToSecond,
  type UtcMillisecond,
  type UtcSecond,
} from '../../../src/domain/status/instants.ts';
import type { FlightReference, StatusMessage } from '../../../src/domain/status/message.ts';
import type { ReportEntry } from '../../../src/feeds/load-report.ts';
import { readTelegrams, type TelegramItem } from '../../../src/feeds/mvt/read-telegrams.ts';

/** The millisecond of `2027-03-01T11:07` UTC. */
export const instant = (text: string): UtcMillisecond => {
  const found = parseInstant(`${text}Z`);
  if (found === undefined) throw new RangeError(`not a moment: '${text}'`);
  return found;
};

export const second = (text: string): UtcSecond => truncateToSecond(instant(text));

/** All that is read from a text, which arrives in pieces of a few bytes, as from a line. */
export const readText = async (text: string, receivedAt = '2027-03-01T18:00'): Promise<readonly TelegramItem[]> => {
  const bytes = Buffer.from(text, 'latin1');
  const pieces = async function* () {
    for (let start = 0; start < bytes.length; start += 11) yield bytes.subarray(start, start + 11);
  };
  const outcomes: TelegramItem[] = [];
  for await (const outcome of readTelegrams(pieces(), { receivedAt: instant(receivedAt) })) outcomes.push(outcome);
  return outcomes;
};

export const messagesIn = (outcomes: readonly TelegramItem[]): readonly StatusMessage[] =>
  outcomes.flatMap((outcome) => ('message' in outcome ? [outcome.message] : []));

export const entriesIn = (outcomes: readonly TelegramItem[]): readonly ReportEntry[] =>
  outcomes.flatMap((outcome) => ('entry' in outcome ? [outcome.entry] : []));

/** The only thing read from a telegram of these lines: a message without remarks. */
export const readOne = async (lines: readonly string[], receivedAt?: string): Promise<StatusMessage> => {
  const outcomes = await readText(lines.join('\n'), receivedAt);
  const [message] = messagesIn(outcomes);
  if (message === undefined || outcomes.length !== 1) throw new Error(`not one message: ${JSON.stringify(outcomes)}`);
  return message;
};

type Expected = Pick<StatusMessage, 'observedAt' | 'facts'> & {
  readonly from: string;
  readonly to?: string;
  readonly date?: string;
  readonly landings?: StatusMessage['landings'];
};

/** The message about flight XX101 of 1 March 2027, or of another date, between these airports. */
export const messageOf = ({ observedAt, facts, from, to, date = '2027-03-01', landings = [] }: Expected) => {
  const flight: FlightReference = {
    by: 'designator',
    carrier: 'XX',
    flightNumber: 101,
    suffix: '',
    originDate: localDate(date),
    datedBy: 'utc',
    departureAirport: from,
    arrivalAirport: to,
  };
  const id: unknown = expect.stringMatching(/^mvt:[0-9a-f]{64}$/);
  return { id, source: 'mvt', observedAt, flight, facts, landings, plan: undefined };
};
