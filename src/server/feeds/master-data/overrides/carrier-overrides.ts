import type { CarrierName, Membership } from '#domain/master-data/master-data-facts.ts';
import { normalizeCarrierName } from '../carrier-name.ts';
import { createOverrideTable } from './override-table.ts';

type NamedCarrier = { readonly iata: string; readonly name: string };

const formatNameKey = ({ iata, name }: NamedCarrier): string => `${iata}/${normalizeCarrierName(name)}`;

/**
 * Returns the countries of domicile that are common knowledge, by ICAO code, or by IATA code where that is the more reliable one.
 * The key of a carrier that shares its only code with others is the IATA code, a slash and the normalized name.
 */
export const listCarrierDomiciles = createOverrideTable(
  'carrier-domiciles',
  'code,name,country',
  (rows): ReadonlyMap<string, string> =>
    new Map(rows.map(({ code, name, country }) => [name === '' ? code : formatNameKey({ iata: code, name }), country])),
);

/** Returns the ISO 3166-1 alpha-2 code of the country in which the carrier of an ICAO or IATA code is domiciled. */
export const findDomicileByCode = (code: string): string | undefined => listCarrierDomiciles().get(code);

/** Returns the domicile of a carrier that shares its code with others. */
export const findDomicileByName = (carrier: NamedCarrier): string | undefined =>
  listCarrierDomiciles().get(formatNameKey(carrier));

const icaoCodes = createOverrideTable(
  'carrier-icao-codes',
  'iata,name,icao',
  (rows): ReadonlyMap<string, string> =>
    new Map(rows.map(({ iata, name, icao }) => [formatNameKey({ iata, name }), icao])),
);

/** Returns the ICAO code that overrides that of the lists, '' when theirs is another company's and the right one is unknown. */
export const findIcaoCode = (carrier: NamedCarrier): string | undefined => icaoCodes().get(formatNameKey(carrier));

/** Carriers that ended although the list of carriers has them as current. One that closed at night ended on the day it said so. */
const endDates = createOverrideTable(
  'carrier-end-dates',
  'iata,name,last_day',
  (rows): ReadonlyMap<string, string> =>
    new Map(rows.map(({ iata, name, last_day: lastDay }) => [formatNameKey({ iata, name }), lastDay])),
);

/** Returns the last day of operation, `YYYY-MM-DD`, '' when the day is unknown; undefined when no end is known. */
export const findEndDate = (carrier: NamedCarrier): string | undefined => endDates().get(formatNameKey(carrier));

const formerNames = createOverrideTable('former-carrier-names', 'iata,icao,name,first_day,last_day', (rows) =>
  rows.map(({ first_day: from, last_day: to, ...row }) => ({ ...row, from, to })),
);

type CodedCarrier = { readonly iata: string; readonly icao: string };

/** Returns former names that the list of carriers lacks, earliest first. */
export const listFormerNames = ({ iata, icao }: CodedCarrier): readonly CarrierName[] =>
  formerNames()
    .filter((row) => row.iata === iata && row.icao === icao)
    .map(({ name, from, to }) => ({ name, from, to }));

/** A membership by the IATA code and name that the carrier had. */
type MembershipOverride = Membership & NamedCarrier;

/**
 * Returns memberships that replace those of the list for the same code and alliance; each is a carrier's whole history in one
 * alliance. S7 and Aeroflot were suspended on the day after the last one. Former years are covered in part only.
 */
export const listMemberships = createOverrideTable(
  'alliance-memberships',
  'alliance,type,iata,name,first_day,last_day',
  (rows): readonly MembershipOverride[] =>
    rows.map(({ alliance, type, iata, name, first_day: from, last_day: to }) => ({
      alliance,
      type: type === 'Affiliate' ? 'Affiliate' : 'Member',
      iata,
      name,
      from,
      to,
    })),
);
