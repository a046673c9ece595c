import type { StatusMessage } from '../../domain/status/message.ts';
import type { ReportEntry } from '../load-report.ts';
import { readTelegram, type TelegramContext } from './read-telegram.ts';
import { quarantined, TelegramError } from './telegram-error.ts';
import { telegramsOf, type Telegram } from './telegrams.ts';

/** A message, at the line of its telegram's identifier, or a remark about a telegram, at the line it is about. Lines count from 1. */
export type TelegramOutcome =
  | { readonly line: number; readonly message: StatusMessage }
  | { readonly line: number; readonly entry: ReportEntry };

const outcomesOf = (telegram: Telegram, context: TelegramContext): readonly TelegramOutcome[] => {
  try {
    const { line, message, notices } = readTelegram(telegram, context);
    const remarks = notices.map((entry) => ({ line: entry.line ?? line, entry }));
    return message === undefined ? remarks : [...remarks, { line, message }];
  } catch (error) {
    if (error instanceof TelegramError) return [{ line: error.place.line, entry: quarantined(error) }];
    throw error;
  }
};

/**
 * Reads aircraft movement telegrams (MVT, MVA) and diversion telegrams (DIV) from a file or a stream, each as soon as it has ended. Notices
 * come before the message they are about. A telegram that cannot be read gives one quarantined entry, and reading goes on with the next.
 */
export async function* readTelegrams(
  bytes: AsyncIterable<Uint8Array>,
  context: TelegramContext,
): AsyncGenerator<TelegramOutcome> {
  for await (const telegram of telegramsOf(bytes)) yield* outcomesOf(telegram, context);
}
