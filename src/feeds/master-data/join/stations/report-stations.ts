import { inKilometers } from '../../../../domain/master-data/distance.ts';
import type { LocationFacts } from '../../../../domain/master-data/master-data-facts.ts';
import type { Location } from '../../../../domain/master-data/master-data.ts';
import type { LoadReport } from '../../../load-report.ts';
import { codedRegion } from './merge-listing.ts';
import { outvotedBy, type Place } from './group-listings.ts';
import type { Regions } from '../../sources/regions.ts';
import { metresBetween, type Station } from '../../sources/station.ts';

/** Two lists that place one station farther apart than this contradict each other; reference points differ by less. */
const CONFLICT_METRES = 25_000;

type Remark = { readonly reason: string; readonly field: string; readonly value: string; readonly message: string };

const listed = { snapshot: 'the older list', bestKnown: 'the points of reference' } as const;

const positionsOf = (main: Station, place: Place): readonly Remark[] => {
  const { moved } = place;
  if (moved) {
    const list = listed[moved === place.snapshot ? 'snapshot' : 'bestKnown'];
    const message = `${main.iata} moved by ${inKilometers(metresBetween(main, moved))} km, and the list of airports has it where it was: the place in ${list} is taken.`;
    return [{ reason: 'airport-moved', field: 'latitude', value: main.iata, message }];
  }
  const better = outvotedBy(place);
  if (better) {
    const message = `The older list and the points of reference agree on a position of ${main.iata} ${inKilometers(metresBetween(main, better))} km from where the list of airports has it: theirs is taken.`;
    return [{ reason: 'position-outvoted', field: 'latitude', value: main.iata, message }];
  }
  return (['snapshot', 'bestKnown'] as const).flatMap((part) => {
    const other = place[part];
    const metres = other ? metresBetween(main, other) : Infinity;
    if (metres === Infinity || metres <= CONFLICT_METRES) return [];
    const message = `${main.iata} lies ${inKilometers(metres)} km from there in ${listed[part]}: where the list of airports has it is taken.`;
    return [{ reason: 'position-differs', field: 'latitude', value: main.iata, message }];
  });
};

const countryOf = (main: Station, { snapshot }: Place): readonly Remark[] => {
  if (!snapshot || snapshot.countryCode === '' || snapshot.countryCode === main.countryCode) return [];
  const message = `The older list has ${main.iata} in ${snapshot.countryCode}, the list of airports in ${main.countryCode}, which is taken.`;
  return [{ reason: 'country-differs', field: 'country', value: main.iata, message }];
};

const regionOf = (main: Station, place: Place, regions: Regions): readonly Remark[] => {
  const coded = codedRegion(place, regions);
  const named = regions.named(main.countryCode, main.region.name);
  if (!coded || !named || coded.code === named.code) return [];
  const message = `The list of airports has ${main.iata} in ${named.name}, the older list in ${coded.name}, which is taken.`;
  return [{ reason: 'region-differs', field: 'region', value: main.iata, message }];
};

const withdrawalOf = (main: Station, { withdrawn }: Place): readonly Remark[] => {
  if (!withdrawn) return [];
  const zone =
    withdrawn.zone === undefined || main.zone === undefined || withdrawn.zone === main.zone
      ? []
      : [
          {
            reason: 'zone-differs',
            field: 'zone',
            value: main.iata,
            message: `The list of withdrawn codes has ${main.iata} in ${withdrawn.zone}, the list of airports in ${main.zone}, which is taken.`,
          },
        ];
  const until = withdrawn.validity.to === '' ? '' : ` on ${withdrawn.validity.to}`;
  const message = `${main.iata} was withdrawn from ${withdrawn.name}${until}, yet the list of airports has it in use: it stays in use.`;
  return [{ reason: 'withdrawn-code-in-use', field: 'iata', value: main.iata, message }, ...zone];
};

const ownersOf = (places: readonly Place[]): readonly Remark[] => {
  const [first, ...others] = places;
  if (!first?.main) return [];
  const { iata, name } = first.main;
  return others
    .filter(({ withdrawn }) => !withdrawn)
    .map(({ snapshot, bestKnown }) => {
      const place = snapshot?.name || `a station of ${bestKnown?.cityCode || 'no known city'}`;
      const message = `${iata} is ${name} in the list of airports, which answers first, and ${place} in ${bestKnown ? listed.bestKnown : listed.snapshot}.`;
      return { reason: 'code-of-two-places', field: 'iata', value: iata, message };
    });
};

/** Reports where the lists contradict each other about the places of one code, and which was believed. */
export const reportConflicts = (places: readonly Place[], regions: Regions, report: LoadReport): void => {
  const remarks = places.flatMap((place) => {
    const { main } = place;
    if (!main) return [];
    return [
      ...positionsOf(main, place),
      ...countryOf(main, place),
      ...regionOf(main, place, regions),
      ...withdrawalOf(main, place),
    ];
  });
  for (const remark of [...remarks, ...ownersOf(places)]) report.entries.push({ severity: 'notice', ...remark });
};

type Described = Omit<Location, 'id'> & { readonly facts: LocationFacts };

const gaps: readonly (readonly [string, string, string, (station: Described) => boolean])[] = [
  ['station-without-icao-code', 'icao', 'have no ICAO code', ({ icao }) => icao === ''],
  ['station-without-name', 'name', 'have no name', ({ name }) => name === ''],
  ['station-without-city-code', 'city', 'have no city code', ({ cityCode }) => cityCode === ''],
  ['station-without-country', 'country', 'have no country', ({ countryCode }) => countryCode === ''],
  ['station-without-region', 'region', 'have no region', ({ facts }) => facts.region.name === ''],
  ['station-without-position', 'latitude', 'have no position', ({ latitude }) => latitude === undefined],
  ['station-without-zone', 'zone', 'have no time zone', ({ zone }) => zone === undefined],
  [
    'station-named-by-city',
    'name',
    'have the name of their city, since no list tells theirs',
    ({ name, facts }) => name !== '' && facts.provenance['name'] === 'own',
  ],
];

/** Counts what no list tells of the locations that have an IATA code. */
export const reportGaps = (stations: readonly Described[], report: LoadReport): void => {
  const coded = stations.filter(({ iata }) => iata !== '');
  for (const [reason, field, lack, isGap] of gaps) {
    const count = coded.filter(isGap).length;
    if (count === 0) continue;
    const message = `So many of ${coded.length} locations with an IATA code ${lack}.`;
    report.entries.push({ severity: 'notice', field, value: String(count), reason, message });
  }
};
