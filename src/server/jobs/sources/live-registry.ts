import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { openSources } from '#domain/status/source-precedence.ts';
import { addDays, formatDate, localDate } from '#domain/time/dates.ts';
import { isZone } from '#domain/time/zones.ts';
import { toLocalDateText } from '#feeds/live/live-row.ts';

const liveSource = z.strictObject({
  // Otherwise its attribution would be lost.
  name: z
    .string()
    .regex(/^[a-z0-9]+$/)
    .refine((name) => openSources.has(name), 'is not one of openSources'),
  title: z.string().min(1),
  reader: z.enum(['avinor', 'hkia', 'swedavia']),
  address: z.string().startsWith('https://'),
  changes: z.string().optional(),
  places: z.array(z.string().regex(/^[A-Z]{3}$/)).min(1),
  onePlace: z.boolean().default(true),
  zone: z.string().refine(isZone),
  days: z.array(z.strictObject({ day: z.int(), seconds: z.int().min(120) })).min(1),
  categories: z.array(z.record(z.string(), z.string())).min(1),
  hoursBack: z.int().positive().optional(),
  hoursAhead: z.int().positive().optional(),
  fullMinutes: z.int().min(0),
  staleMinutes: z.int().positive(),
  contentMinutes: z.int().positive().optional(),
  maxMegabytes: z.int().positive(),
  timeoutSeconds: z.int().positive(),
  licence: z.string().min(1),
  attribution: z.string().min(1),
  link: z.string().startsWith('https://'),
  keyVariable: z.string().optional(),
  keyHeader: z.string().optional(),
});

/** A live feed, as the registry describes it. */
export type LiveSource = Readonly<z.infer<typeof liveSource>>;

/** A source that a server follows, and the airports. */
export type FollowedSource = { readonly source: LiveSource; readonly places: readonly string[] };

let registry: readonly LiveSource[] | undefined;

/** Returns the registry, `live-sources.yaml`, which is read once. Throws when it is invalid. */
export const readLiveRegistry = (): readonly LiveSource[] => {
  registry ??= z.array(liveSource).parse(parse(readFileSync(new URL('live-sources.yaml', import.meta.url), 'utf8')));
  return registry;
};

/** Parses `avinor:OSL,BGO hkia`: sources, each with airports or for all of its airports. Throws RangeError that names the invalid part. */
export const parseFollowedSources = (text: string, sources = readLiveRegistry()): readonly FollowedSource[] => {
  const followed = text
    .trim()
    .split(/\s+/)
    .map((part) => {
      const [name = '', list] = part.split(':', 2);
      const source = sources.find((one) => one.name === name);
      if (!source)
        throw new RangeError(`'${name}' is not a live source; there are ${sources.map((one) => one.name).join(', ')}`);
      if (list === undefined) return { source, places: source.places };
      const places = list.split(',').filter((place) => place !== '');
      const unknown = places.find((place) => !source.places.includes(place));
      if (unknown !== undefined || places.length === 0)
        throw new RangeError(`'${unknown ?? ''}' is not an airport of ${name}; there are ${source.places.join(', ')}`);
      return { source, places: [...new Set(places)] };
    });
  const twice = followed.find(({ source }, index) => followed.findIndex((one) => one.source === source) !== index);
  if (twice) throw new RangeError(`'${twice.source.name}' is named twice; list its airports with commas`);
  return followed;
};

/** A kind of request that is sent again and again. */
export type PlannedRequest = {
  readonly source: LiveSource;
  /** The airport, or all of them with commas between. */
  readonly place: string;
  /** Identifies it among those of the place, such as `0 arrival=true cargo=false`. */
  readonly request: string;
  /** The requested date, in days from today at the airport. */
  readonly day: number;
  readonly intervalMs: number;
  readonly category: Readonly<Record<string, string>>;
};

/** Lists the requests of a source, the most frequent ones first. `leastSeconds` makes them rarer. */
export const planRequests = ({ source, places }: FollowedSource, leastSeconds = 0): readonly PlannedRequest[] =>
  source.days.flatMap(({ day, seconds }) =>
    (source.onePlace ? places : [places.join(',')]).flatMap((place) =>
      source.categories.map((category) => {
        const names = Object.entries(category).map(([name, value]) => `${name}=${value}`);
        const intervalMs = Math.max(seconds, leastSeconds) * 1000;
        return { source, place, request: [String(day), ...names].join(' '), day, intervalMs, category };
      }),
    ),
  );

/** Returns the most requests of a source in an hour. */
export const countRequestsPerHour = (requests: readonly PlannedRequest[]): number =>
  requests.reduce((sum, { intervalMs }) => sum + Math.ceil(3_600_000 / intervalMs), 0);

const fillTemplate = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(values[name] ?? ''));

/** Returns the date that a request is about; '' where requests have none. */
export const getRequestPeriod = ({ source, day }: PlannedRequest, now: Date): string => {
  if (!/\{(date|filter)\}/.test(source.address)) return '';
  return formatDate(addDays(localDate(toLocalDateText(now, source.zone)), day));
};

/** Builds the parameters and the address of a request; with a cursor, of changes only. */
export const buildLiveRequest = (
  { source, place, category }: PlannedRequest,
  { period, cursor }: { readonly period: string; readonly cursor: string | undefined },
): { readonly address: string; readonly parameters: Readonly<Record<string, string>> } => {
  const airports = place.split(',').map((code) => `airport eq '${code}'`);
  const parameters = {
    ...category,
    place,
    date: period,
    filter: `(${airports.join(' or ')}) and scheduled eq '${period}'`,
    hoursBack: String(source.hoursBack ?? ''),
    hoursAhead: String(source.hoursAhead ?? ''),
  };
  const changes = cursor === undefined ? '' : fillTemplate(source.changes ?? '', { cursor });
  return { address: `${fillTemplate(source.address, parameters)}${changes}`, parameters };
};

/** Returns when the day of a place ends, for requests that are complete until then. */
export const getNextDay = ({ zone }: LiveSource, now: Date): Date => {
  let at = now.getTime();
  const today = toLocalDateText(now, zone);
  while (toLocalDateText(new Date(at), zone) === today) at += 15 * 60_000;
  return new Date(at);
};
