import { CONNECTIONS_CHANNEL } from '../store/connections/connection-snapshots.ts';
import { PUSH_CHANNEL } from '../store/deliveries/endpoint-claims.ts';
import { ACCOUNT_EVENTS_CHANNEL } from '../store/events/account-events.ts';
import { EVENTS_CHANNEL, OUTBOX_CHANNEL } from '../store/events/event-outbox.ts';
import { BLOCKS_CHANNEL } from '../store/flights/registration-blocks.ts';
import { MASTER_DATA_CHANNEL } from '../store/master-data/master-data-changes.ts';

/** What is known of a background task before it runs. */
export type TaskDefinition = {
  readonly description: string;
  /** Time from the end of a run to the next one, milliseconds; undefined for a task that runs only when it is triggered. */
  readonly periodMs: number | undefined;
  /** NOTIFY channels of PostgreSQL that trigger a run; so does each new connection, because notifications may have been missed. */
  readonly channels: readonly string[];
  /**
   * What makes one process at a time do the work: the table with the lease (for `push_progress`, one per endpoint) or an advisory lock.
   * Undefined: every process does it.
   */
  readonly lease: string | undefined;
};

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * All background tasks of the service. Tasks with a lease and the pruning run in the first process of each server; the `watch-` tasks run
 * in every process that serves requests, because each holds its own copy in memory.
 */
export const backgroundTasks = {
  'sequence-events': {
    description: 'moves committed events from the outbox to the event log',
    periodMs: SECOND_MS,
    channels: [OUTBOX_CHANNEL],
    lease: 'event_log_end',
  },
  'fan-out-events': {
    description: 'adds events of the log to the accounts whose alerts select them',
    periodMs: SECOND_MS,
    channels: [EVENTS_CHANNEL],
    lease: 'event_distribution',
  },
  'publish-to-hub': {
    description: 'publishes account events to the hub (NATS JetStream)',
    periodMs: SECOND_MS,
    channels: [ACCOUNT_EVENTS_CHANNEL],
    lease: 'hub_progress',
  },
  'claim-deliveries': {
    description: 'claims webhook endpoints and reads the events and retries that are due',
    periodMs: SECOND_MS,
    channels: [ACCOUNT_EVENTS_CHANNEL, PUSH_CHANNEL, BLOCKS_CHANNEL],
    lease: 'push_progress',
  },
  'write-deliveries': {
    description: 'writes the results of webhook deliveries',
    periodMs: 100,
    channels: [],
    lease: 'push_progress',
  },
  'prune-events': {
    description:
      'deletes events after 7 days, and the delivery log, stored responses, alert changes and flight versions that nothing needs',
    periodMs: HOUR_MS,
    channels: [],
    lease: undefined,
  },
  'prune-page-changes': {
    description: 'deletes the change marks of cached pages',
    periodMs: 5 * MINUTE_MS,
    channels: [],
    lease: undefined,
  },
  'extend-horizon': {
    description: 'expands schedules to the horizon; once a day predicts seats and builds on-time statistics',
    periodMs: HOUR_MS,
    channels: [],
    lease: 'advisory locks',
  },
  'update-statuses': {
    description:
      'updates statuses of changed flights that an interrupted import left, and adds days for plans in quarantine',
    periodMs: 10 * SECOND_MS,
    channels: [],
    lease: undefined,
  },
  'build-connections': {
    description: 'builds a connection set when the newest is older than a week',
    periodMs: 3 * SECOND_MS,
    channels: [],
    lease: 'advisory lock',
  },
  'follow-live-feeds': {
    description: 'requests live feeds of airports (LIVE_SOURCES) and ingests what is new',
    periodMs: SECOND_MS,
    channels: [],
    lease: 'live_follower',
  },
  'demo-activity': {
    description: 'reports the status of the flights of the demo world',
    periodMs: 10 * SECOND_MS,
    channels: [],
    lease: undefined,
  },
  'demo-history': {
    description: 'fills the last 30 days of the demo world with flown flights',
    periodMs: HOUR_MS,
    channels: [],
    lease: undefined,
  },
  'watch-primary': {
    description: 'checks that the primary database answers, and up to when replicas and copies in memory are complete',
    periodMs: SECOND_MS / 2,
    channels: [],
    lease: undefined,
  },
  'watch-master-data': {
    description: 'keeps master data in memory up to date',
    periodMs: undefined,
    channels: [MASTER_DATA_CHANNEL],
    lease: undefined,
  },
  'watch-connections': {
    description: 'keeps the newest connection sets in memory',
    periodMs: MINUTE_MS,
    channels: [CONNECTIONS_CHANNEL],
    lease: undefined,
  },
  'watch-account-events': {
    description: 'wakes requests that wait for events of an account',
    periodMs: 5 * SECOND_MS,
    channels: [ACCOUNT_EVENTS_CHANNEL],
    lease: undefined,
  },
} as const satisfies Readonly<Record<string, TaskDefinition>>;

export type TaskName = keyof typeof backgroundTasks;

/** Returns the definition of a task. */
export const getTaskDefinition = (name: TaskName): TaskDefinition => backgroundTasks[name];

const formatPeriod = (ms: number): string => {
  const [amount, unit] =
    ms < SECOND_MS
      ? [ms, 'ms']
      : ms < MINUTE_MS
        ? [ms / SECOND_MS, 's']
        : ms < HOUR_MS
          ? [ms / MINUTE_MS, 'min']
          : [ms / HOUR_MS, 'h'];
  return `every ${amount} ${unit}`;
};

/** Formats what triggers a task, e.g. `every 1 s, on NOTIFY outbox`. */
export const formatTriggers = ({ periodMs, channels }: TaskDefinition): string =>
  [
    ...(periodMs === undefined ? [] : [formatPeriod(periodMs)]),
    ...channels.map((channel) => `on NOTIFY ${channel}`),
  ].join(', ');

/** Returns the names of all tasks. */
export const listTaskNames = (): readonly TaskName[] => Object.keys(backgroundTasks) as TaskName[];
