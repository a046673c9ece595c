/** Corners of a ring, longitude and latitude in degrees; the last corner is the first. */
export type Ring = readonly (readonly [longitude: number, latitude: number])[];

/** How finely boundaries are drawn: rows of latitude, each by the latitude of its middle, and steps of longitude. */
export type Raster = { readonly rowsPerDegree: number; readonly stepsPerDegree: number };

/** A part of a row with the same zones, up to a step of longitude. */
type Run = { readonly end: number; readonly zones: string };
type Stretch = { readonly from: number; readonly to: number; readonly zone: string };

/** Returns the first and last row whose middle is between two latitudes. */
const findRows = (bottom: number, top: number, { rowsPerDegree }: Raster): readonly [number, number] => [
  Math.max(0, Math.ceil((bottom + 90) * rowsPerDegree - 0.5)),
  Math.min(180 * rowsPerDegree, Math.ceil((top + 90) * rowsPerDegree - 0.5)) - 1,
];

/** Lists where the edges of rings cross the middle of each row, as longitudes. */
const findCrossings = (rings: readonly Ring[], raster: Raster): ReadonlyMap<number, readonly number[]> => {
  const crossings = new Map<number, number[]>();
  for (const ring of rings)
    for (const [index, [x2, y2]] of ring.entries()) {
      const [x1, y1] = ring[index - 1] ?? [x2, y2];
      const [first, last] = findRows(Math.min(y1, y2), Math.max(y1, y2), raster);
      for (let row = first; row <= last; row++) {
        const latitude = (row + 0.5) / raster.rowsPerDegree - 90;
        const longitude = x1 + ((x2 - x1) * (latitude - y1)) / (y2 - y1);
        const inRow = crossings.get(row);
        if (inRow) inRow.push(longitude);
        else crossings.set(row, [longitude]);
      }
    }
  return crossings;
};

/** Cuts a row at the ends of all stretches; several zones of one part are joined by commas, in alphabetical order. */
const toRuns = (stretches: readonly Stretch[], end: number): readonly Run[] => {
  const changes = stretches
    .flatMap(({ from, to, zone }) => [
      { at: from, zone, by: 1 },
      { at: to, zone, by: -1 },
    ])
    .toSorted((one, other) => one.at - other.at);
  const open = new Map<string, number>();
  const runs: { end: number; zones: string }[] = [];
  let from = 0;
  for (const { at, zone, by } of [...changes, { at: end, zone: '', by: 0 }]) {
    const zones = [...open]
      .flatMap(([name, count]) => (count > 0 ? [name] : []))
      .toSorted()
      .join(',');
    const last = runs.at(-1);
    if (at > from && last?.zones === zones) last.end = at;
    else if (at > from) runs.push({ end: at, zones });
    from = at;
    open.set(zone, (open.get(zone) ?? 0) + by);
  }
  return runs;
};

/** Draws zones as runs of each row, from south to north. The rings of one entry do not overlap; those inside another are holes. */
export const rasterizeRings = (
  entries: Iterable<{ readonly zone: string; readonly rings: readonly Ring[] }>,
  raster: Raster,
): readonly (readonly Run[])[] => {
  const rows = Array.from({ length: 180 * raster.rowsPerDegree }, (): Stretch[] => []);
  const toStep = (longitude: number): number => Math.round((longitude + 180) * raster.stepsPerDegree);
  for (const { zone, rings } of entries)
    for (const [row, longitudes] of findCrossings(rings, raster)) {
      const sorted = longitudes.toSorted((one, other) => one - other);
      for (let index = 0; index + 1 < sorted.length; index += 2) {
        const [from, to] = [toStep(sorted[index] ?? 0), toStep(sorted[index + 1] ?? 0)];
        if (from < to) rows[row]?.push({ from, to, zone });
      }
    }
  return rows.map((stretches) => toRuns(stretches, 360 * raster.stepsPerDegree));
};

/**
 * Encodes rows for `readZoneBoundaries`: a line of JSON, then for each row the number of its runs, and for each run its zones, as an index
 * into the list of the header, and its steps. Numbers have seven bits a byte, the lowest first.
 */
export const encodeZoneRows = (
  rows: readonly (readonly Run[])[],
  header: Raster & { readonly date: string; readonly source: string },
): Uint8Array => {
  const indexes = new Map([['', 0]]);
  const bytes: number[] = [];
  const write = (value: number): void => {
    let rest = value;
    for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
    bytes.push(rest);
  };
  for (const runs of rows) {
    write(runs.length);
    let from = 0;
    for (const { end, zones } of runs) {
      const index = indexes.get(zones) ?? indexes.size;
      indexes.set(zones, index);
      write(index);
      write(end - from);
      from = end;
    }
  }
  const zones = [...indexes.keys()].map((names) => (names === '' ? [] : names.split(',')));
  return Buffer.concat([Buffer.from(`${JSON.stringify({ ...header, zones })}\n`), Buffer.from(bytes)]);
};
