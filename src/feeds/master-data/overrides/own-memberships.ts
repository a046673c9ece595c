import type { Membership } from '../../../domain/master-data/master-data-facts.ts';
import type { AllianceMember } from '../sources/alliances.ts';

/** Changes of alliances that the list of memberships lacks; each line is a carrier's whole history in one alliance. */
const lines = `
oneworld|Member|CP|Canadian Airlines|1999-02-01|2000-05-31
oneworld|Member|EI|Aer Lingus|2000-06-01|2007-03-31
oneworld|Member|MX|Mexicana de Aviación|2009-11-10|2010-08-27
oneworld|Member|FJ|Fiji Airways|2025-04-01|
oneworld|Member|WY|Oman Air|2025-06-30|
oneworld|Member|LA|LATAM Chile|2000-06-01|2020-04-30
oneworld|Affiliate|4M|LATAM Argentina|2007-04-01|2020-04-30
oneworld|Affiliate|4C|LATAM Colombia|2013-10-01|2020-04-30
oneworld|Affiliate|XL|LATAM Ecuador|2007-04-01|2020-04-30
oneworld|Affiliate|LU|LAN Express|2000-06-01|2020-04-30
oneworld|Affiliate|LP|LATAM Perú|2000-06-01|2020-04-30
oneworld|Member|JJ|LATAM Brasil|2014-04-01|2020-04-30
oneworld|Affiliate|XM|J-Air|2007-04-01|2012-12-31
oneworld|Member|S7|Siberia Airlines|2010-11-15|2022-04-18
oneworld|Affiliate|GH|Globus|2008-12-01|2022-04-18
SkyTeam|Member|SK|Scandinavian Airlines|2024-09-01|
SkyTeam|Member|SU|Aeroflot|2006-04-14|2022-04-26
SkyTeam|Affiliate|WX|CityJet|2000-06-22|2014-04-30
SkyTeam|Member|OK|Czech Airlines|2001-03-25|2024-10-25
SkyTeam|Member|AZ|Alitalia|2001-07-27|2021-10-14
SkyTeam|Member|AZ|ITA Airways|2021-10-29|2025-04-30
Star Alliance|Member|SK|Scandinavian Airlines|1997-05-14|2024-08-31
Star Alliance|Member|AC|Air Canada|1997-05-14|
Star Alliance|Member|LH|Lufthansa|1997-05-14|
Star Alliance|Member|TG|Thai Airways|1997-05-14|
Star Alliance|Member|UA|United Airlines|1997-05-14|
Star Alliance|Member|RG|Varig Linhas|1997-10-22|2007-01-31
Star Alliance|Member|BD|British Midland International|2000-07-01|2012-04-20
Star Alliance|Member|MX|Mexicana de Aviación|2000-07-01|2004-03-31
Star Alliance|Member|FM|Shanghai Airlines|2007-12-12|2010-10-31
Star Alliance|Affiliate|9I|Air India Regional|2014-07-11|2022-04-14
`;

const typeOf = (text: string): Membership['type'] => (text === 'Affiliate' ? 'Affiliate' : 'Member');

/**
 * Memberships of common knowledge that stand instead of what the list has for the same code and alliance. S7 and Aeroflot
 * were suspended on the day after the one given. The past is told in part only, and
 * later changes are not in it.
 */
export const ownMemberships: readonly AllianceMember[] = lines
  .trim()
  .split('\n')
  .map((line) => {
    const [alliance = '', type = '', iata = '', name = '', from = '', to = ''] = line.split('|');
    return { alliance, type: typeOf(type), iata, name, from, to };
  });
