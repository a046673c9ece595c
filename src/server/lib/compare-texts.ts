/** Compares texts by their code units, as PostgreSQL does with the collation C for ASCII. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
