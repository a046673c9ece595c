import type { Deliverer } from '#delivery/webhook/deliverer.ts';
import type { HubAccess, HubAccessRequest } from '#delivery/hub/hub-access.ts';
import type { TargetGuard } from '#delivery/webhook/target-guard.ts';
import type { CursorSecret } from '#http/handler/cursor.ts';
import type { SecretBox } from '#lib/secret-box.ts';
import type { ObjectLimits } from '#store/access/object-limits.ts';
import type { HealthProber } from '#http/handler/health.ts';
import type { Database } from '#store/pool/database.ts';

/** Settings and callbacks for reading the events of accounts. */
export type EventStreamDeps = {
  /** Resolves when the stream has an event after `after`, after `ms`, on abort, or when the service stops. */
  readonly waitForEvents: (
    waiting: { readonly stream: number; readonly after: number; readonly timeoutMs: number },
    signal: AbortSignal,
  ) => Promise<void>;
  /** True once the service stops: waiting requests then end. */
  readonly isStopped: () => boolean;
  /** Days for which events are retained. */
  readonly retentionDays: number;
  /** Limits of concurrent streams and waiting requests in this process: of an account, of a subscription, altogether. 0 means no limit. */
  readonly maxOpen: number;
  readonly maxOpenOfSubscription: number;
  readonly maxOpenOfProcess: number;
  /** Limit of the `Wait` parameter. This and all below are milliseconds. */
  readonly maxWaitMs: number;
  /** Idle time of a stream after which a heartbeat comment is sent. */
  readonly heartbeatMs: number;
  /** Interval at which the API key of an open stream or waiting request is checked again. */
  readonly recheckMs: number;
  /** Time after which a stream that the client does not read is closed. */
  readonly stallMs: number;
  /** Time limit of an alert preview. */
  readonly previewMs: number;
};

/** Dependencies of the operations of Flight Info Alerts. */
export type Deps = {
  /** A database and not a query function: changes need transactions. */
  readonly sql: Database;
  readonly health: HealthProber;
  readonly clock: () => Date;
  readonly objectLimits: ObjectLimits;
  readonly cursorSecret: CursorSecret;
  /** Encrypts the keys and header values of endpoints. */
  readonly secrets: SecretBox;
  /** Decides to which addresses events may be sent. */
  readonly guard: TargetGuard;
  /** Sends test events. */
  readonly deliverer: Pick<Deliverer, 'deliver'>;
  readonly events: EventStreamDeps;
  /** Grants access to the hub; undefined if none is configured. */
  readonly hub?: ((request: HubAccessRequest) => Promise<HubAccess>) | undefined;
};
