/** Whether a day, `YYYY-MM-DD`, lies in a time whose ends are included; an end that is not known is open. */
export const isValidOn = ({ from, to }: Validity, day: string): boolean =>
  (from === '' || from <= day) && (to === '' || day <= to);

/** The name somebody had on a day: a former one while it lasted, else the present one. A former name without an end cannot be placed. */
export const findNameOn = (
  { name, formerNames }: { readonly name: string; readonly formerNames: readonly CarrierName[] },
  day: string,
): string => formerNames.find((former) => former.to !== '' && isValidOn(former, day))?.name ?? name;

/** The alliance somebody belongs to on a day; of several, which only sources at odds can give, the one joined last. */
export const findMembershipOn = (memberships: readonly Membership[], day: string): Membership | undefined =>
  memberships
    .filter((membership) => isValidOn(membership, day))
    .toSorted((a, b) => (a.from < b.from ? -1 : 1))
    .at(-1);

/** Local dates `YYYY-MM-DD`, both ends included; '' where no source tells. */
export type Validity = { readonly from: string; readonly to: string };

/** The source of each fact: names of fields as the contract spells them, with dots, to ids of `dataSources`. */
export type Provenance = Readonly<Record<string, string>>;

export const locationTypes = [
  'Airport',
  'Heliport',
  'SeaplaneBase',
  'RailwayStation',
  'BusStation',
  'Port',
  'OffPoint',
] as const;
export type LocationType = (typeof locationTypes)[number];

/** What is known of a location beyond what flights need; text is '' where no source tells. */
export type LocationFacts = {
  readonly type: LocationType | '';
  readonly cityName: string;
  /** A state, province or the like; its code is that of ISO 3166-2, e.g. `US-NY`. */
  readonly region: { readonly code: string; readonly name: string };
  readonly validity: Validity;
  readonly provenance: Provenance;
};

/** A city or metropolitan area that stations serve, under its IATA code; no flight goes to it. */
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

/** A carrier's name while it had it. */
export type CarrierName = Validity & { readonly name: string };

export const membershipTypes = ['Member', 'Affiliate'] as const;

/** A carrier's part in an alliance while it lasts. */
export type Membership = Validity & { readonly alliance: string; readonly type: (typeof membershipTypes)[number] };

/** What is known of a carrier beyond what flights need. */
export type CarrierFacts = {
  /** The country of its domicile: ISO 3166-1 alpha-2, and the code that the US Department of Transportation has for it. */
  readonly domicile: { readonly iso: string; readonly dot: string };
  /** Names it had before the present one, earliest first. */
  readonly formerNames: readonly CarrierName[];
  readonly memberships: readonly Membership[];
  /** True when nobody tells when it had its IATA code, and another carrier is known to have it or to have had it for a time. */
  readonly isCodeClaimed: boolean;
  /** The last day on which former owners of its IATA code answer before it, `YYYY-MM-DD`; absent when none does. */
  readonly precededUntil?: string;
  readonly validity: Validity;
  readonly provenance: Provenance;
};

export const equipmentCategories = [
  'LandPlane',
  'SeaPlane',
  'Amphibian',
  'Helicopter',
  'Gyrocopter',
  'TiltRotor',
  'SurfaceVehicle',
] as const;
export const engineTypes = ['Jet', 'Turboprop', 'Turboshaft', 'Piston', 'Electric', 'Rocket'] as const;
export const bodies = ['Narrow', 'Wide'] as const;

/** What is known of an aircraft type beyond what flights need. */
export type EquipmentFacts = {
  readonly category: (typeof equipmentCategories)[number] | '';
  readonly engine: { readonly type: (typeof engineTypes)[number] | ''; readonly count: number | undefined };
  readonly body: (typeof bodies)[number] | '';
  readonly manufacturer: string;
  /** IATA code of the family it belongs to, '' when it is none or the family itself; without an IATA code, that of the type it is filed as. */
  readonly group: string;
  /** Every ICAO designator flown under its IATA code, in alphabetical order: several for a family, its own for a type without. */
  readonly icaoTypes: readonly string[];
  /** The type designator of FAA Order JO 7360.1. */
  readonly faa: string;
  /** Wake turbulence category of ICAO Doc 8643: L, M, H or J; L/M where it goes by the model. */
  readonly wakeTurbulence: string;
  /** SSIM service types that a schedule can file it for, in the order of the alphabet; none without an IATA code. */
  readonly serviceTypes: readonly string[];
  readonly provenance: Provenance;
};
