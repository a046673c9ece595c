import type { SourceId } from './data-sources.ts';

/** What names a terminal: loaded schedules, or minimum connecting times. */
export type TerminalSource = Extract<SourceId, 'schedules' | 'connecting-times'>;

/** The passenger terminals of a location: their codes in alphabetical order, and what names them. */
export type LocationTerminals = { readonly codes: readonly string[]; readonly sources: readonly TerminalSource[] };
