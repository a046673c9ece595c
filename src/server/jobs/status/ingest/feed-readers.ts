import { findStation, type MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { UtcMillisecond } from '#domain/status/instants.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import { readAidx } from '#feeds/aidx/read-aidx.ts';
import { readBtsRows } from '#feeds/bts/read-bts-rows.ts';
import type { ReportEntry } from '#feeds/load-report.ts';
import { readTelegrams, type TelegramOptions } from '#feeds/mvt/read-telegrams.ts';
import { parseStatusMessage, readStatusLines } from '#feeds/status/read-message.ts';
import { digestJson } from '#lib/digest-json.ts';

/** A message of a feed, if it could be read, and remarks on it. */
export type FeedItem = {
  /** 1-based. */
  readonly line: number;
  readonly message: StatusMessage | undefined;
  readonly entries: readonly ReportEntry[];
  /** The type of a telegram that is not about movements, such as LDM: it is only counted. */
  readonly otherType?: string;
};

/** Reads the items of a feed from its bytes. */
export type FeedReader = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<FeedItem>;

type FeedOutput = { readonly line: number } & (
  | { readonly message: StatusMessage }
  | { readonly entry: ReportEntry }
  | { readonly otherType: string }
);

/** Adds the digest of what a message states. An ID that is computed from that states the same. */
const withContent = (message: StatusMessage, stated: unknown = message.id): StatusMessage => ({
  ...message,
  content: digestJson(stated),
});

async function* toFeedItems(outputs: AsyncIterable<FeedOutput>): AsyncGenerator<FeedItem> {
  for await (const one of outputs) {
    const { line } = one;
    if ('message' in one) yield { line, message: withContent(one.message), entries: [] };
    else if ('entry' in one) yield { line, message: undefined, entries: [one.entry] };
    else yield { line, message: undefined, entries: [], otherType: one.otherType };
  }
}

/** How far the clock of a source may be ahead, milliseconds. A message from the future would override all that follow until then. */
const MAX_AHEAD_MS = 3_600_000;

type MessageError = {
  readonly reason: string;
  readonly field: string;
  readonly value: string;
  readonly message: string;
};

const toQuarantined = (line: number, { field, ...error }: MessageError): FeedItem => ({
  line,
  message: undefined,
  entries: [{ severity: 'quarantined', line, ...(field !== '' && { field }), ...error }],
});

/** Quarantines a message from the future. */
const toCheckedItem = (item: FeedItem & { readonly message: StatusMessage }, now: Date): FeedItem =>
  item.message.observedAt > now.getTime() + MAX_AHEAD_MS
    ? toQuarantined(item.line, {
        reason: 'observed-in-the-future',
        field: 'observedAt',
        value: new Date(item.message.observedAt).toISOString(),
        message: 'observedAt is more than an hour ahead of the clock',
      })
    : item;

const readItem = (line: number, text: Buffer, now: Date): FeedItem => {
  const read = parseStatusMessage(text);
  if ('rejection' in read) {
    const { reason, field, value, message } = read.rejection;
    return toQuarantined(line, { reason, field, value, message });
  }
  const { fieldErrors, value } = read;
  const message = withContent(read.message, value);
  return toCheckedItem(
    { line, message, entries: fieldErrors.map((fault) => ({ severity: 'corrected', line, ...fault })) },
    now,
  );
};

/** Creates a reader of newline-delimited JSON status messages. It quarantines messages from more than an hour in the future. */
export const createStatusReader = (clock: () => Date): FeedReader =>
  async function* (bytes) {
    for await (const { line, text } of readStatusLines(bytes)) yield readItem(line, text, clock());
  };

/** Creates a reader of US on-time performance files, whose times are local to the stations in the master data index. */
export const createBtsReader =
  (masterDataIndex: MasterDataIndex): FeedReader =>
  (bytes) =>
    toFeedItems(readBtsRows(bytes, { findZone: (iata) => findStation(masterDataIndex, iata)?.zone }));

/** How a feed arrives: received once, or in a file that can be loaded again later. */
export type FeedArrival = 'received' | 'file';

/**
 * Creates a reader of movement telegrams. These have the day of the month only; the time of reading gives month and year. Each telegram is read
 * later than the one before it.
 */
export const createTelegramReader =
  (clock: () => Date, arrival: FeedArrival = 'received'): FeedReader =>
  (bytes) => {
    let last = 0;
    const context: TelegramOptions = {
      isReceived: arrival === 'received',
      get receivedAt() {
        last = Math.max(clock().getTime(), last + 1);
        return last as UtcMillisecond;
      },
    };
    return toFeedItems(readTelegrams(bytes, context));
  };

/** Creates a reader of AIDX documents. It quarantines legs from more than an hour in the future. */
export const createAidxReader = (clock: () => Date, arrival: FeedArrival = 'received'): FeedReader =>
  async function* (bytes) {
    const options = { receivedAt: clock().getTime() as UtcMillisecond, isReceived: arrival === 'received' };
    for await (const item of readAidx(bytes, options))
      if ('message' in item)
        yield toCheckedItem({ line: item.line, message: withContent(item.message), entries: item.remarks }, clock());
      else yield { line: item.line, message: undefined, entries: [item.entry] };
  };
