/** What the first process of a server tells its workers. */
export type WorkerOrder =
  | {
      readonly kind: 'serve';
      /** Of the store, which is ready; holds the password. */
      readonly url: string;
      readonly hostname: string;
      /** 0 takes a free one, the same for all. */
      readonly port: number;
      /** How far the clock is moved, for a rehearsal. */
      readonly movedMs: number;
    }
  /** To go on for so many milliseconds, then answer what is under way, and end. */
  | { readonly kind: 'drain'; readonly waitMs: number };

/** What a worker tells the first process. */
export type WorkerNews =
  /** It hears orders. What is sent before is lost: Node's own listener in a cluster takes it while modules are read. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'failed'; readonly message: string };

const kindOf = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'kind' in message ? message.kind : undefined;

/** Whether a message is an order: others may send messages of their own over the same channel. */
export const isOrder = (message: unknown): message is WorkerOrder =>
  ['serve', 'drain'].includes(String(kindOf(message)));

/** Whether a message is news of a worker. */
export const isNews = (message: unknown): message is WorkerNews =>
  ['ready', 'listening', 'failed'].includes(String(kindOf(message)));
