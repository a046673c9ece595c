/**
 * Regions under names in which no list of regions has them: of another language or of another spelling. Keys are a country
 * and a name in lower case without accents, values codes of ISO 3166-2.
 */
export const ownRegionNames: ReadonlyMap<string, string> = new Map([
  ['ES cataluna', 'ES-CT'],
  ['ES comunidad valenciana', 'ES-VC'],
  ['ES ciudad real', 'ES-CM'],
  ['ES pais vasco', 'ES-PV'],
  ['FR centre', 'FR-CVL'],
  ['IR azarbayjan-e-gharbi', 'IR-04'],
  ['IR ilam', 'IR-16'],
  ['IR khorasan-e-jonubi', 'IR-29'],
  ['IR khorasan-e-shomali', 'IR-28'],
  ['IR kohgiluyeh-va-buyer-ahmad', 'IR-17'],
  ['IR kordestan', 'IR-12'],
  ['IT latium', 'IT-62'],
  ['IT the marches', 'IT-57'],
  ['PT acores', 'PT-20'],
]);
