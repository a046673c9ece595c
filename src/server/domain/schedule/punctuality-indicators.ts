import type { FiledPunctuality } from './schedule.ts';

/** The on-time indicator of DEI 501; `month` is '' when not filed. */
export type OnTimeIndicator = { readonly month: string; readonly value: string };

/** The delays and cancellations indicator of DEI 502, percentages as filed, '' when not filed. */
export type DelaysIndicator = {
  readonly month: string;
  readonly min15: string;
  readonly min30: string;
  readonly min30Warning: string;
  readonly cancel: string;
};

/** Parses `MM/V`, or `V` alone; undefined when nothing is filed. */
export const parseOnTimeIndicator = ({ indicator }: FiledPunctuality): OnTimeIndicator | undefined => {
  if (indicator === '') return undefined;
  const [first = '', second] = indicator.split('/').map((part) => part.trim());
  return second === undefined ? { month: '', value: first } : { month: first, value: second };
};

/** Parses `MM/15/30/W/C`; undefined when nothing is filed or the text has another form. */
export const parseDelaysIndicator = ({ delaysAndCancellations }: FiledPunctuality): DelaysIndicator | undefined => {
  const parts = delaysAndCancellations.split('/').map((part) => part.trim());
  if (parts.length !== 5) return undefined;
  const [month = '', min15 = '', min30 = '', min30Warning = '', cancel = ''] = parts;
  return { month, min15, min30, min30Warning, cancel };
};
