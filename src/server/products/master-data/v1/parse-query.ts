import { toUtcDate, parseDate, type LocalDate } from '#domain/time/dates.ts';
import type { CodeSystem } from '#domain/master-data/master-data-index.ts';
import type { Position } from '#domain/master-data/distance.ts';
import type { CarrierFilter } from '#domain/master-data/carrier-records.ts';
import type { EquipmentFilter } from '#domain/master-data/equipment-records.ts';
import type { LocationFilter } from '#domain/master-data/location-records.ts';
import { invalidParameters } from '#http/response/problem.ts';
import type { z } from 'zod';
import type {
  zListCarriersQuery,
  zListEquipmentQuery,
  zListLocationsQuery,
} from '#generated/master-data/v1/zod.gen.ts';

/** The validated query for locations, as the contract types it. */
export type LocationsQuery = z.output<typeof zListLocationsQuery>;

/** The validated query for carriers. */
export type CarriersQuery = z.output<typeof zListCarriersQuery>;

/** The validated query for equipment. */
export type EquipmentQuery = z.output<typeof zListEquipmentQuery>;

const METRES_A_KILOMETRE = 1000;

const codeSystems = { IATA: 'iata', ICAO: 'icao', FAA: 'faa' } as const;
type NameOf = { readonly [Name in keyof typeof codeSystems as (typeof codeSystems)[Name]]: Name };
/** The wire name of a code system. */
export const codeTypeNames: NameOf = { iata: 'IATA', icao: 'ICAO', faa: 'FAA' };

const upper = (codes: readonly string[] | undefined): readonly string[] | undefined =>
  codes?.map((code) => code.toUpperCase());

/** Parses CodeType, in its order; IATA if it is absent. */
export const parseCodeTypes = <Name extends keyof typeof codeSystems>(
  names: readonly Name[] | undefined,
): readonly ((typeof codeSystems)[Name] | 'iata')[] => names?.map((name) => codeSystems[name]) ?? ['iata'];

/** Returns codes and their systems; systems without codes filter as well, codes without systems are IATA. */
const parseCodes = <System extends CodeSystem>(
  codes: readonly string[] | undefined,
  systems: readonly System[] | undefined,
) => ({ codes: upper(codes), systems: systems ?? (codes ? (['iata'] as const) : undefined) });

/** Parses AsOf; if absent, returns the UTC day of `now`. Throws the Problem of a date that does not exist. */
export const parseAsOf = (asOf: string | undefined, now: Date): LocalDate => {
  if (asOf === undefined) return toUtcDate(now);
  const day = parseDate(asOf);
  if (day === undefined) throw invalidParameters({ AsOf: [`must be a date of the calendar, not '${asOf}'`] });
  return day;
};

const parsePoint = (text: string): Position => {
  const [latitude = 0, longitude = 0] = text.split(',').map(Number);
  return { latitude, longitude };
};

const validatePoint = ({ latitude, longitude }: Position): readonly string[] => [
  ...(Math.abs(latitude) > 90 ? [`must have a latitude from -90 to 90, not ${latitude}`] : []),
  ...(Math.abs(longitude) > 180 ? [`must have a longitude from -180 to 180, not ${longitude}`] : []),
];

/** Parses a search of locations; throws the Problem that lists all violations of Near and WithinKm. */
export const parseLocationsQuery = (query: LocationsQuery): LocationFilter => {
  const { Near, WithinKm } = query;
  const point = Near === undefined ? undefined : parsePoint(Near);
  const violations = point ? validatePoint(point) : [];
  const isAlone = (point === undefined) !== (WithinKm === undefined);
  if (isAlone || violations.length > 0)
    throw invalidParameters({
      ...(isAlone && { '': ['Near and WithinKm need each other.'] }),
      ...(violations.length > 0 && { Near: violations }),
    });
  return {
    ...parseCodes(query.AirportCode, query.CodeType && parseCodeTypes(query.CodeType)),
    countries: upper(query.CountryCode),
    cities: upper(query.CityCode),
    types: query.Type,
    name: query.Name,
    near: point && { point, withinMetres: (WithinKm ?? 0) * METRES_A_KILOMETRE },
  };
};

/** Parses a search of carriers. */
export const parseCarriersQuery = (query: CarriersQuery): CarrierFilter => ({
  ...parseCodes(query.CarrierCode, query.CodeType && parseCodeTypes(query.CodeType)),
  names: query.CarrierName,
  alliances: query.Alliance,
  countries: upper(query.CountryCode),
  isPublishing: query.PublishingCarrier,
});

/** Parses a search of equipment. */
export const parseEquipmentQuery = (query: EquipmentQuery): EquipmentFilter => ({
  ...parseCodes(query.EquipmentCode, query.CodeType && parseCodeTypes(query.CodeType)),
  categories: query.Category,
  bodies: query.Body,
  manufacturers: query.Manufacturer,
});
