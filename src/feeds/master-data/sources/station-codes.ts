/** Where a field lies, as far as its codes depend on it: ISO country and, in the United States, the state by name or code. */
export type StationTerritory = { readonly countryCode: string; readonly state: string };

/** Countries whose fields carry an identifier of the FAA: the United States, their territories and the associated states. */
const faaCountries = new Set(['US', 'PR', 'VI', 'GU', 'AS', 'MP', 'UM', 'MH', 'FM', 'PW']);
const statesOutsideK = new Set(['Alaska', 'AK', 'Hawaii', 'HI']);

/** An IATA location identifier, three letters; '' for anything else. */
export const parseIataStation = (code: string): string => (/^[A-Z]{3}$/.test(code) ? code : '');

/**
 * An ICAO location indicator, or '' for what only looks like one. Airport files put the national identifier of a field, or
 * `K` and its FAA identifier, where a field has no indicator. An indicator is four letters, its first is never I, J, Q or X,
 * and K belongs to the contiguous United States alone.
 */
export const parseIcaoStation = (code: string, { countryCode, state }: StationTerritory): string => {
  if (!/^[A-HK-PR-WYZ][A-Z]{3}$/.test(code)) return '';
  if (code.startsWith('K') && (countryCode !== 'US' || statesOutsideK.has(state))) return '';
  return code;
};

/** A location identifier of the FAA, three or four letters and digits; '' elsewhere, where others use the same form. */
export const parseFaaStation = (code: string, { countryCode }: StationTerritory): string =>
  faaCountries.has(countryCode) && /^[A-Z0-9]{3,4}$/.test(code) ? code : '';

/**
 * First letters of ICAO codes that one field alone of a country with 20 or more has: national identifiers in disguise
 * (in Australia, where all indicators begin with Y, `DALH` and `SWRK`). Returned as country and letter, e.g. `AU D`.
 */
export const findUncommonInitials = (
  fields: readonly { readonly countryCode: string; readonly icao: string }[],
): ReadonlySet<string> => {
  const fieldsOfInitial = new Map<string, number>();
  const fieldsOfCountry = new Map<string, number>();
  for (const { countryCode, icao } of fields) {
    if (icao === '') continue;
    const key = formatInitial({ countryCode, icao });
    fieldsOfInitial.set(key, (fieldsOfInitial.get(key) ?? 0) + 1);
    fieldsOfCountry.set(countryCode, (fieldsOfCountry.get(countryCode) ?? 0) + 1);
  }
  const stray = [...fieldsOfInitial].filter(
    ([key, count]) => count === 1 && (fieldsOfCountry.get(key.slice(0, 2)) ?? 0) >= 20,
  );
  return new Set(stray.map(([key]) => key));
};

/** The form in which `strayInitials` names a country and the first letter of a code. */
export const formatInitial = ({ countryCode, icao }: { readonly countryCode: string; readonly icao: string }): string =>
  `${countryCode} ${icao.slice(0, 1)}`;
