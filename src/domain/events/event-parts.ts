/** The codes of a place, a carrier or an aircraft type. A code that does not exist is absent. */
export type EventCodes = { readonly iata?: string; readonly icao?: string };

export type AirportCodes = EventCodes & { readonly faa?: string };

/** ISO 3166-1 alpha-2. */
export type EventCountry = { readonly code: string };

/** A company that has a part in a flight; a member is '' where it was not filed. */
export type EventCompany = { readonly code: string; readonly name: string; readonly number: string };

/** A flight by its designator, the number without leading zeros; `suffix` is '' when there is none. */
export type EventDesignator = { readonly code: string; readonly serviceNumber: string; readonly suffix: string };

/** One moment or date on two clocks: that of the airport, and UTC. */
export type LocalAndUtc = { readonly local: string; readonly utc: string };

/** Seats by cabin; a cabin is absent when the source cannot tell it. */
export type EventSeats = {
  readonly firstClass?: number;
  readonly businessClass?: number;
  readonly premiumEconomyClass?: number;
  readonly economyPlusClass?: number;
  readonly economyClass?: number;
  readonly totalSeats?: number;
};
