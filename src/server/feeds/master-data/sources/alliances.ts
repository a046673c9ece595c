import { membershipTypes, type Membership } from '#domain/master-data/master-data-facts.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import { readCsvRows, type FeedFile } from '#feeds/text/csv-rows.ts';

/** A membership by the IATA code and name that the carrier had. */
export type AllianceMember = Membership & { readonly iata: string; readonly name: string };

const alliances = ['oneworld', 'SkyTeam', 'Star Alliance'] as const;

/** Returns the official spelling of an alliance's name; undefined for any other text. */
export const findAlliance = (text: string): string | undefined =>
  alliances.find((alliance) => alliance.toLowerCase() === text.toLowerCase());

const columns = [
  'alliance_name',
  'alliance_type',
  'airline_iata_code_2c',
  'airline_name',
  'from_date',
  'to_date',
] as const;

/** Reads alliance memberships (optd_airline_alliance_membership.csv). An unknown alliance or type of membership is quarantined. */
export const readAllianceMembers = async (file: FeedFile, report: LoadReport): Promise<readonly AllianceMember[]> => {
  const members: AllianceMember[] = [];
  for await (const { line, values } of readCsvRows(file, { columns, separator: '^', report })) {
    const alliance = findAlliance(values.alliance_name);
    const type = membershipTypes.find((candidate) => candidate === values.alliance_type);
    const name = values.airline_name;
    if (alliance === undefined || type === undefined) {
      const value = `${values.alliance_name} ${values.alliance_type}`;
      const message = `The membership of ${name} has an unknown alliance or type and was ignored.`;
      report.entries.push({ severity: 'quarantined', line, value, reason: 'alliance-membership', message });
      continue;
    }
    members.push({
      alliance,
      type,
      iata: values.airline_iata_code_2c,
      name,
      from: values.from_date,
      to: values.to_date,
    });
  }
  return members;
};
