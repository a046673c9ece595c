import { addDays, formatDate, localDate } from '#domain/time/dates.ts';
import type { SourceId } from '#domain/master-data/data-sources.ts';
import type { Validity } from '#domain/master-data/master-data-facts.ts';
import { findStationDates } from '#feeds/master-data/overrides/station-overrides.ts';
import type { JoinedStation } from './merge-listing.ts';
import type { StationListing } from './group-listings.ts';

export type ListedStation = { readonly listing: StationListing; readonly station: JoinedStation };

const dayAfter = (date: string): string => (date === '' ? '' : formatDate(addDays(localDate(date), 1)));

const withDates = (
  station: JoinedStation,
  validity: Validity,
  sources: { readonly from: SourceId; readonly to: SourceId },
): JoinedStation => ({
  ...station,
  facts: {
    ...station.facts,
    validity,
    provenance: {
      ...station.facts.provenance,
      ...(validity.from === '' ? {} : { 'validity.from': sources.from }),
      ...(validity.to === '' ? {} : { 'validity.to': sources.to }),
    },
  },
});

/**
 * Sets the dates between which the stations of one code have it; the present owner is the first. If no source has the day on which
 * it received the code, it has the code since the day after the last former owner lost it, the earliest possible day.
 */
export const dateStations = (stations: readonly ListedStation[]): readonly JoinedStation[] =>
  stations.map(({ listing, station }, index) => {
    const override = findStationDates(station);
    const isFormer = !listing.main && listing.withdrawn !== undefined;
    const to = override.to ?? (isFormer ? (listing.withdrawn?.validity.to ?? '') : '');
    const since = listing.referencePoint?.validity.from || (isFormer ? (listing.withdrawn?.validity.from ?? '') : '');
    const lastWithdrawal = stations
      .filter((other) => other.listing !== listing && other.listing.withdrawn && !other.listing.main)
      .map((other) => other.listing.withdrawn?.validity.to ?? '')
      .toSorted()
      .at(-1);
    const dayAfterWithdrawal = index === 0 && !isFormer ? dayAfter(lastWithdrawal ?? '') : '';
    const from = override.from ?? (since || dayAfterWithdrawal);
    const isInOrder = from === '' || to === '' || from <= to;
    return withDates(
      station,
      { from: isInOrder ? from : '', to },
      {
        from: override.from === undefined && since !== '' ? 'optd-por' : 'own',
        to: override.to === undefined ? 'optd-por' : 'own',
      },
    );
  });
