import type { SourceId } from '#domain/master-data/data-sources.ts';
import type { LocationFacts } from '#domain/master-data/master-data-facts.ts';
import { computeGreatCircleMetres, type Position } from '#domain/master-data/distance.ts';
import type { Location } from '#domain/master-data/master-data.ts';

/** A location in one source, before the sources are joined. Missing codes and texts are ''. */
export type Station = Omit<Location, 'id'> &
  Omit<LocationFacts, 'provenance'> & {
    readonly source: SourceId;
    /** True when the source has it as closed, without a date. */
    readonly isClosed?: boolean;
  };

const parseBounded = (text: string, limit: number): number | undefined =>
  text === '' || !(Math.abs(Number(text)) <= limit) ? undefined : Number(text);

/** Returns a position in decimal degrees; both are undefined unless both are valid. */
export const parsePosition = (latitude: string, longitude: string): Pick<Station, 'latitude' | 'longitude'> => {
  const position = { latitude: parseBounded(latitude, 90), longitude: parseBounded(longitude, 180) };
  const isKnown = position.latitude !== undefined && position.longitude !== undefined;
  return isKnown ? position : { latitude: undefined, longitude: undefined };
};

/** Returns a date of a validity, '' for none. A source writes years after 2090 for an unknown end. */
export const parseDate = (text: string): string =>
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text) && text < '2090' ? text : '';

type OptionalPosition = Pick<Station, 'latitude' | 'longitude'>;

const toPosition = ({ latitude, longitude }: OptionalPosition): Position | undefined =>
  latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };

/** Returns the distance of two stations in metres, Infinity when a position is unknown. */
export const computeMetres = (one: OptionalPosition, other: OptionalPosition): number => {
  const [from, to] = [toPosition(one), toPosition(other)];
  return from && to ? computeGreatCircleMetres(from, to) : Infinity;
};
