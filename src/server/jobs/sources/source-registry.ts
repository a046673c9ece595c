import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** Letters of the files of model types: `-` has ground vehicles. */
const letters = [...'-ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

const openSource = z.strictObject({
  name: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
  title: z.string().min(1),
  address: z.string().startsWith('https://'),
  file: z.string().regex(/^[\w{}-]+\.(?:csv|ssim|zip)$/),
  reader: z.enum(['master-data', 'ssim', 'bts']),
  licence: z.string().min(1),
  attribution: z.string(),
  refreshDays: z.int().positive(),
  maxMegabytes: z.int().positive(),
  checksum: z.union([z.literal('recorded'), z.string().regex(/^[0-9a-f]{64}$/)]),
});

/** An open source of data, as the registry describes it. */
export type OpenSource = Readonly<z.infer<typeof openSource>>;

/** One published file of a source: its address and its name in the folder of fetched files. */
export type SourceFile = { readonly address: string; readonly file: string };

/** A month of a source that publishes a file each month, from 1 to 12. */
export type SourceMonth = { readonly year: number; readonly month: number };

/** Reads the registry, `open-sources.yaml`. Throws when it is invalid. */
export const readSourceRegistry = (): readonly OpenSource[] =>
  z.array(openSource).parse(parse(readFileSync(new URL('open-sources.yaml', import.meta.url), 'utf8')));

/** Returns whether a source publishes a file each month; these are fetched on request only. */
export const isMonthly = ({ address }: OpenSource): boolean => address.includes('{month}');

const fillTemplate = ({ address, file }: OpenSource, values: Readonly<Record<string, string>>): SourceFile => {
  const fill = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
  return { address: fill(address), file: fill(file) };
};

/** Lists the files of a source; those of a monthly source for the requested months. */
export const listSourceFiles = (source: OpenSource, months: readonly SourceMonth[] = []): readonly SourceFile[] => {
  if (isMonthly(source))
    return months.map(({ year, month }) => fillTemplate(source, { year: String(year), month: String(month) }));
  if (source.address.includes('{letter}')) return letters.map((letter) => fillTemplate(source, { letter }));
  return [{ address: source.address, file: source.file }];
};

/** Returns the pattern of the file names of a source. */
export const createFilePattern = ({ file }: OpenSource): RegExp =>
  new RegExp(`^${file.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[A-Z0-9-]+')}$`);
