/** What the codes of a field depend on: the ISO country and, in the United States, the name or code of the state. */
export type StationTerritory = { readonly countryCode: string; readonly state: string };

/** Countries whose fields have an identifier of the FAA: the United States, their territories and the associated states. */
const faaCountries = new Set(['US', 'PR', 'VI', 'GU', 'AS', 'MP', 'UM', 'MH', 'FM', 'PW']);
const statesOutsideK = new Set(['Alaska', 'AK', 'Hawaii', 'HI']);

/** Returns an IATA location identifier, three letters; '' for other texts. */
export const parseIataStation = (code: string): string => (/^[A-Z]{3}$/.test(code) ? code : '');

/**
 * Returns an ICAO location indicator, '' for other texts. For a field without an indicator, airport files have its national
 * identifier, or `K` and its FAA identifier. An indicator has four letters, the first is not I, J, Q or X, and K is used only in the
 * contiguous United States.
 */
export const parseIcaoStation = (code: string, { countryCode, state }: StationTerritory): string => {
  if (!/^[A-HK-PR-WYZ][A-Z]{3}$/.test(code)) return '';
  if (code.startsWith('K') && (countryCode !== 'US' || statesOutsideK.has(state))) return '';
  return code;
};

/** Returns a location identifier of the FAA, 3 or 4 letters and digits; '' in other countries, where the form means something else. */
export const parseFaaStation = (code: string, { countryCode }: StationTerritory): string =>
  faaCountries.has(countryCode) && /^[A-Z0-9]{3,4}$/.test(code) ? code : '';

/**
 * Returns first letters of ICAO codes that only one field of a country with 20 or more has, as country and letter (`AU D`). These
 * are national identifiers: in Australia, where all indicators begin with Y, `DALH` and `SWRK`.
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
  const uncommon = [...fieldsOfInitial].filter(
    ([key, count]) => count === 1 && (fieldsOfCountry.get(key.slice(0, 2)) ?? 0) >= 20,
  );
  return new Set(uncommon.map(([key]) => key));
};

/** Returns the country and the first letter of an ICAO code in the form of `findUncommonInitials`. */
export const formatInitial = ({ countryCode, icao }: { readonly countryCode: string; readonly icao: string }): string =>
  `${countryCode} ${icao.slice(0, 1)}`;
