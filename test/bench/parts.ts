type Part = {
  /** A script beside this file that reports its figures with `printFigure`. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
};

/** The parts of the suite in run order. */
const all = {
  loading: { script: './loading.ts' },
  serving: { script: './serving.ts' },
  hot: { script: './hot-pages.ts' },
  encodings: { script: './encodings.ts' },
  growth: { script: './growth.ts' },
  status: { script: './status-stream.ts' },
  alerts: { script: './alerts.ts' },
  distribution: { script: './distribution.ts' },
  push: { script: './push-load.ts' },
  pull: { script: './pull.ts' },
  connections: { script: './connections.ts' },
  'master-data': { script: './master-data.ts' },
} as const satisfies Readonly<Record<string, Part>>;

export type PartName = keyof typeof all;

export const parts: Readonly<Record<PartName, Part>> = all;

export const partNames = Object.keys(all) as readonly PartName[];
