import type { Location } from '../../domain/master-data.ts';

/** A location as one source gives it, before sources are joined. Codes are '' where it has none. */
export type Station = Omit<Location, 'id'>;

const within = (text: string, limit: number): number | undefined =>
  text === '' || !(Math.abs(Number(text)) <= limit) ? undefined : Number(text);

/** A position read from decimal degrees; both undefined unless both are numbers on the globe. */
export const readPosition = (latitude: string, longitude: string): Pick<Station, 'latitude' | 'longitude'> => {
  const position = { latitude: within(latitude, 90), longitude: within(longitude, 180) };
  const isKnown = position.latitude !== undefined && position.longitude !== undefined;
  return isKnown ? position : { latitude: undefined, longitude: undefined };
};
