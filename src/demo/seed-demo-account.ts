import { hash } from 'node:crypto';
import { parseNewAlert } from '#products/flight-info-alerts/v1/alerts/parse-alert.ts';
import { getOrCreateAccount, type Profile } from '#store/alerts/alert-accounts.ts';
import { insertAlert } from '#store/alerts/alerts.ts';
import type { Database } from '#store/pool/database.ts';
import { findKey } from '#store/access/subscription-keys.ts';

const profile: Profile = {
  firstName: 'Ada',
  lastName: 'Field',
  email: 'ada.field@zx.example',
  country: 'GB',
  companyName: 'Zephyr Express',
  secondaryEmail: '',
  content: 'seats',
};

const alerts = [
  {
    name: 'Out of Heathrow',
    description: 'all changes of departures from London Heathrow, with the changed values',
    alertType: 'Port',
    departureAirport: 'LHR',
    changeIndicator: true,
  },
  {
    name: 'Late into New York',
    description: 'arrivals at John F. Kennedy with a delay of 30 minutes or more',
    alertType: 'Port',
    arrivalAirport: 'JFK',
    schedules: false,
    estimatedArrivalTimeThreshold: 30,
    statusChangeFilters: {
      baggage: false,
      aircraftRegistrationNumber: false,
      gates: false,
      terminal: false,
      seats: false,
      aircraftType: false,
    },
  },
];

/** Creates an account with alerts for the subscription of a key unless it has one; returns the UUID of its oldest account. */
export const seedDemoAccount = async (
  db: Database,
  { key, now }: { readonly key: string; readonly now: Date },
): Promise<string> => {
  const subscription = await findKey(db, hash('sha256', key, 'buffer'));
  if (!subscription) throw new Error('the demo world has no key');
  return db.begin(async (sql) => {
    const { id, isNew } = await getOrCreateAccount(sql, subscription.subscriptionId, { profile, now });
    if (isNew) for (const body of alerts) await insertAlert(sql, id, { content: parseNewAlert(body), now });
    return id;
  });
};
