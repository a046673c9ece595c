import { addDays, formatDate, localDate } from '../../../../domain/time/dates.ts';
import type { SourceId } from '../../../../domain/master-data/data-sources.ts';
import type { Validity } from '../../../../domain/master-data/master-data-facts.ts';
import { findStationDates } from '../../overrides/station-overrides.ts';
import type { JoinedStation } from './merge-listing.ts';
import type { Place } from './group-listings.ts';

export type Dated = { readonly place: Place; readonly station: JoinedStation };

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
 * Gives the stations of one code the dates between which they have it, the present owner first in the list. A station of which
 * no source tells when it took over the code has it since the day after the last former owner lost it, which is the earliest
 * it can have been.
 */
export const dateStations = (stations: readonly Dated[]): readonly JoinedStation[] =>
  stations.map(({ place, station }, index) => {
    const own = findStationDates(station);
    const isFormer = !place.main && place.withdrawn !== undefined;
    const to = own.to ?? (isFormer ? (place.withdrawn?.validity.to ?? '') : '');
    const since = place.bestKnown?.validity.from || (isFormer ? (place.withdrawn?.validity.from ?? '') : '');
    const lost = stations
      .filter((other) => other.place !== place && other.place.withdrawn && !other.place.main)
      .map((other) => other.place.withdrawn?.validity.to ?? '')
      .toSorted()
      .at(-1);
    const follows = index === 0 && !isFormer ? dayAfter(lost ?? '') : '';
    const from = own.from ?? (since || follows);
    const isInOrder = from === '' || to === '' || from <= to;
    return withDates(
      station,
      { from: isInOrder ? from : '', to },
      {
        from: own.from === undefined && since !== '' ? 'optd-por' : 'own',
        to: own.to === undefined ? 'optd-por' : 'own',
      },
    );
  });
