/**
 * How long tests of faults go on under `make faults`, by the environment variables that they read; without them they are as short
 * as every change can wait for. A variable that is set already stays as it is.
 */
export const fullLengthVariables: Readonly<Record<string, string>> = {
  AWAY_SECONDS: '60',
  DISTRIBUTOR_KILLS: '22',
  DRAINS: '20',
  FAULT_CURSORS: '500',
  FAULT_EVENTS: '2000',
  FORGERIES: '10000',
  GUESSES: '100000',
  HUB_KILLS: '30',
  MUTATED_BYTES: 'all',
  MUTATION_RUNS: '1000000',
  PUSH_BACKLOG: '100000',
  PUSH_KILLS: '100',
  PUSH_ROTATIONS: '20',
  PUSH_SECONDS: '10',
  REPLICA_MESSAGES: '1000',
  RESTART_ROUNDS: '20',
  SEQUENCER_KILLS: '55',
  SERVER_ROUNDS: '60',
  SOAK_MINUTES: '30',
  SLOW_CLIENTS: '1000',
  SLOW_ROUNDS: '3',
  SSIM_KILLS: '50',
  STATUS_KILL_ROUNDS: '50',
  STUCK_BOUND_SECONDS: '2',
  TENANT_TIMINGS: '1000',
  UPGRADES: '20',
  WALK_ROUNDS: '30',
};

/** What tests of faults read of the environment that is no length: seeds, settings, and what Node itself reads. */
export const optionalVariables: readonly string[] = [
  'DISTRIBUTOR_SEED',
  'FAULTS_TOLD',
  'HUB_SEED',
  'MUTATION_SEED',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'RESTART_AWAY_MS',
  'SOAK_WORKERS',
  'SSIM_SEED',
];

/** Where tests of faults are. */
export const faultTestFiles: readonly string[] = [
  'test/faults',
  'test/feeds/ssim/mutations.test.ts',
  'test/feeds/ssim/unread-bytes.test.ts',
];
