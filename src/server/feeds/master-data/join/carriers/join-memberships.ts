import type { Membership } from '#domain/master-data/master-data-facts.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import { findAlliance, type AllianceMember } from '#feeds/master-data/sources/alliances.ts';
import { normalizeCarrierName } from '#feeds/master-data/carrier-name.ts';
import { listMemberships } from '#feeds/master-data/overrides/carrier-overrides.ts';
import type { RankedCarrier } from './rank-carriers.ts';

/** A carrier's memberships, earliest first, and the source of them. */
export type CarrierMemberships = {
  readonly memberships: readonly Membership[];
  readonly source: 'optd-alliances' | 'own';
};

const END_OF_TIME = '9999-12-31';

const formatMemberKey = ({ alliance, iata }: Pick<AllianceMember, 'alliance' | 'iata'>): string =>
  `${alliance}/${iata}`;

const isOverride = (member: AllianceMember): boolean => listMemberships().includes(member);

const isOverlapping = ({ startedOn, endedOn }: RankedCarrier, { from, to }: AllianceMember): boolean =>
  startedOn <= (to || END_OF_TIME) && from <= (endedOn || END_OF_TIME);

const hasName = ({ name, formerNames }: RankedCarrier, wantedName: string): boolean =>
  [name, ...formerNames.map((former) => former.name)].some(
    (ownName) => normalizeCarrierName(ownName) === normalizeCarrierName(wantedName),
  );

/** Returns the words of a name that distinguish one company from another. */
const splitNameWords = (name: string): readonly string[] =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9 ]/g, '')
    .split(' ')
    .filter((word) => word.length > 1 && normalizeCarrierName(word) !== '');

/** Whether the owner of a code can be a member of another name: by a common word in the names, or by the alliance of the owner. */
const isLikelyMember = ({ name, formerNames, alliance }: RankedCarrier, member: AllianceMember): boolean => {
  const words = new Set([name, ...formerNames.map((former) => former.name)].flatMap(splitNameWords));
  return findAlliance(alliance) === member.alliance || splitNameWords(member.name).some((word) => words.has(word));
};

/** Returns the owner of the code at that time: the one of that name, else the first one that is a likely member. */
const findOwner = (owners: readonly RankedCarrier[], member: AllianceMember): RankedCarrier | undefined => {
  const ownersThen = owners.filter((owner) => isOverlapping(owner, member));
  return (
    ownersThen.find((owner) => hasName(owner, member.name)) ??
    (isOverride(member)
      ? undefined
      : ownersThen.filter(({ isCodeClaimed }) => !isCodeClaimed).find((owner) => isLikelyMember(owner, member)))
  );
};

/** Limits the dates of a membership to those of the carrier. */
const limitToCarrier = (
  { startedOn, endedOn }: RankedCarrier,
  { alliance, type, from, to }: AllianceMember,
): Membership => ({
  alliance,
  type,
  from: from < startedOn ? startedOn : from,
  to: endedOn !== '' && (to === '' || to > endedOn) ? endedOn : to,
});

const hasSameDates = (one: AllianceMember, other: AllianceMember): boolean =>
  one.type === other.type && one.from === other.from && one.to === other.to;

const reportOverrides = (listed: readonly AllianceMember[], report: LoadReport): void => {
  for (const member of listMemberships()) {
    const existing = listed.filter((other) => formatMemberKey(other) === formatMemberKey(member));
    if (existing.some((other) => hasSameDates(other, member))) continue;
    const message = `${member.name} is in ${member.alliance} from ${member.from}${member.to === '' ? '' : ` to ${member.to}`}; the list of memberships differs and was corrected.`;
    report.entries.push({
      severity: 'corrected',
      field: 'alliance',
      value: member.iata,
      reason: 'own-membership',
      message,
    });
  }
};

const reportMissing = (
  carriers: readonly RankedCarrier[],
  membershipsByCarrier: ReadonlyMap<RankedCarrier, CarrierMemberships>,
  report: LoadReport,
): void => {
  const overriddenKeys = new Set(listMemberships().map(formatMemberKey));
  for (const carrier of carriers) {
    const alliance = findAlliance(carrier.alliance);
    if (
      !carrier.isCurrent ||
      alliance === undefined ||
      overriddenKeys.has(formatMemberKey({ alliance, iata: carrier.iata }))
    )
      continue;
    const memberships = membershipsByCarrier.get(carrier)?.memberships ?? [];
    if (memberships.some((membership) => membership.alliance === alliance && membership.to === '')) continue;
    const message = `The list of carriers has ${carrier.name} in ${alliance}, but the list of memberships does not; the list of memberships was used.`;
    report.entries.push({
      severity: 'notice',
      field: 'alliance_code',
      value: carrier.iata,
      reason: 'alliance-conflict',
      message,
    });
  }
};

/**
 * Assigns memberships to carriers: to the owner of the code at that time, of several to the one of that name. Overrides replace the
 * file. Memberships of unknown carriers, and contradictions between the lists, are reported.
 */
export const joinMemberships = (
  carriers: readonly RankedCarrier[],
  listed: readonly AllianceMember[],
  report: LoadReport,
): ReadonlyMap<RankedCarrier, CarrierMemberships> => {
  if (listed.length > 0) reportOverrides(listed, report);
  const byIata = Map.groupBy(carriers, ({ iata }) => iata);
  const membershipsByCarrier = new Map<RankedCarrier, CarrierMemberships>();
  const add = (member: AllianceMember, source: CarrierMemberships['source']): void => {
    const owner = findOwner(byIata.get(member.iata) ?? [], member);
    if (!owner) {
      // A small directory may lack carriers of the overrides.
      if (source === 'own') return;
      const message = `No carrier has the code of ${member.name}, a member of ${member.alliance} from ${member.from}; the membership was ignored.`;
      report.entries.push({ severity: 'notice', value: member.iata, reason: 'member-unknown', message });
      return;
    }
    const existing = membershipsByCarrier.get(owner);
    const memberships = [...(existing?.memberships ?? []), limitToCarrier(owner, member)];
    membershipsByCarrier.set(owner, {
      memberships: memberships.toSorted((one, other) => one.from.localeCompare(other.from)),
      source: existing?.source === 'own' ? 'own' : source,
    });
  };
  const overriddenKeys = new Set(listMemberships().map(formatMemberKey));
  for (const member of listed) if (!overriddenKeys.has(formatMemberKey(member))) add(member, 'optd-alliances');
  for (const member of listMemberships()) add(member, 'own');
  reportMissing(carriers, membershipsByCarrier, report);
  return membershipsByCarrier;
};
