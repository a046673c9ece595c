/** Names and values of the labels of a sample; which there are is fixed for a metric, so that what is kept of it stays small. */
export type Labels = Readonly<Record<string, string>>;

/** One number. A histogram has them under the suffixes `_bucket`, `_sum` and `_count`. */
export type Sample = { readonly suffix?: string; readonly labels: Labels; readonly value: number };

/** A metric as it is read out. Names end in the base unit, of a counter in `_total`. */
export type Metric = {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How the values of several processes become one: added up, or the greatest, for what they all see alike. `sum` when it is left out. */
  readonly across?: 'sum' | 'max';
  readonly samples: readonly Sample[];
};

/** Reads metrics when somebody asks for them. */
export type Observe = () => readonly Metric[] | Promise<readonly Metric[]>;

/** A metric of one number without labels; undefined is no sample: what is not known is not zero. */
export const gauge = (name: string, help: string, value: number | undefined): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: value === undefined ? [] : [{ labels: {}, value }],
});

/** A counter of one number without labels. */
export const counter = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'counter',
  samples: [{ labels: {}, value }],
});
