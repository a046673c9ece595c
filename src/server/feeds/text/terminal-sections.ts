/**
 * The sections of a file that terminal software writes, each below a line such as `=ORIGIN`. Their contents are those of a telegram: the origin and
 * its time are in two sections, and the identifier (SMI) can be repeated in the text.
 */
export type TerminalSection = 'header' | 'origin' | 'msgid' | 'smi' | 'text';

const sections: Readonly<Record<string, TerminalSection>> = {
  HEADER: 'header',
  PRIORITY: 'header',
  DESTINATION: 'header',
  DBLSIG: 'header',
  SUBJECT: 'header',
  ORIGIN: 'origin',
  MSGID: 'msgid',
  SMI: 'smi',
  TEXT: 'text',
};

/** Returns the section that a line starts, and whether it is the first of a telegram; undefined for another line. */
export const findTerminalSection = (
  line: string,
): { readonly section: TerminalSection; readonly isFirst: boolean } | undefined => {
  const name = /^=([A-Z]+)(?: TYPE [A-Z])?$/.exec(line)?.[1] ?? '';
  const section = Object.hasOwn(sections, name) ? sections[name] : undefined;
  return section && { section, isFirst: name === 'HEADER' };
};
