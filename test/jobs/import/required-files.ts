const airportHeader = 'icao,iata,name,city,subd,country,elevation,lat,lon,tz,lid';
/** The smallest content of the required master data files: three locations, two carriers and a type. */
export const required = {
  'airportsdata_airports.csv': [
    airportHeader,
    'EGLL,LHR,Heathrow,London,England,GB,80,51.47,-0.46,Europe/London,',
    'UACC,NQZ,Nazarbayev,Astana,Astana,KZ,1,51.02,71.46,Asia/Almaty,',
    '2G40,,Small field,Friendsville,Maryland,US,1,39.58,-79.34,America/New_York,2G4',
  ],
  'ourairports_countries.csv': ['code,name', 'GB,United Kingdom', 'KZ,Kazakhstan', 'US,United States'],
  'optd_airlines.csv': [
    'key^env_id^validity_from^validity_to^3char_code^2char_code^name^alliance_code^type^flt_freq^bases',
    'a^^^^GEC^LH^Lufthansa Cargo^^C^^FRA',
    'b^^^^DLH^LH^Lufthansa^^P^338012^FRA',
  ],
  'optd_aircraft.csv': [
    'iata_code^manufacturer^model^iata_group^iata_category^icao_code^nb_engines^aircraft_type',
    '320^Airbus^A320^32S^2J^A320^2^J',
  ],
};
