/**
 * Names of cities, by IATA code, that no source has because their airports lie in a place of another name, or that the sources
 * have in another language than those of other cities of the country.
 */
export const ownCityNames: ReadonlyMap<string, string> = new Map([
  ['CEB', 'Cebu'],
  ['CVG', 'Cincinnati'],
  ['DPS', 'Denpasar'],
  ['DTT', 'Detroit'],
  ['EAP', 'Basel/Mulhouse'],
  ['FLR', 'Florence'],
  ['GOA', 'Genoa'],
  ['HAJ', 'Hanover'],
  ['KTI', 'Phnom Penh'],
  ['LAE', 'Lae'],
  ['MDE', 'Medellín'],
  ['MMA', 'Malmö'],
  ['NAP', 'Naples'],
  ['PTY', 'Panama City'],
  ['RFD', 'Rockford'],
  ['SDZ', 'Shetland Islands'],
  ['SIA', "Xi'an"],
  ['SRI', 'Samarinda'],
  ['SUV', 'Suva'],
  ['SVQ', 'Seville'],
  ['TRN', 'Turin'],
  ['UPG', 'Makassar'],
  ['VCE', 'Venice'],
  ['YEA', 'Edmonton'],
  ['YKF', 'Kitchener'],
  ['YMQ', 'Montreal'],
  ['YVR', 'Vancouver'],
]);
