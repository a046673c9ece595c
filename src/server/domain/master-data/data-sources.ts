/** A source of master data, its licence and required attribution. */
export type DataSource = { readonly title: string; readonly licence: string; readonly attribution: string };

const openTravelData = '© OpenTravelData contributors';

/** The sources of master data by the IDs in provenance; docs/reference/master-data-sources.md maps fields to sources. */
export const dataSources = {
  airportsdata: {
    title: 'airportsdata: airports',
    licence: 'MIT',
    attribution: '© 2020- Mike Borsetti, © 2014 mwgg',
  },
  'airportsdata-macs': {
    title: 'airportsdata: multi-airport cities',
    licence: 'MIT',
    attribution: '© 2020- Mike Borsetti, © 2014 mwgg',
  },
  ourairports: { title: 'OurAirports', licence: 'Public domain (Unlicense)', attribution: '' },
  'optd-por': { title: 'OpenTravelData: points of reference', licence: 'CC BY 4.0', attribution: openTravelData },
  'optd-airlines': { title: 'OpenTravelData: airlines', licence: 'CC BY 4.0', attribution: openTravelData },
  'optd-aircraft': { title: 'OpenTravelData: aircraft', licence: 'CC BY 4.0', attribution: openTravelData },
  'optd-alliances': {
    title: 'OpenTravelData: alliance memberships',
    licence: 'CC BY 4.0',
    attribution: openTravelData,
  },
  'optd-wac': {
    title: 'OpenTravelData: world area codes of the US Department of Transportation',
    licence: 'CC BY 4.0',
    attribution: openTravelData,
  },
  'vrs-airlines': { title: 'Virtual Radar Server standing data: airlines', licence: 'CC0 1.0', attribution: '' },
  'vrs-types': { title: 'Virtual Radar Server standing data: model types', licence: 'CC0 1.0', attribution: '' },
  'time-zone-boundaries': {
    title: 'timezone-boundary-builder: boundaries of time zones',
    licence: 'ODbL 1.0',
    attribution: '© OpenStreetMap contributors',
  },
  own: { title: 'Lists and rules of this service', licence: 'As the service', attribution: '' },
  schedules: { title: 'Schedules loaded', licence: 'As the schedules', attribution: '' },
  'connecting-times': {
    title: 'Minimum connecting times loaded',
    licence: 'As the minimum connecting times',
    attribution: '',
  },
} as const satisfies Readonly<Record<string, DataSource>>;

/** The id of a source, as provenance holds it. */
export type SourceId = keyof typeof dataSources;
