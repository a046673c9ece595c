import type { Labels, MetricSample } from './metric.ts';

/** Counts values by size. */
export type Histogram = {
  /** Takes some 20 ns; called for every request. */
  readonly observe: (value: number) => void;
  /** Returns cumulative buckets as in Prometheus: each counts the values up to its bound `le`. */
  readonly samples: (labels: Labels) => readonly MetricSample[];
};

/** Creates a histogram with these upper bounds, smallest first; greater values share one bucket. */
export const createHistogram = (bounds: readonly number[]): Histogram => {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0);
  let sum = 0;
  return {
    observe: (value) => {
      let at = 0;
      while (at < bounds.length && value > (bounds[at] ?? Infinity)) at += 1;
      counts[at] = (counts[at] ?? 0) + 1;
      sum += value;
    },
    samples: (labels) => {
      let count = 0;
      const buckets = counts.map((own, index): MetricSample => {
        count += own;
        const bound = bounds[index];
        return {
          suffix: '_bucket',
          labels: { ...labels, le: bound === undefined ? '+Inf' : String(bound) },
          value: count,
        };
      });
      return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: count }];
    },
  };
};
