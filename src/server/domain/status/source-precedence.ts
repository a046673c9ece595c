/** The names of public feeds, whose terms require that they are named with the data. */
export const openSources: ReadonlySet<string> = new Set(['avinor', 'hkia', 'swedavia']);

/** Means all sources that are not named. */
const OTHERS = '*';

/** Names of sources by rank: those of the first list have precedence. `*` means all others. */
export type SourcePrecedence = readonly (readonly string[])[];

/** Contracted sources have precedence over public feeds. */
export const defaultSourcePrecedence: SourcePrecedence = [[OTHERS], [...openSources]];

/** Formats an order of precedence: ranks are separated by spaces, the sources of one rank by commas. */
export const formatSourcePrecedence = (precedence: SourcePrecedence): string =>
  precedence.map((names) => names.join(',')).join(' ');

/** Parses an order of precedence such as `* avinor,hkia`; undefined if it has a name twice or an empty one, or lacks `*`. */
export const parseSourcePrecedence = (text: string): SourcePrecedence | undefined => {
  const ranks = text
    .split(/\s+/)
    .filter((rank) => rank !== '')
    .map((rank) => rank.split(','));
  const names = ranks.flat();
  const isValid = names.includes(OTHERS) && !names.includes('') && new Set(names).size === names.length;
  return isValid ? ranks : undefined;
};

/** Returns the name of a source without the airport that may follow it: `avinor` of `avinor:OSL`. */
export const getSourceName = (source: string): string => source.split(':', 1)[0] ?? source;

/** Returns the airport whose own feed a source is: `OSL` of `avinor:OSL`. */
export const getSourceAirport = (source: string): string | undefined => source.split(':', 2)[1];

/** Returns the rank of a source: 0 has precedence over 1. */
export const getSourceRank = (source: string, precedence: SourcePrecedence): number => {
  const [full, name] = [source, getSourceName(source)];
  const rank = precedence.findIndex((names) => names.includes(full) || names.includes(name));
  return rank === -1 ? precedence.findIndex((names) => names.includes(OTHERS)) : rank;
};

/** Gives messages the ranks of their sources, where these are not the default ones. */
export const rankMessages = <Message extends { readonly source: string; readonly rank?: number | undefined }>(
  messages: readonly Message[],
  precedence: SourcePrecedence | undefined,
): readonly Message[] => {
  if (!precedence) return messages;
  const ranks = new Map<string, number | undefined>();
  for (const source of new Set(messages.map((message) => message.source))) {
    const rank = getSourceRank(source, precedence);
    ranks.set(source, rank === getSourceRank(source, defaultSourcePrecedence) ? undefined : rank);
  }
  return messages.map((message) => {
    const rank = message.rank ?? ranks.get(message.source);
    return rank === undefined ? message : { ...message, rank };
  });
};

/** The ends of a flight; an airport knows its own best. */
export type AirportEnd = 'departure' | 'arrival';

/**
 * Returns the level of a fact: the lower one has precedence. The rank of the source decides, then whether the fact is about the airport of the
 * source. It is 0 for a source of the first rank at other airports than its own.
 */
export const computeLevel = (rank: number, isOwnEnd: boolean): number => rank * 2 - (isOwnEnd ? 1 : 0);
