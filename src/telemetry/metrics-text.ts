import type { Labels, Metric } from './metric.ts';

/** The media type of the text. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const escaped = (text: string): string => text.replaceAll('\\', String.raw`\\`).replaceAll('\n', String.raw`\n`);

const labelsText = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
};

const numberText = (value: number): string => {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : `${value > 0 ? '+' : '-'}Inf`;
};

/** Metrics in the text format of Prometheus, version 0.0.4; those without samples are left out. */
export const metricsText = (metrics: readonly Metric[]): string =>
  metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(
        ({ suffix = '', labels, value }) => `${name}${suffix}${labelsText(labels)} ${numberText(value)}\n`,
      );
      return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    })
    .join('');
