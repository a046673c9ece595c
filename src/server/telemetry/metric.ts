/** Label names and values of a sample. The set of values is fixed for a metric, which bounds its memory. */
export type Labels = Readonly<Record<string, string>>;

/** One number; those of a histogram have the suffixes `_bucket`, `_sum` and `_count`. */
export type MetricSample = { readonly suffix?: string; readonly labels: Labels; readonly value: number };

/** A metric with its current samples. Names end in the base unit, those of counters in `_total`. */
export type Metric = {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How values of several processes are merged: added, or the maximum for values that all processes share. Default: `sum`. */
  readonly across?: 'sum' | 'max';
  readonly samples: readonly MetricSample[];
};

/** Reads the current metrics. */
export type Observe = () => readonly Metric[] | Promise<readonly Metric[]>;

/** Creates a gauge with one sample without labels; no sample for undefined, because unknown is not zero. */
export const createGauge = (name: string, help: string, value: number | undefined): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: value === undefined ? [] : [{ labels: {}, value }],
});

/** Creates a counter with one sample without labels. */
export const createCounter = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'counter',
  samples: [{ labels: {}, value }],
});

const sampleKey = ({ suffix = '', labels }: MetricSample): string => JSON.stringify([suffix, labels]);

const mergeSamples = (samples: readonly MetricSample[], across: 'sum' | 'max'): readonly MetricSample[] => {
  const joined = new Map<string, MetricSample>();
  for (const sample of samples) {
    const key = sampleKey(sample);
    const known = joined.get(key)?.value;
    if (known === undefined) joined.set(key, sample);
    else joined.set(key, { ...sample, value: across === 'sum' ? known + sample.value : Math.max(known, sample.value) });
  }
  return [...joined.values()];
};

/** Merges the metrics of several processes: samples with equal labels become one. */
export const mergeMetrics = (read: readonly (readonly Metric[])[]): readonly Metric[] => {
  const byName = new Map<string, Metric>();
  for (const metric of read.flat()) {
    const samples = [...(byName.get(metric.name)?.samples ?? []), ...metric.samples];
    byName.set(metric.name, { ...metric, samples });
  }
  return [...byName.values()].map((metric) => ({
    ...metric,
    samples: mergeSamples(metric.samples, metric.across ?? 'sum'),
  }));
};
