import type { SourceId } from '../../../domain/master-data/data-sources.ts';
import type { LocationFacts } from '../../../domain/master-data/master-data-facts.ts';
import { greatCircleMetres, type Position } from '../../../domain/master-data/distance.ts';
import type { Location } from '../../../domain/master-data/master-data.ts';

/** A location as one source gives it, before sources are joined. Codes and texts are '' where it has none. */
export type Station = Omit<Location, 'id'> &
  Omit<LocationFacts, 'provenance'> & {
    readonly source: SourceId;
    /** True where the source says that it closed, without the day. */
    readonly isClosed?: boolean;
  };

const parseBounded = (text: string, limit: number): number | undefined =>
  text === '' || !(Math.abs(Number(text)) <= limit) ? undefined : Number(text);

/** A position read from decimal degrees; both undefined unless both are numbers on the globe. */
export const parsePosition = (latitude: string, longitude: string): Pick<Station, 'latitude' | 'longitude'> => {
  const position = { latitude: parseBounded(latitude, 90), longitude: parseBounded(longitude, 180) };
  const isKnown = position.latitude !== undefined && position.longitude !== undefined;
  return isKnown ? position : { latitude: undefined, longitude: undefined };
};

/** A date of a validity, or '' for none: a source writes years far ahead for an end it does not know. */
export const parseDate = (text: string): string =>
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text) && text < '2090' ? text : '';

type OptionalPosition = Pick<Station, 'latitude' | 'longitude'>;

const toPosition = ({ latitude, longitude }: OptionalPosition): Position | undefined =>
  latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };

/** The distance of two stations, metres; Infinity when the position of one is unknown. */
export const computeMetres = (one: OptionalPosition, other: OptionalPosition): number => {
  const [from, to] = [toPosition(one), toPosition(other)];
  return from && to ? greatCircleMetres(from, to) : Infinity;
};
