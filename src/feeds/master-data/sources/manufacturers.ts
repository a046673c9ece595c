/** One maker has one name here, whatever the lists write; '' where what they write is no maker. */
const spellings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'Aerospatiale / SNIAS': 'Aerospatiale',
    'Agusta / AgustaWestland': 'AgustaWestland',
    'Aircraft Industries (LET)': 'Let',
    'Antonow / Antonov': 'Antonov',
    BAe: 'British Aerospace',
    Beech: 'Beechcraft',
    'Bell Helicopter': 'Bell',
    'Britten Norman': 'Britten-Norman',
    'DAHER-SOCATA': 'Socata',
    'De Havilland Canada-Bombardier': 'De Havilland Canada',
    'De Havilland-Bombardier': 'De Havilland Canada',
    Diamond: 'Diamond Aircraft',
    'Fairchild-Hiller': 'Fairchild Hiller',
    'Fairchild-Swearingen': 'Fairchild Swearingen',
    'Gates Learjet': 'Learjet',
    'Gulfstream Aerospace': 'Gulfstream',
    'HAMC / Harbin': 'Harbin',
    'Hawker-Beechcraft': 'Hawker Beechcraft',
    'Hawker-Siddeley': 'Hawker Siddeley',
    LET: 'Let',
    'Nord / SNCAN': 'Nord',
    'Piaggio Aero': 'Piaggio',
    SAAB: 'Saab',
    Short: 'Shorts',
    'Surface Equipment': '',
    'Yakovlev / Jakovlev': 'Yakovlev',
  }),
);

/** The name by which a maker goes here. */
export const manufacturerNamed = (name: string): string => spellings.get(name) ?? name;

/** Maker and model as one name; a model that already begins with its maker's name says it once. */
export const equipmentName = (manufacturer: string, model: string): string =>
  manufacturer === '' || model.toLowerCase().startsWith(manufacturer.toLowerCase())
    ? model
    : [manufacturer, model].filter((part) => part !== '').join(' ');
