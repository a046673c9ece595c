import { bareName } from '../sources/bare-name.ts';

/**
 * Carriers that the list of carriers has as present though they have ended: IATA code | name | last day of operation, '' where
 * the day is not known for certain.
 */
const lines = `
2S|Air Carnival|
3M|Silver Airways|2025-06-11
4M|LATAM Argentina|2020-06-17
4U|Germanwings|2020-04-07
6F|Primera Air Nordic|2018-10-01
6Q|Cham Wings Airlines|
6W|Saratov Airlines|2018-05-30
7L|Aero Caribbean|
8G|Mid Africa Aviation|
9A|Aladia Airlines|
9S|Southern Air|
9W|Jet Airways|2019-04-17
AB|Bonza|2024-04-29
AL|Air Leisure|
AU|Austral Líneas Aéreas|2020-11-30
AX|Trans States Airlines|2020-04-01
BE|Flybe|2023-01-28
BM|bmi regional|2019-02-16
C0|Centralwings|
C4|Alma De Mexico|
CO|Cobalt Air|2018-10-17
CP|Compass Airlines|2020-04-05
CT|Alitalia CityLiner|2021-10-14
D9|Donavia|2016-03-26
DB|HOP Brit Air|
DI|Norwegian Air UK|
DJ|AirAsia Japan|2020-12-05
DN|Norwegian Air Argentina|
DO|Discovery Airways|
DU|Norwegian Long Haul|
EM|Aero Benin|
EV|ExpressJet Airlines|2022-08-22
FL|Airtran Airways|2014-12-28
FO|Felix Airways|
FS|Flyr|2023-01-31
G6|Denim Air|
G8|Go First|2023-05-02
GI|Itek Air|
HJ|Hellas Jet|
I5|AirAsia India|2024-09-30
IC|Nacil Indian Airline|
IG|Air Italy|2020-02-25
JE|Mango|2021-07-27
JG|Jetgo Australia|
JW|Vanilla Air|2019-10-26
K4|ALS|
KA|Cathay Dragon|2020-10-20
KK|AtlasGlobal|2020-02-12
LB|Air Costa|
LC|ECAir|
LL|Miami Air International|
MI|SilkAir|2021-05-06
MJ|Mihin Lanka|2016-10-30
MN|Comair|2022-05-31
MT|Thomas Cook Airlines|2019-09-23
N3|Aerolineas Mas|
NN|Vim Airlines|
OP|Air Pegasus|
P9|Peruvian Airlines|2019-10-04
PF|Primera Air Scandinavia|2018-10-01
QD|Dobrolet Airlines|2014-08-04
R7|Aserca|
RH|Robin Hood Aviation|
RI|Air Costa Rica|
RN|Rayani Air|
RP|Chautauqua Airlines|2014-12-31
S2|Jet Lite|2019-04-17
S3|SBA Airlines|
S5|Shuttle America|2017-01-31
ST|Germania|2019-02-04
SW|Air Namibia|2021-02-11
SX|SkyWork Airlines|2018-08-29
T4|Trip|
U5|Karinou Airlines|
U9|Tatarstan Air|2013-12-31
UK|Vistara|2024-11-11
UQ|Business Aviation Centre|
US|US Airways|2015-10-16
VG|VLM Airlines|2018-08-31
VH|Viva Air Colombia|2023-02-27
VK|Anisec Luftfahrt|
VU|Vuelos Economicos|
VV|Viva Airlines Peru|2023-02-27
VW|Aeromar|2023-02-15
W8|Caribbean Winds Airlines|
WD|Amsterdam Airlines Bv|
WE|Thai Smile Airways|2023-12-31
WJ|Air Labrador|
WO|World Airways|2014-03-27
WP|Island Air|2017-11-10
WW|Wow Air|2019-03-28
XF|Vladivostok Air|
XP|Xtra Airways|
XW|NokScoot|2020-06-26
YG|South Airlines|
YM|Montenegro Airlines|2020-12-25
YS|Regional|
Z5|GMG Airlines|
Z6|Dniproavia|
Z7|Amaszonas Uruguay|
ZG|Groznyy Avia|
ZI|Aigle Azur|2019-09-06
ZJ|Zambezi Airlines|
ZK|Great Lakes Airlines|2018-03-26
`;

const keyOf = (iata: string, name: string): string => `${iata}/${bareName(name)}`;

const ends: ReadonlyMap<string, string> = new Map(
  lines
    .trim()
    .split('\n')
    .map((line): readonly [string, string] => {
      const [iata = '', name = '', lastDay = ''] = line.split('|');
      return [keyOf(iata, name), lastDay];
    }),
);

/**
 * The last day, `YYYY-MM-DD`, of a carrier that ended without the list of carriers saying so, '' when the day is unknown;
 * undefined when nothing is known of an end. A carrier that was told to be closed in the night ended on the day of that telling.
 */
export const ownEndOf = ({ iata, name }: { readonly iata: string; readonly name: string }): string | undefined =>
  ends.get(keyOf(iata, name));
