import type { Deliverer } from '../../../../delivery/webhook/deliver.ts';
import type { HubAccess, WantedAccess } from '../../../../delivery/hub/hub-access.ts';
import type { TargetGuard } from '../../../../delivery/webhook/target-guard.ts';
import type { CursorSecret } from '../../../../http/handler/cursor.ts';
import type { Database } from '../../../../store/pool/database.ts';

/** What reading the events of accounts works with. */
export type EventStreamDeps = {
  /** Resolves once a stream has an event after a number, and otherwise after `ms`, when the signal is aborted, or when the service stops. */
  readonly waitForEvents: (
    waiting: { readonly stream: number; readonly after: number; readonly timeoutMs: number },
    signal: AbortSignal,
  ) => Promise<void>;
  /** Whether the service stops, so that nobody is kept waiting. */
  readonly isStopped: () => boolean;
  /** For how many days events are kept. */
  readonly retentionDays: number;
  /** How many streams and waiting requests of an account may be open at a time. */
  readonly maxOpen: number;
  /** The longest that a request may wait. This and all below are milliseconds. */
  readonly maxWaitMs: number;
  /** How long a stream is silent before a comment says that it lives. */
  readonly heartbeatMs: number;
  /** How often the key of a stream is looked at again. */
  readonly recheckMs: number;
  /** How long a stream may go unread before it is cut. */
  readonly stallMs: number;
  /** How long a preview may examine events. */
  readonly previewMs: number;
};

/** What the operations of Flight Info Alerts work with. */
export type Deps = {
  /** Changes need transactions. */
  readonly sql: Database;
  readonly clock: () => Date;
  readonly cursorSecret: CursorSecret;
  /** Says where events may be sent. */
  readonly guard: TargetGuard;
  /** Sends tests. */
  readonly deliverer: Pick<Deliverer, 'deliver'>;
  readonly events: EventStreamDeps;
  /** Gives access to the hub; undefined where there is none. */
  readonly hub?: ((wanted: WantedAccess) => Promise<HubAccess>) | undefined;
};
