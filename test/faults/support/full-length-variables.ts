/** The lengths of the fault tests under `make faults`; a variable that is already set keeps its value. */
export const fullLengthVariables: Readonly<Record<string, string>> = {
  AWAY_SECONDS: '60',
  DISTRIBUTOR_KILLS: '22',
  DRAINS: '20',
  ENDLESS_ROUNDS: '20',
  FAULT_CURSORS: '500',
  FAULT_EVENTS: '2000',
  FEED_KILLS: '100',
  FLOODS: '10',
  FORGERIES: '10000',
  GUESSES: '100000',
  HUB_KILLS: '30',
  INJECTION_PAYLOADS: '61',
  LONG_RUN_MINUTES: '90',
  MUTATED_BYTES: 'all',
  MUTATION_RUNS: '1000000',
  PUSH_BACKLOG: '100000',
  PUSH_KILLS: '100',
  PUSH_ROTATIONS: '20',
  PUSH_SECONDS: '10',
  REPLICA_MESSAGES: '1000',
  RESTART_ROUNDS: '20',
  SCHEDULE_MESSAGE_KILLS: '100',
  SPOOL_FILES: '5000',
  SEQUENCER_KILLS: '55',
  SERVER_ROUNDS: '60',
  SOAK_MINUTES: '30',
  SLOW_CLIENTS: '1000',
  SLOW_ROUNDS: '3',
  SSIM_KILLS: '50',
  STATUS_KILL_ROUNDS: '50',
  TENANT_TIMINGS: '1000',
  UPGRADES: '20',
  WALK_ROUNDS: '30',
};

/** Other environment variables of the fault tests: seeds, settings, and those of Node. */
export const optionalVariables: readonly string[] = [
  'DISTRIBUTOR_SEED',
  'FAULTS_REPORT',
  'HUB_SEED',
  'MUTATION_SEED',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'SOAK_WORKERS',
  'SSIM_SEED',
];

export const faultTestFiles: readonly string[] = [
  'test/faults',
  'test/feeds/ssim/mutations.test.ts',
  'test/feeds/ssim/unread-bytes.test.ts',
];
