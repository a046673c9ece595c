import type { PageShows } from '../../domain/events/page-changes.ts';
import { createLinkedList, type ListNode } from '../../lib/linked-list.ts';
import type { TaggedWhole } from '../response/conditional.ts';
import { packed, type Coding } from '../response/content-coding.ts';
import type { App } from '../router/router.ts';
import type { PageNote } from '../request/page-note.ts';
import type { RequestContext } from '../request/request-context.ts';
import { wholeAnswer } from '../response/full-response.ts';

/** What is known of the changes of what pages show, in the order in which it became known. */
export type PageChanges<Shows> = {
  /** Resolves when everything is known that was committed before the call; rejects when that cannot be found out. */
  readonly upToDate: () => Promise<void>;
  /** How far it is known; undefined while nothing is. What is read after this call shows all of it. */
  readonly position: () => number | undefined;
  /** Whether nothing has changed since a position, as far as is known. */
  readonly isUntouched: (shows: Shows, since: number) => boolean;
};

/** Hears what becomes of pages. */
export type PageWatch = {
  /** Told of each request that is worth it whether its answer was kept or made. */
  readonly onPage?: (outcome: 'kept' | 'made') => void;
  /** Told how many are kept, and how many bytes they take, whenever that changes. */
  readonly onHeld?: (pages: number, bytes: number) => void;
};

export type PageCacheOptions = {
  readonly changes: PageChanges<PageShows>;
  /** What pages rest on beside the database, compared by identity: master data in memory. */
  readonly restsOn: () => unknown;
  /** For the pages and their packed forms together. */
  readonly maxBytes: number;
  readonly watch?: PageWatch | undefined;
  /** Which requests are worth it. */
  readonly isKept: (context: RequestContext) => boolean;
};

type Entry = {
  readonly whole: TaggedWhole;
  readonly shows: PageShows;
  readonly restsOn: unknown;
  /** Looked at up to here, nothing has touched it. */
  since: number;
  readonly forms: Map<Coding, Buffer<ArrayBuffer>>;
  bytes: number;
  /** Among all that are kept, in the order of their last use. */
  place: ListNode<string>;
};

const MAX_KEY_CHARACTERS = 1024;
/** What an entry takes beside its bytes, a flight it shows, and a place or carrier it is for. */
const ENTRY_BYTES = 1024;
const FLIGHT_BYTES = 80;
const ID_BYTES = 8;

const bytesOf = ({ flights, carriers, departures, arrivals }: PageShows): number =>
  ENTRY_BYTES +
  flights.size * FLIGHT_BYTES +
  [carriers, departures, arrivals].reduce((sum, ids) => sum + (ids?.length ?? 0) * ID_BYTES, 0);

/** The same bytes in memory of their own: a short body lies in a piece of 64 kB with others, and whoever keeps it keeps all of that. */
const alone = (bytes: Uint8Array): Buffer<ArrayBuffer> => {
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength);
  copy.set(bytes);
  return copy;
};

/** Tells what was asked for before, lately: a few thousand questions are remembered. */
const newSeen = (most = 8192): ((key: string) => boolean) => {
  let [young, old] = [new Set<string>(), new Set<string>()];
  return (key) => {
    const isKnown = young.has(key) || old.has(key);
    if (young.size >= most) [young, old] = [new Set<string>(), young];
    young.add(key);
    return isKnown;
  };
};

/**
 * Keeps whole answers of an app and gives them again, but only while nothing that they show has changed by the moment at which they are asked
 * for: each such request waits until it is known what was committed before it. Answers that are asked for twice are kept, up to so many
 * bytes; those that have not been asked for longest go first. All that decides their bytes is in their key: the version, the address of the
 * service and the query as sent. What keys of subscribers may do decides nothing, or the handler keeps silent of what its answer shows.
 */
export const cachedPages = ({
  changes,
  restsOn,
  maxBytes,
  watch: { onPage = () => {}, onHeld = () => {} } = {},
  isKept,
}: PageCacheOptions): ((app: App) => App) => {
  const entries = new Map<string, Entry>();
  const used = createLinkedList<string>();
  const wasSeen = newSeen();
  let total = 0;

  const drop = (key: string): void => {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    used.remove(entry.place);
    total -= entry.bytes;
    onHeld(entries.size, total);
  };

  const isTooMuch = (): boolean => total > maxBytes;

  const grow = (bytes: number): void => {
    total += bytes;
    for (let key = used.first(); key !== undefined && isTooMuch(); key = used.first()) drop(key);
    onHeld(entries.size, total);
  };

  const keep = (key: string, { whole, shows }: PageNote, { since, rests }: { since: number; rests: unknown }): void => {
    if (!whole || !shows) return;
    const bytes = whole.bytes.byteLength + bytesOf(shows) + key.length;
    if (bytes > maxBytes / 8) return;
    drop(key);
    const own = { ...whole, bytes: alone(whole.bytes) };
    entries.set(key, { whole: own, shows, restsOn: rests, since, forms: new Map(), bytes, place: used.append(key) });
    grow(bytes);
  };

  const isGood = (entry: Entry): boolean => {
    if (entry.restsOn !== restsOn() || !changes.isUntouched(entry.shows, entry.since)) return false;
    entry.since = changes.position() ?? entry.since;
    return true;
  };

  const formOf = async (entry: Entry, key: string, coding: Coding): Promise<Buffer<ArrayBuffer>> => {
    const form = alone(await packed(entry.whole.bytes, coding));
    if (entries.get(key) === entry && !entry.forms.has(coding)) {
      entry.forms.set(coding, form);
      entry.bytes += form.byteLength;
      grow(form.byteLength);
    }
    return form;
  };

  const answerFrom = (entry: Entry, key: string, request: Request): Response | Promise<Response> =>
    wholeAnswer(request.headers, entry.whole, {
      pack: (_, coding) => entry.forms.get(coding) ?? formOf(entry, key, coding),
    });

  return (app) => {
    const pass: App = (request, context) => {
      onPage('made');
      return app(request, context);
    };

    const make = async (request: Request, context: RequestContext, key: string): Promise<Response> => {
      // All that the answer reads is read after this, so it shows at least as much as is known here.
      const [since, rests] = [changes.position(), restsOn()];
      if (since === undefined) {
        await changes.upToDate();
        return pass(request, context);
      }
      const note: PageNote = { shows: undefined, whole: undefined };
      context.page = note;
      const response = await pass(request, context);
      keep(key, note, { since, rests });
      return response;
    };

    const again = async (request: Request, context: RequestContext, key: string): Promise<Response> => {
      await changes.upToDate();
      const entry = entries.get(key);
      if (!entry || !isGood(entry)) {
        drop(key);
        return make(request, context, key);
      }
      used.remove(entry.place);
      entry.place = used.append(key);
      onPage('kept');
      return answerFrom(entry, key, request);
    };

    return (request, context) => {
      if (!isKept(context)) return app(request, context);
      const key = `${context.version} ${context.base} ${context.query}`;
      if (key.length > MAX_KEY_CHARACTERS) return pass(request, context);
      if (entries.has(key)) return again(request, context, key);
      return wasSeen(key) ? make(request, context, key) : pass(request, context);
    };
  };
};
