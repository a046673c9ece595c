import { expect } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { parseInstant, truncateToSecond } from '#domain/status/instants.ts';
import type { UtcMillisecond, UtcSecond } from '#domain/status/instants.ts';
import type { FlightReference, StatusMessage } from '#domain/status/message.ts';
import type { ReportEntry } from '#feeds/load-report.ts';
import { readTelegrams, type TelegramItem } from '#feeds/mvt/read-telegrams.ts';
import { splitIntoChunks } from '../ssim/build-file.ts';

/** Returns the millisecond of `2027-03-01T11:07` UTC. */
export const toMillisecond = (text: string): UtcMillisecond => {
  const instant = parseInstant(`${text}Z`);
  if (instant === undefined) throw new RangeError(`not a moment: '${text}'`);
  return instant;
};

export const toSecond = (text: string): UtcSecond => truncateToSecond(toMillisecond(text));

export const readTelegramText = async (text: string, receivedAt = '2027-03-01T18:00') => {
  const pieces = splitIntoChunks(Buffer.from(text, 'latin1'), 11);
  const outcomes: TelegramItem[] = [];
  for await (const outcome of readTelegrams(pieces, { receivedAt: toMillisecond(receivedAt) })) outcomes.push(outcome);
  return outcomes;
};

export const listMessages = (outcomes: readonly TelegramItem[]): readonly StatusMessage[] =>
  outcomes.flatMap((outcome) => ('message' in outcome ? [outcome.message] : []));

export const listEntries = (outcomes: readonly TelegramItem[]): readonly ReportEntry[] =>
  outcomes.flatMap((outcome) => ('entry' in outcome ? [outcome.entry] : []));

/** Reads one telegram of these lines; fails unless it gives one message without remarks. */
export const readOneTelegram = async (lines: readonly string[], receivedAt?: string): Promise<StatusMessage> => {
  const outcomes = await readTelegramText(lines.join('\n'), receivedAt);
  const [message] = listMessages(outcomes);
  if (message === undefined || outcomes.length !== 1) throw new Error(`not one message: ${JSON.stringify(outcomes)}`);
  return message;
};

type ExpectedMessage = Pick<StatusMessage, 'observedAt' | 'facts'> & {
  readonly from: string;
  readonly to?: string;
  readonly landings?: StatusMessage['landings'];
};

/** Builds the message about flight XX101 of 1 March 2027 between these airports, from a telegram that contains no day but that. */
export const buildMessage = ({ observedAt, facts, from, to, landings = [] }: ExpectedMessage) => {
  const flight: FlightReference = {
    by: 'designator',
    carrier: 'XX',
    flightNumber: 101,
    suffix: '',
    originDate: localDate('2027-03-01'),
    datedBy: 'utc',
    hasDerivedDays: true,
    departureAirport: from,
    arrivalAirport: to,
  };
  const id: unknown = expect.stringMatching(/^mvt:[0-9a-f]{64}$/);
  return { id, source: 'mvt', observedAt, flight, facts, landings, plan: undefined };
};
