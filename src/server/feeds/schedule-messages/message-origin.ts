import type { TelegramLine } from '../text/split-telegrams.ts';

/** Who sent a message and when, by its origin line such as `.PARXAXX 251200`. */
export type MessageOrigin = {
  /** The address of the sender; '' when the message has no origin line. */
  readonly originator: string;
  /** UTC; undefined when the line has no time. */
  readonly sentAt: Date | undefined;
};

const DAY_MS = 86_400_000;

/** Completes day and time with the newest month in which they are no later than the next day; clocks of senders can be ahead. */
const completeTime = (text: string, receivedAt: Date): Date | undefined => {
  const [day, hour, minute] = [text.slice(0, 2), text.slice(2, 4), text.slice(4, 6)].map(Number);
  if (day === undefined || hour === undefined || minute === undefined || hour > 23 || minute > 59) return undefined;
  const latest = new Date(receivedAt.getTime() + DAY_MS);
  // Two months in a row can lack the day, never three.
  for (let back = 0; back <= 3; back += 1) {
    const ms: number = Date.UTC(latest.getUTCFullYear(), latest.getUTCMonth() - back, day, hour, minute);
    const sentAt = new Date(ms);
    if (sentAt.getUTCDate() === day && sentAt <= latest) return sentAt;
  }
  return undefined;
};

/** Parses the origin line among the lines above the identifier, or the same parts under the headings of a terminal program. */
export const parseOrigin = (header: readonly TelegramLine[], receivedAt: Date): MessageOrigin => {
  const below = (heading: string): string => {
    const index = header.findIndex(({ text }) => text === heading);
    return index < 0 ? '' : (header[index + 1]?.text ?? '');
  };
  const [, address, time] = header
    .map(({ text }) => /^\.([A-Z0-9]{7})(?: (?:[A-Z0-9]{1,3}\/)?(\d{6}))?(?:\D|$)/.exec(text))
    .find((match) => match !== null) ?? [undefined, below('=ORIGIN'), below('=MSGID')];
  const originator = /^[A-Z0-9]{7}$/.test(address ?? '') ? (address ?? '') : '';
  return { originator, sentAt: /^\d{6}$/.test(time ?? '') ? completeTime(time ?? '', receivedAt) : undefined };
};
