import type { Metric, Sample } from './metric.ts';

const keyOf = ({ suffix = '', labels }: Sample): string => JSON.stringify([suffix, labels]);

const joinSamples = (samples: readonly Sample[], across: 'sum' | 'max'): readonly Sample[] => {
  const joined = new Map<string, Sample>();
  for (const sample of samples) {
    const key = keyOf(sample);
    const known = joined.get(key)?.value;
    if (known === undefined) joined.set(key, sample);
    else joined.set(key, { ...sample, value: across === 'sum' ? known + sample.value : Math.max(known, sample.value) });
  }
  return [...joined.values()];
};

/** What several processes have read as if they were one: samples with the same labels become one. */
export const joinMetrics = (read: readonly (readonly Metric[])[]): readonly Metric[] => {
  const byName = new Map<string, Metric>();
  for (const metric of read.flat()) {
    const samples = [...(byName.get(metric.name)?.samples ?? []), ...metric.samples];
    byName.set(metric.name, { ...metric, samples });
  }
  return [...byName.values()].map((metric) => ({
    ...metric,
    samples: joinSamples(metric.samples, metric.across ?? 'sum'),
  }));
};
