import type { Network } from './plan-network.ts';

/** The bases of the freight and charter airlines. New routes go to the end of a hub, for the flights to keep their numbers. */
export const freightAndCharterNetworks: readonly Network[] = [
  {
    carrier: 'O1',
    hub: 'ANC',
    firstNumber: 7001,
    serviceType: 'F',
    banks: ['0600', '1200', '1800'],
    routes: [
      ['ORD', '74N', '123', '23456'],
      ['JFK', '77X', '13', '23456'],
      ['MIA', '77X', '2', '246'],
      ['HKG', '74N', '13', '23456'],
      ['PVG', '77X', '12', '12345'],
      ['NRT', '74N', '2', '23456'],
      ['ICN', '77X', '3', '23456'],
      ['LAX', '76Y', '1', '12345'],
    ],
  },
  {
    carrier: 'O1',
    hub: 'FRA',
    firstNumber: 7101,
    serviceType: 'F',
    banks: ['0600', '1400', '2130'],
    routes: [
      ['ORD', '77X', '2', '23456'],
      ['JFK', '77X', '2', '12345'],
      ['DOH', '77X', '3', '12357'],
      ['SIN', '74N', '3', '1357'],
      ['NBO', '77X', '1', '246'],
      ['GRU', '77X', '3', '15'],
      ['MAD', '76Y', '3', '12345'],
      ['DUB', '76Y', '3', '12345'],
      ['ARN', '76Y', '3', '12345'],
    ],
  },
  {
    carrier: 'Z1',
    hub: 'LGW',
    firstNumber: 8001,
    serviceType: 'C',
    banks: ['0700', '1500'],
    routes: [
      ['ATH', '321', '12', '126', 'summer'],
      ['OPO', '738', '1', '36', 'summer'],
      ['KEF', '738', '1', '57', 'winter'],
      ['CMN', '738', '2', '47', 'winter'],
      ['SJU', '339', '1', '6'],
      ['MIA', '339', '1', '357'],
      ['CAI', '321', '1', '14'],
    ],
  },
];
