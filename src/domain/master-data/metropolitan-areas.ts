import type { Location } from './master-data.ts';
import type { City, LocationFacts, Validity } from './master-data-facts.ts';

/** A city code that can stand for several airports. Whether it is an area on a day depends on its airports. */
export type AreaWithAirports = {
  readonly city: City;
  /** The airports that serve it, with their validity. */
  readonly airports: readonly { readonly code: string; readonly validity: Validity }[];
  /** Validity of the locations whose own code is that of the area. */
  readonly namesakes: readonly Validity[];
};

type LocationWithFacts = { readonly location: Location; readonly facts: LocationFacts };

/** Railway and bus stations serve a city, but its code does not stand for them. */
const isAirport = ({ facts: { type } }: LocationWithFacts): boolean =>
  ['Airport', 'Heliport', 'SeaplaneBase', ''].includes(type);

/** Builds the metropolitan areas: cities with an airport of another code on some day. */
export const buildMetropolitanAreas = (
  cities: readonly City[],
  locations: readonly LocationWithFacts[],
): readonly AreaWithAirports[] => {
  const stations = locations.filter(({ location }) => location.iata !== '');
  const byCity = Map.groupBy(stations.filter(isAirport), ({ location }) => location.cityCode);
  const byCode = Map.groupBy(stations, ({ location }) => location.iata);
  return cities.flatMap((city) => {
    const airportsOfCity = byCity.get(city.code) ?? [];
    if (airportsOfCity.every(({ location }) => location.iata === city.code)) return [];
    const airports = airportsOfCity.map(({ location, facts }) => ({ code: location.iata, validity: facts.validity }));
    return [{ city, airports, namesakes: (byCode.get(city.code) ?? []).map(({ facts }) => facts.validity) }];
  });
};
