import type { Validity } from '../../../domain/master-data/master-data-facts.ts';

/**
 * The days on which well-known stations took or lost a code where no source has them or has another day. Keys are the IATA and
 * the ICAO code of the station.
 */
const ownStationDates: ReadonlyMap<string, Partial<Validity>> = new Map([
  // Schönefeld became a terminal of Brandenburg with the winter schedule of 2020; Tegel saw its last flight two weeks later.
  ['SXF/EDDB', { to: '2020-10-24' }],
  ['BER/EDDB', { from: '2020-10-25' }],
  ['TXL/EDDT', { to: '2020-11-08' }],
  // Where an airport moved, its code and that of its successor change on the first day of use; lists have the day on which
  // the new code was assigned.
  ['REP/VDSR', { to: '2023-10-15' }],
  ['SAI/VDSA', { from: '2023-10-16' }],
  ['PNH/VDPP', { to: '2025-09-08' }],
  ['KTI/VDTI', { from: '2025-09-09' }],
  ['ISN/KISN', { to: '2019-10-09' }],
  ['XWA/KXWA', { from: '2019-10-10' }],
  // Nouakchott and Mbeya moved, and their codes with them; the list of airports in use still has the old fields.
  ['NKC/GQNN', { to: '2016-06-22' }],
  ['NKC/GQNO', { from: '2016-06-23' }],
  ['MBI/HTMB', { to: '2012-12-12' }],
  ['MBI/HTGW', { from: '2012-12-13' }],
  // Airports that closed: their last day of use.
  ['BRV/EDWB', { to: '2016-02-29' }],
  ['ETH/LLET', { to: '2019-03-17' }],
  ['FBU/ENFB', { to: '1998-10-07' }],
  ['JPB/', { to: '1977-05-16' }],
  ['MSE/EGMH', { to: '2014-05-15' }],
  ['PLH/EGHD', { to: '2011-12-23' }],
  ['SDV/LLSD', { to: '2019-06-30' }],
  ['YXD/CYXD', { to: '2013-11-30' }],
]);

/** The own dates of a station, by its codes; none for most. */
export const ownDatesOf = ({ iata, icao }: { readonly iata: string; readonly icao: string }): Partial<Validity> =>
  ownStationDates.get(`${iata}/${icao}`) ?? {};
