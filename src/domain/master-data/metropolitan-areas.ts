import type { Location } from './master-data.ts';
import type { City, LocationFacts, Validity } from './master-data-facts.ts';

/** A city code under which several airports can be meant. On which days it is an area, its airports decide. */
export type AreaWithAirports = {
  readonly city: City;
  /** The airports that serve it, with the days they did. */
  readonly airports: readonly { readonly code: string; readonly validity: Validity }[];
  /** When places had the code of the area as their own. */
  readonly namesakes: readonly Validity[];
};

type LocationWithFacts = { readonly location: Location; readonly facts: LocationFacts };

/** Railway and bus stations and the like serve a city, but nobody means them by its code. */
const isAirport = ({ facts: { type } }: LocationWithFacts): boolean =>
  ['Airport', 'Heliport', 'SeaplaneBase', ''].includes(type);

/** The cities that serve as metropolitan areas on some day: those with an airport of another code. */
export const buildMetropolitanAreas = (
  cities: readonly City[],
  places: readonly LocationWithFacts[],
): readonly AreaWithAirports[] => {
  const stations = places.filter(({ location }) => location.iata !== '');
  const byCity = Map.groupBy(stations.filter(isAirport), ({ location }) => location.cityCode);
  const byCode = Map.groupBy(stations, ({ location }) => location.iata);
  return cities.flatMap((city) => {
    const serving = byCity.get(city.code) ?? [];
    if (serving.every(({ location }) => location.iata === city.code)) return [];
    const airports = serving.map(({ location, facts }) => ({ code: location.iata, validity: facts.validity }));
    return [{ city, airports, namesakes: (byCode.get(city.code) ?? []).map(({ facts }) => facts.validity) }];
  });
};
