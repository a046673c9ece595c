/** Decodes a name or value of a query; returns it unchanged when it is badly encoded. */
export const decodeQueryText = (text: string): string => {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};
