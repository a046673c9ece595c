/** The countries whose states minimum connecting times can be filed for. */
const countries: ReadonlySet<string> = new Set(['US', 'CA', 'AU', 'BR', 'AR']);

/** ISO 3166-2 had two letters for these until 2004, and airlines have kept them. */
const others: Readonly<Record<string, string>> = {
  'AU-ACT': 'CT',
  'AU-NSW': 'NS',
  'AU-QLD': 'QL',
  'AU-TAS': 'TS',
  'AU-VIC': 'VI',
};

/**
 * The state as minimum connecting times name it, of a code of ISO 3166-2, e.g. `NY` of `US-NY`: what follows the hyphen, but for those states
 * of Australia that have two letters of their own. '' for other countries. A province of Argentina has one letter, and is met by no two.
 */
export const stateCodeOf = (region: string): string => {
  const [country = '', state = ''] = region.split('-');
  return countries.has(country) ? (others[region] ?? state) : '';
};
