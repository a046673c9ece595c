import type { Membership } from '../../../../domain/master-data/master-data-facts.ts';
import type { LoadReport } from '../../../load-report.ts';
import { allianceNamed, type AllianceMember } from '../../sources/alliances.ts';
import { normalizeCarrierName } from '../../carrier-name.ts';
import { listMemberships } from '../../overrides/carrier-overrides.ts';
import type { RankedCarrier } from './rank-carriers.ts';

/** A carrier's memberships, earliest first, and the source of them. */
export type CarrierMemberships = {
  readonly memberships: readonly Membership[];
  readonly source: 'optd-alliances' | 'own';
};

const END_OF_TIME = '9999-12-31';

const keyOf = ({ alliance, iata }: Pick<AllianceMember, 'alliance' | 'iata'>): string => `${alliance}/${iata}`;

const isOverride = (member: AllianceMember): boolean => listMemberships().includes(member);

const isAtTheTime = ({ startedOn, endedOn }: RankedCarrier, { from, to }: AllianceMember): boolean =>
  startedOn <= (to || END_OF_TIME) && from <= (endedOn || END_OF_TIME);

const isNamed = ({ name, formerNames }: RankedCarrier, wanted: string): boolean =>
  [name, ...formerNames.map((former) => former.name)].some(
    (known) => normalizeCarrierName(known) === normalizeCarrierName(wanted),
  );

/** Words that tell one company from another. */
const wordsOf = (name: string): readonly string[] =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9 ]/g, '')
    .split(' ')
    .filter((word) => word.length > 1 && normalizeCarrierName(word) !== '');

/** Whether the owner of a code can be the member that a list names otherwise: by a word of its name, or by its own alliance. */
const isLikely = ({ name, formerNames, alliance }: RankedCarrier, member: AllianceMember): boolean => {
  const known = new Set([name, ...formerNames.map((former) => former.name)].flatMap(wordsOf));
  return allianceNamed(alliance) === member.alliance || wordsOf(member.name).some((word) => known.has(word));
};

/** The owner of the code at that time: the one of that name, else the one that answers first, unless nothing speaks for it. */
const ownerOf = (owners: readonly RankedCarrier[], member: AllianceMember): RankedCarrier | undefined => {
  const then = owners.filter((owner) => isAtTheTime(owner, member));
  return (
    then.find((owner) => isNamed(owner, member.name)) ??
    (isOverride(member)
      ? undefined
      : then.filter(({ isCodeClaimed }) => !isCodeClaimed).find((owner) => isLikely(owner, member)))
  );
};

/** A carrier that is no more is in no alliance either. */
const within = ({ startedOn, endedOn }: RankedCarrier, { alliance, type, from, to }: AllianceMember): Membership => ({
  alliance,
  type,
  from: from < startedOn ? startedOn : from,
  to: endedOn !== '' && (to === '' || to > endedOn) ? endedOn : to,
});

const same = (one: AllianceMember, other: AllianceMember): boolean =>
  one.type === other.type && one.from === other.from && one.to === other.to;

const reportOwn = (listed: readonly AllianceMember[], report: LoadReport): void => {
  for (const member of listMemberships()) {
    const known = listed.filter((other) => keyOf(other) === keyOf(member));
    if (known.some((other) => same(other, member))) continue;
    const message = `${member.name} is in ${member.alliance} from ${member.from}${member.to === '' ? '' : ` to ${member.to}`}; the list of memberships has it otherwise.`;
    report.entries.push({
      severity: 'corrected',
      field: 'alliance',
      value: member.iata,
      reason: 'own-membership',
      message,
    });
  }
};

const reportUntold = (
  carriers: readonly RankedCarrier[],
  found: ReadonlyMap<RankedCarrier, CarrierMemberships>,
  report: LoadReport,
): void => {
  const own = new Set(listMemberships().map(keyOf));
  for (const carrier of carriers) {
    const alliance = allianceNamed(carrier.alliance);
    if (!carrier.current || alliance === undefined || own.has(keyOf({ alliance, iata: carrier.iata }))) continue;
    const told = found.get(carrier)?.memberships ?? [];
    if (told.some((membership) => membership.alliance === alliance && membership.to === '')) continue;
    const message = `The list of carriers has ${carrier.name} in ${alliance}, the memberships do not; they are followed.`;
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
 * Gives memberships to the carriers that had them: the owner of the code at that time and, of several, the one of that name.
 * The service's own list stands before the file. Memberships of nobody known, and carriers of which the lists disagree, are reported.
 */
export const joinMemberships = (
  carriers: readonly RankedCarrier[],
  listed: readonly AllianceMember[],
  report: LoadReport,
): ReadonlyMap<RankedCarrier, CarrierMemberships> => {
  if (listed.length > 0) reportOwn(listed, report);
  const byIata = Map.groupBy(carriers, ({ iata }) => iata);
  const found = new Map<RankedCarrier, CarrierMemberships>();
  const add = (member: AllianceMember, source: CarrierMemberships['source']): void => {
    const owner = ownerOf(byIata.get(member.iata) ?? [], member);
    if (!owner) {
      // The service's own list speaks of carriers that a small directory may not have.
      if (source === 'own') return;
      const message = `No carrier had the code of ${member.name}, which was in ${member.alliance} from ${member.from}.`;
      report.entries.push({ severity: 'notice', value: member.iata, reason: 'member-unknown', message });
      return;
    }
    const known = found.get(owner);
    const memberships = [...(known?.memberships ?? []), within(owner, member)];
    found.set(owner, {
      memberships: memberships.toSorted((one, other) => one.from.localeCompare(other.from)),
      source: known?.source === 'own' ? 'own' : source,
    });
  };
  const own = new Set(listMemberships().map(keyOf));
  for (const member of listed) if (!own.has(keyOf(member))) add(member, 'optd-alliances');
  for (const member of listMemberships()) add(member, 'own');
  reportUntold(carriers, found, report);
  return found;
};
