import { TelegramError } from '../text/telegram-error.ts';
import type { TelegramLine } from '../text/split-telegrams.ts';

/** Throws the error of a field of a line. */
export const rejectField = (
  line: TelegramLine,
  field: string,
  [value, reason, message]: readonly [string, string, string],
): never => {
  throw new TelegramError(message, { line: line.number, field, value }, reason);
};
