import type { CabinLetters } from './cabin-letters.ts';

/** Local dates `YYYY-MM-DD`, both included; '' when unknown. */
export type Validity = { readonly from: string; readonly to: string };

/** The source of each fact: names of API fields, with dots, to IDs of `dataSources`. */
export type Provenance = Readonly<Record<string, string>>;

export type LocationType =
  | 'Airport'
  | 'Heliport'
  | 'SeaplaneBase'
  | 'RailwayStation'
  | 'BusStation'
  | 'Port'
  | 'OffPoint';

/** Further facts of a location; unknown texts are ''. */
export type LocationFacts = {
  readonly type: LocationType | '';
  readonly cityName: string;
  /** A state or province; its code is that of ISO 3166-2, e.g. `US-NY`. */
  readonly region: { readonly code: string; readonly name: string };
  readonly validity: Validity;
  readonly provenance: Provenance;
};

/** A city or metropolitan area with its IATA code, which stations serve; not a destination of flights itself. */
export type City = {
  readonly code: string;
  readonly name: string;
  readonly countryCode: string;
  /** Degrees, north and east positive. */
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  readonly zone: string | undefined;
  readonly provenance: Provenance;
};

/** A name of a carrier and its validity. */
export type CarrierName = Validity & { readonly name: string };

export const membershipTypes = ['Member', 'Affiliate'] as const;

/** A membership of a carrier in an alliance and its validity. */
export type Membership = Validity & { readonly alliance: string; readonly type: (typeof membershipTypes)[number] };

/** Further facts of a carrier. */
export type CarrierFacts = {
  /** How it uses the letters of its aircraft configurations; absent when as in SSIM. */
  readonly cabinLetters?: CabinLetters;
  /** Country of domicile: ISO 3166-1 alpha-2, and the code of the US Department of Transportation. */
  readonly domicile: { readonly iso: string; readonly dot: string };
  /** Former names, earliest first. */
  readonly formerNames: readonly CarrierName[];
  readonly memberships: readonly Membership[];
  /** True when the validity of its IATA code is unknown and another carrier has or had the code. */
  readonly isCodeClaimed: boolean;
  /** Last day on which former owners of its IATA code precede it, `YYYY-MM-DD`; absent when none does. */
  readonly precededUntil?: string;
  readonly validity: Validity;
  readonly provenance: Provenance;
};

type EquipmentCategory =
  | 'LandPlane'
  | 'SeaPlane'
  | 'Amphibian'
  | 'Helicopter'
  | 'Gyrocopter'
  | 'TiltRotor'
  | 'SurfaceVehicle';
export const engineTypes = ['Jet', 'Turboprop', 'Turboshaft', 'Piston', 'Electric', 'Rocket'] as const;
export const bodies = ['Narrow', 'Wide'] as const;

/** Further facts of an aircraft type. */
export type EquipmentFacts = {
  readonly category: EquipmentCategory | '';
  readonly engine: { readonly type: (typeof engineTypes)[number] | ''; readonly count: number | undefined };
  readonly body: (typeof bodies)[number] | '';
  readonly manufacturer: string;
  /** IATA code of its family, '' for none or for the family itself; without an IATA code, that of the type it is filed as. */
  readonly group: string;
  /** All ICAO designators that fly under its IATA code, sorted: several for a family. */
  readonly icaoTypes: readonly string[];
  /** Type designator of FAA Order JO 7360.1. */
  readonly faa: string;
  /** Wake turbulence category of ICAO Doc 8643: L, M, H or J; L/M when it depends on the model. */
  readonly wakeTurbulence: string;
  /** SSIM service types that schedules can file for it, sorted; empty without an IATA code. */
  readonly serviceTypes: readonly string[];
  readonly provenance: Provenance;
};

/** Returns whether a day, `YYYY-MM-DD`, is in a validity period; an unknown end is open. */
export const isValidOn = ({ from, to }: Validity, day: string): boolean =>
  (from === '' || from <= day) && (to === '' || day <= to);

/** Finds the name of a carrier on a day: a former one during its validity, otherwise the present one. A former name without an end is ignored. */
export const findNameOn = (
  { name, formerNames }: { readonly name: string; readonly formerNames: readonly CarrierName[] },
  day: string,
): string => formerNames.find((former) => former.to !== '' && isValidOn(former, day))?.name ?? name;

/** Finds the alliance membership on a day; of several, which only contradictory sources give, the latest. */
export const findMembershipOn = (memberships: readonly Membership[], day: string): Membership | undefined =>
  memberships
    .filter((membership) => isValidOn(membership, day))
    .toSorted((a, b) => (a.from < b.from ? -1 : 1))
    .at(-1);
