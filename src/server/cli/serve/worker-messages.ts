/** What the first process of a server sends its workers. */
export type WorkerCommand =
  | {
      readonly kind: 'serve';
      /** Of the store, which is migrated; contains the password. */
      readonly url: string;
      readonly hostname: string;
      /** The same for all workers; 0 lets the operating system choose one. */
      readonly port: number;
      /** By how many milliseconds the clock is shifted (`--today`). */
      readonly clockShiftMs: number;
    }
  /** Serve for `waitMs` more, then finish open requests and end. */
  | { readonly kind: 'drain'; readonly waitMs: number };

/** What a worker sends the first process. */
export type WorkerEvent =
  /** It receives commands. Earlier ones are lost: Node's own cluster listener takes them while modules are loaded. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'listening'; readonly port: number }
  /** `code` is that of the error, '' when it has none. */
  | { readonly kind: 'failed'; readonly message: string; readonly code: string };

const kindOf = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'kind' in message ? message.kind : undefined;

/** Returns whether a message is a command: the channel also carries the messages of `worker-metrics.ts` and of Node. */
export const isWorkerCommand = (message: unknown): message is WorkerCommand =>
  ['serve', 'drain'].includes(String(kindOf(message)));

/** Returns whether a message is an event of a worker. */
export const isWorkerEvent = (message: unknown): message is WorkerEvent =>
  ['ready', 'listening', 'failed'].includes(String(kindOf(message)));
