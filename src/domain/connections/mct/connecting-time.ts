/** What leaves later, in minutes after the arrival, is a stopover and no connection; itself allowed. */
export const MAX_CONNECTING_MINUTES = 1440;
