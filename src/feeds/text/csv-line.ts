/**
 * Returns the cells of one comma-separated line without their quotes; undefined when a quoted cell does not end, or continues after
 * its closing quote. For files whose rows never span lines: a lost quote then invalidates one row, not the rest of the file.
 */
export const splitCsvLine = (line: string): readonly string[] | undefined => {
  if (!line.includes('"')) return line.split(',');
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    if (line[at] === '"') {
      const cell = readQuotedCell(line, at);
      if (!cell) return undefined;
      cells.push(cell.text);
      at = cell.end;
    } else {
      const comma = line.indexOf(',', at);
      const end = comma === -1 ? line.length : comma;
      cells.push(line.slice(at, end));
      at = end;
    }
    if (at === line.length) return cells;
    if (line[at] !== ',') return undefined;
    at += 1;
  }
};

/** Returns the cell whose quote opens at `start`, and where it ends; two quotes within it are one. */
const readQuotedCell = (line: string, start: number): { readonly text: string; readonly end: number } | undefined => {
  let text = '';
  let from = start + 1;
  for (;;) {
    const quote = line.indexOf('"', from);
    if (quote === -1) return undefined;
    text += line.slice(from, quote);
    if (line[quote + 1] !== '"') return { text, end: quote + 1 };
    text += '"';
    from = quote + 2;
  }
};
