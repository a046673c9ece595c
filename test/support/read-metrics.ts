/** A metric in the text format of Prometheus: samples by name and labels as written. */
export type ReadMetric = {
  readonly type: string;
  readonly help: string;
  readonly samples: ReadonlyMap<string, number>;
};

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\]|\\[\\"n])*"`;
const sampleLine = new RegExp(String.raw`^(${NAME})((?:\{${LABEL}(?:,${LABEL})*\})?) (\S+)$`);
const commentLine = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`);
const number = /^(?:[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?|[+-]Inf|NaN)$/i;
const suffixes = { histogram: ['_bucket', '_sum', '_count'], counter: [''], gauge: [''] } as const;
const isMetricType = (text: string): text is keyof typeof suffixes => Object.hasOwn(suffixes, text);

const createError = (line: string, why: string): Error => new Error(`${why}: ${line}`);

/** Bucket counts grow with their bounds up to `+Inf`, which equals the count. */
const checkHistogram = (name: string, samples: ReadonlyMap<string, number>): void => {
  const series = new Map<string, number[]>();
  for (const [key, value] of samples) {
    const match = /^(.*_bucket)(.*?),?le="([^"]+)"\}$/.exec(key);
    if (!match) continue;
    const rest = (match[2] ?? '').replace(/^\{$/, '');
    series.set(rest, [...(series.get(rest) ?? []), value]);
    if (match[3] !== '+Inf') continue;
    const count = samples.get(`${name}_count${rest === '' ? '' : `${rest}}`}`);
    if (count !== value) throw createError(key, `the bucket +Inf is ${value}, the count ${count}`);
  }
  for (const [labels, values] of series)
    if (values.some((value, index) => value < (values[index - 1] ?? 0))) throw createError(labels, 'buckets fall');
};

/** Parses the text format (0.0.4) strictly: HELP, TYPE, then all samples of a metric. Throws on any deviation. */
export const readMetrics = (text: string): ReadonlyMap<string, ReadMetric> => {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const metrics = new Map<string, { type: string; help: string; samples: Map<string, number> }>();
  let current: { name: string; type: string; help: string } | undefined;
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, metricName = '', rest = ''] = commentLine.exec(line) ?? [];
    if (kind === 'HELP') {
      if (metrics.has(metricName)) throw createError(line, 'a metric twice');
      current = { name: metricName, type: '', help: rest };
      continue;
    }
    if (!current) throw createError(line, 'no HELP before');
    if (kind === 'TYPE') {
      if (metricName !== current.name || !isMetricType(rest)) throw createError(line, 'not a TYPE of the HELP before');
      current.type = rest;
      metrics.set(metricName, { type: rest, help: current.help, samples: new Map() });
      continue;
    }
    const [, name = '', labels = '', value = ''] = sampleLine.exec(line) ?? [];
    const metric = metrics.get(current.name);
    if (!metric || !isMetricType(metric.type)) throw createError(line, 'no TYPE before');
    const fits = suffixes[metric.type].some((suffix) => name === `${current?.name}${suffix}`);
    if (!fits || !number.test(value)) throw createError(line, 'no sample of the metric before');
    const key = `${name}${labels}`;
    if (metric.samples.has(key)) throw createError(line, 'a sample twice');
    metric.samples.set(key, Number(value.replace('Inf', 'Infinity')));
  }
  for (const [name, { type, samples }] of metrics) if (type === 'histogram') checkHistogram(name, samples);
  return metrics;
};
